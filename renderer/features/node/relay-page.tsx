// The node as a relay: what it stores for others, what it asks for it, what it has claimed.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement, ReactNode } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { Time } from "#renderer/components/basics/time.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { relayStanding } from "#renderer/lib/format/node-standing.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import type { RegisteredRelay } from "#shared/api/schemas/nodes.ts";
import { NodeFrame } from "./node-frame.tsx";

export function RelayPage(): ReactElement {
  const { t } = useLanguage();
  const query = useQuery(useNodeQueries().status());
  const { data } = query;
  return (
    <NodeFrame title={t("explorer.relay")}>
      <QueryState query={query} rows={3} />
      {data !== undefined && <Relay status={data} />}
    </NodeFrame>
  );
}

/** A relay without a bond has none of them. */
function bondRows(t: Translate, { keeper }: RegisteredRelay): readonly { readonly label: string; readonly value: ReactNode }[] {
  if (keeper === undefined) return [];
  const { bond_ut: bondUt, withdrawn_ut: withdrawnUt, available_at: availableAt, suspended_until: suspendedUntil } = keeper;
  return [
    { label: t("explorer.bond"), value: <Amount amountUt={bondUt} /> },
    ...(withdrawnUt === undefined ? [] : [{ label: t("explorer.relayWithdrawn"), value: <Amount amountUt={withdrawnUt} /> }]),
    ...(availableAt === undefined ? [] : [{ label: t("node.bondFree"), value: <Time at={availableAt * 1_000} /> }]),
    { label: t("explorer.relayKeeps"), value: relayStanding(t, keeper) },
    ...(suspendedUntil === undefined ? [] : [{ label: t("explorer.relaySuspendedUntil"), value: <Time at={suspendedUntil * 1_000} /> }]),
  ];
}

function Relay({ status }: { readonly status: NodeStatus }): ReactElement {
  const { t, locale } = useLanguage();
  const queries = useNetworkQueries();
  const { data: relays } = useQuery(queries.relays());
  const own = relays?.find(({ relay }) => relay.x25519_pub_key === status.relay_pub);
  const { data: stats } = useQuery({ ...queries.nodeStats(own?.pub_key ?? ""), enabled: own !== undefined });
  const number = new Intl.NumberFormat(locale);
  return (
    <>
      <Section
        title={t("node.relayHere")}
        hint={t("node.relayHint")}
        actions={
          <Badge tone={own === undefined ? "neutral" : "success"}>
            {t(own === undefined ? "node.relayUnregistered" : "node.relayRegistered")}
          </Badge>
        }
      >
        <KeyValueList
          rows={[
            { label: t("node.mailbox"), value: number.format(status.mailbox_envelopes) },
            { label: t("node.relayKey"), value: <Copyable text={status.relay_pub} /> },
            ...(own === undefined
              ? []
              : [
                  { label: t("node.relayOwner"), value: <AddressChip publicKey={own.pub_key} /> },
                  { label: t("explorer.relayFee"), value: <Amount amountUt={own.relay.fee_per_msg_ut} /> },
                  { label: t("explorer.relayAddress"), value: own.relay.multiaddr ?? t("common.none"), mono: true },
                  {
                    label: t("explorer.lastHeartbeat"),
                    value: own.last_heartbeat === undefined ? t("common.none") : <Time at={own.last_heartbeat * 1_000} />,
                  },
                  ...bondRows(t, own),
                ]),
            ...(stats === undefined || stats === null
              ? []
              : [
                  { label: t("node.relayClaims"), value: number.format(stats.relay_proofs) },
                  { label: t("node.rewardsRecent"), value: <Amount isLive amountUt={stats.recent_rewards_ut} /> },
                ]),
          ]}
        />
        {own === undefined && desktopApi() === undefined && <Banner isLasting>{t("node.relayHow")}</Banner>}
        {desktopApi() !== undefined && (
          <div className={shared.buttons}>
            <ButtonLink to="/settings/$section" params={{ section: "desktop" }}>
              {t("node.relaySettings")}
            </ButtonLink>
          </div>
        )}
      </Section>
      <div className={shared.buttons}>
        <ButtonLink to="/explorer/relays">{t("node.allRelays")}</ButtonLink>
      </div>
    </>
  );
}
