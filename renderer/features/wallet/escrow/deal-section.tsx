// One deal: its parties, its state and the actions that are open to the account now.
import { type ReactElement, useState } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { amountText } from "#renderer/lib/format/amount.ts";
import { formatDateTime, formatExactTime, toMilliseconds } from "#renderer/lib/format/time.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { useFound } from "../found/found-store.ts";
import { actionsOf, callOf, type DealAction } from "./deal-actions.ts";
import type { Deal, DealState } from "./deals.ts";

const CLOCK_MS = 10_000;
const TONES = { active: "accent", disputed: "warning", released: "success", refunded: "neutral" } as const satisfies Record<
  DealState,
  string
>;

export function DealSection({ deal }: { readonly deal: Deal }): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const now = useNow(CLOCK_MS);
  const [open, setOpen] = useState<DealAction>();
  const { id, buyer, seller, arbiter, amountUt, deadline, state } = deal;
  const actions = actionsOf(deal, masterPub, now);
  const { remove } = useFound("deals");
  const hasPart = [buyer, seller, arbiter].includes(masterPub);
  const none = <span className={shared.muted}>{t("escrow.noArbiter")}</span>;
  return (
    <Section title={useTitle(deal)} actions={<Badge tone={TONES[state]}>{t(`escrow.state.${state}`)}</Badge>}>
      <KeyValueList
        rows={[
          { label: t("transactions.amount"), value: <Amount amountUt={amountUt} />, strong: true },
          { label: t("escrow.buyer"), value: <AddressChip publicKey={buyer} /> },
          { label: t("escrow.seller"), value: <AddressChip publicKey={seller} /> },
          { label: t("escrow.arbiter"), value: arbiter === undefined ? none : <AddressChip publicKey={arbiter} /> },
          { label: t("escrow.deadline"), value: <Deadline at={deadline * 1_000} /> },
          { label: t("escrow.dealId"), value: <Copyable text={id} label={t("escrow.copyId")} /> },
        ]}
      />
      <p className={shared.hint}>{t(`escrow.stateText.${state}`)}</p>
      {!hasPart && (
        <div>
          <Button variant="ghost" onClick={(): void => remove(id)}>
            {t("wallet.removeFound")}
          </Button>
        </div>
      )}
      {actions.length > 0 && (
        <div className={shared.buttons}>
          {actions.map((action) => (
            <Button key={action} variant={action === "release" ? "primary" : "secondary"} onClick={(): void => setOpen(action)}>
              {t(`escrow.action.${action}`)}
            </Button>
          ))}
        </div>
      )}
      {open !== undefined && <ActionSheet deal={deal} action={open} onClose={(): void => setOpen(undefined)} />}
    </Section>
  );
}

/** The exact moment: which minute counts. */
function Deadline({ at }: { readonly at: number }): ReactElement {
  const { t, locale } = useLanguage();
  if (toMilliseconds(at) === undefined) return <span>{t("common.unknown")}</span>;
  return (
    <time dateTime={new Date(at).toISOString()} title={formatExactTime(locale, at)}>
      {formatDateTime(locale, at)}
    </time>
  );
}

function useTitle({ id, buyer, seller, arbiter }: Deal): string {
  const t = useMessages();
  const { masterPub } = useAccount();
  const [buyerName, sellerName] = [useLabelOf(buyer), useLabelOf(seller)];
  if (masterPub === buyer) return t("escrow.title.buyer", { person: sellerName });
  if (masterPub === seller) return t("escrow.title.seller", { person: buyerName });
  if (masterPub === arbiter) return t("escrow.title.arbiter", { buyer: buyerName, seller: sellerName });
  return t("escrow.title.other", { id });
}

interface ActionSheetProps {
  readonly deal: Deal;
  readonly action: DealAction;
  readonly onClose: () => void;
}

function ActionSheet({ deal, action, onClose }: ActionSheetProps): ReactElement {
  const t = useMessages();
  const [buyer, seller] = [useLabelOf(deal.buyer), useLabelOf(deal.seller)];
  const amount = amountText(t, deal.amountUt);
  const sentences: Readonly<Record<DealAction, string>> = {
    release: t("escrow.sentence.release", { amount, seller }),
    refund: t("escrow.sentence.refund", { amount, buyer }),
    dispute: t("escrow.sentence.dispute", { amount }),
    toSeller: t("escrow.sentence.toSeller", { amount, seller, buyer }),
    toBuyer: t("escrow.sentence.toBuyer", { amount, seller, buyer }),
    timeout: t("escrow.sentence.timeout", { amount, buyer }),
  };
  return (
    <CallSheet
      danger={action !== "timeout" && action !== "dispute"}
      call={callOf(action, deal)}
      title={t(`escrow.action.${action}`)}
      sentence={sentences[action]}
      rows={[{ label: t("escrow.dealId"), value: deal.id, mono: true }]}
      confirmLabel={t(`escrow.sign.${action}`)}
      onClose={onClose}
    />
  );
}
