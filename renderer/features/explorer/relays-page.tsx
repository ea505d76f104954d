// Nodes that registered to carry messages, and what they ask for it.
import { useQuery } from "@tanstack/react-query";
import { RadioTower } from "lucide-react";
import type { ReactElement } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Time } from "#renderer/components/basics/time.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { UnverifiedNote } from "#renderer/components/feedback/unverified-note.tsx";
import { DataTable } from "#renderer/components/layout/data-table.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { relayStanding } from "#renderer/lib/format/node-standing.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { ExplorerFrame } from "./frame/explorer-frame.tsx";

export function RelaysPage(): ReactElement {
  const t = useMessages();
  const query = useQuery(useNetworkQueries().relays());
  const { data } = query;
  return (
    <ExplorerFrame title={t("explorer.relays")}>
      <UnverifiedNote kind="list" />
      <QueryState query={query} rows={3} />
      {data?.length === 0 && <EmptyState icon={RadioTower} title={t("explorer.noRelays")} text={t("explorer.noRelaysText")} />}
      {data !== undefined && data.length > 0 && (
        <Section title={t("explorer.relayCount", { count: data.length })} hint={t("explorer.relaysHint")} bare>
          <DataTable
            label={t("explorer.relays")}
            columns={[
              { title: t("explorer.relay") },
              { title: t("explorer.relayAddress") },
              { title: t("explorer.lastHeartbeat") },
              { title: t("explorer.relayFee"), end: true },
              { title: t("explorer.bond"), end: true },
              { title: t("explorer.relayKeeps") },
            ]}
            rows={data.map(({ pub_key: key, relay, last_heartbeat: last, keeper }) => ({
              key,
              cells: (
                <>
                  <td>
                    <AddressChip publicKey={key} />
                  </td>
                  <td>{relay.multiaddr ?? t("common.none")}</td>
                  <td>{last === undefined ? t("common.none") : <Time at={last * 1_000} />}</td>
                  <td data-end>
                    <Amount amountUt={relay.fee_per_msg_ut} />
                  </td>
                  <td data-end>{keeper === undefined ? t("common.none") : <Amount amountUt={keeper.bond_ut} />}</td>
                  <td>{relayStanding(t, keeper)}</td>
                </>
              ),
            }))}
          />
        </Section>
      )}
    </ExplorerFrame>
  );
}
