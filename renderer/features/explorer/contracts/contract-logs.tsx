// What a contract said, newest first.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ScrollText } from "lucide-react";
import type { ReactElement } from "react";
import { Time } from "#renderer/components/basics/time.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { DataTable } from "#renderer/components/layout/data-table.tsx";
import { shorten } from "#renderer/lib/format/key.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";

export function ContractLogs({ contractId }: { readonly contractId: ContractId }): ReactElement {
  const t = useMessages();
  const query = useQuery(useNetworkQueries().contractLogs(contractId));
  const { data } = query;
  if (data === undefined) return <QueryState query={query} rows={3} />;
  if (data.length === 0) return <EmptyState icon={ScrollText} title={t("explorer.noLogs")} text={t("explorer.noLogsText")} />;
  return (
    <DataTable
      label={t("explorer.logs")}
      columns={[{ title: t("explorer.logLine") }, { title: t("transactions.transaction") }, { title: t("explorer.when"), end: true }]}
      rows={data.map(({ tx_id: id, message, timestamp }, index) => ({
        key: `${id}:${data.length - index}`,
        cells: (
          <>
            <td>
              <code>{message}</code>
            </td>
            <td>
              <Link to="/explorer/tx/$id" params={{ id }}>
                {shorten(id)}
              </Link>
            </td>
            <td>
              <Time at={timestamp * 1_000} />
            </td>
          </>
        ),
      }))}
    />
  );
}
