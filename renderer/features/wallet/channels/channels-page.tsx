// Payment channels: a deposit from which a person is paid by vouchers, without a transaction for each payment.
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ArrowLeft, Plus, Waypoints } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { Time } from "#renderer/components/basics/time.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { OlderMissing } from "#renderer/components/feedback/older-missing.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { PageHeader } from "#renderer/components/layout/page-header.tsx";
import { Page } from "#renderer/components/layout/panes.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { shorten } from "#renderer/lib/format/key.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import type { PaymentChannel } from "#shared/api/schemas/channels.ts";
import { CloseExpiredSheet, OpenChannelDialog, RedeemDialog, VoucherDialog } from "./channel-dialogs.tsx";

const CLOCK_MS = 10_000;

export function ChannelsPage(): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const { masterPub } = useAccount();
  const query = useQuery(useNetworkQueries().channels(masterPub));
  const { data } = query;
  const [isOpening, setOpening] = useState(false);
  const header = (
    <PageHeader
      title={t("wallet.channels")}
      leading={<IconButton icon={ArrowLeft} label={t("wallet.backToWallet")} onClick={(): void => void navigate({ to: "/wallet" })} />}
      actions={
        <Button icon={Plus} onClick={(): void => setOpening(true)}>
          {t("wallet.openChannel")}
        </Button>
      }
    />
  );
  return (
    <Page header={header}>
      <p className={shared.muted}>{t("wallet.channelsText")}</p>
      <QueryState query={query} rows={3} />
      {data?.channels.length === 0 && <EmptyState icon={Waypoints} title={t("wallet.noChannels")} text={t("wallet.noChannelsText")} />}
      {data?.channels.map((channel) => (
        <Channel key={channel.channel_id} channel={channel} />
      ))}
      {data?.missing_below !== undefined && <OlderMissing text={t("wallet.closedChannelsMissing", { height: data.missing_below })} />}
      {isOpening && <OpenChannelDialog onClose={(): void => setOpening(false)} />}
    </Page>
  );
}

type Open = "none" | "voucher" | "redeem" | "close";

function Channel({ channel }: { readonly channel: PaymentChannel }): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const now = useNow(CLOCK_MS);
  const [open, setOpen] = useState<Open>("none");
  const isPayer = channel.payer_pub === masterPub;
  const other = isPayer ? channel.payee_pub : channel.payer_pub;
  const name = useLabelOf(other);
  const isExpired = channel.expires_at * 1_000 <= now;
  const isOpen = channel.status === "open";
  const close = (): void => setOpen("none");
  return (
    <Section
      title={t(isPayer ? "wallet.channelOut" : "wallet.channelIn", { name })}
      actions={<Badge tone={isOpen ? "success" : "neutral"}>{t(isOpen ? "wallet.channelIsOpen" : "wallet.channelIsClosed")}</Badge>}
    >
      <KeyValueList
        rows={[
          {
            label: t(isPayer ? "wallet.payee" : "wallet.payer"),
            value: <AddressChip publicKey={other} />,
          },
          { label: t("wallet.channelId"), value: shorten(channel.channel_id), mono: true },
          { label: t("wallet.deposit"), value: <Amount amountUt={channel.deposit_ut} /> },
          ...(channel.paid_ut === null ? [] : [{ label: t("wallet.channelPaid"), value: <Amount amountUt={channel.paid_ut} /> }]),
          { label: t(isExpired ? "wallet.expired" : "wallet.expires"), value: <Time at={channel.expires_at * 1_000} /> },
        ]}
      />
      {isOpen && (
        <div className={shared.buttons}>
          {isPayer && <Button onClick={(): void => setOpen("voucher")}>{t("wallet.writeVoucher")}</Button>}
          {isPayer && (
            <Button disabled={!isExpired} onClick={(): void => setOpen("close")}>
              {t("wallet.closeExpired")}
            </Button>
          )}
          {!isPayer && (
            <Button variant="primary" onClick={(): void => setOpen("redeem")}>
              {t("wallet.redeem")}
            </Button>
          )}
        </div>
      )}
      {open === "voucher" && <VoucherDialog channel={channel} onClose={close} />}
      {open === "redeem" && <RedeemDialog channel={channel} onClose={close} />}
      {open === "close" && <CloseExpiredSheet channel={channel} onClose={close} />}
    </Section>
  );
}
