// What a contract said, newest first: its events in words of its interface, and all other lines as they are.
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ScrollText } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";
import { Time } from "#renderer/components/basics/time.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { Select } from "#renderer/components/controls/select.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { OlderMissing, useOlderMissing } from "#renderer/components/feedback/older-missing.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { DataTable } from "#renderer/components/layout/data-table.tsx";
import { shorten } from "#renderer/lib/format/key.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { queryKeys } from "#renderer/lib/node/query-keys.ts";
import type { ContractLog } from "#shared/api/schemas/contracts.ts";
import type { ContractAbi, ContractId } from "#shared/protocol/transactions/contracts.ts";
import styles from "../contract.module.css";
import { LogLine } from "./log-line.tsx";

export interface ContractLogsProps {
  readonly contractId: ContractId;
  readonly abi: ContractAbi | undefined;
}

const LINES = 50;
const ALL = "";

export function ContractLogs({ contractId, abi }: ContractLogsProps): ReactElement {
  const t = useMessages();
  const [event, setEvent] = useState(ALL);
  const names = abi?.events?.map(({ name }) => name) ?? [];
  return (
    <div className={styles.part}>
      {names.length > 0 && (
        <div className={styles.filter}>
          <Select
            label={t("explorer.logsShown")}
            options={[{ value: ALL, label: t("explorer.allLines") }, ...names.map((name) => ({ value: name, label: name }))]}
            value={event}
            onChange={setEvent}
          />
        </div>
      )}
      <Lines key={event} contractId={contractId} abi={abi} event={event} />
    </div>
  );
}

function Lines({ contractId: contractID, abi, event }: ContractLogsProps & { readonly event: string }): ReactElement {
  const t = useMessages();
  const { client } = useNode();
  const query = useInfiniteQuery({
    queryKey: queryKeys.contractLogs(contractID, event),
    queryFn: ({ signal, pageParam: after }) => {
      const page = { limit: LINES, ...(after === "" ? {} : { after }), ...(event === ALL ? {} : { event }) };
      return client.listContractLogs({ contractID, ...page }, { signal });
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next_after,
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const logs = data?.pages.flatMap((page) => page.logs) ?? [];
  const missingBelow = data?.pages.at(-1)?.missing_below;
  const missing = useOlderMissing(t("explorer.olderLogsMissing", { height: missingBelow ?? 0 }));
  const isEmpty = data !== undefined && logs.length === 0;
  // A page may be empty and still have a next one.
  useEffect(() => {
    if (isEmpty && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isEmpty, hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (data === undefined || (isEmpty && hasNextPage)) return <QueryState query={query} rows={3} />;
  if (isEmpty && missingBelow !== undefined) {
    const title = t(event === ALL ? "explorer.noLogs" : "explorer.noEvents");
    return <EmptyState icon={ScrollText} title={title} text={missing} />;
  }
  if (isEmpty && event !== ALL)
    return <EmptyState icon={ScrollText} title={t("explorer.noEvents")} text={t("explorer.noEventsText", { event })} />;
  if (isEmpty) return <EmptyState icon={ScrollText} title={t("explorer.noLogs")} text={t("explorer.noLogsText")} />;
  return (
    <>
      <LogTable logs={logs} abi={abi} />
      {!hasNextPage && missingBelow !== undefined && <OlderMissing text={t("explorer.olderLogsMissing", { height: missingBelow })} />}
      {hasNextPage && (
        <div>
          <Button busy={isFetchingNextPage} onClick={(): void => void fetchNextPage()}>
            {t("explorer.moreLogs")}
          </Button>
        </div>
      )}
    </>
  );
}

function LogTable({ logs, abi }: { readonly logs: readonly ContractLog[]; readonly abi: ContractAbi | undefined }): ReactElement {
  const t = useMessages();
  return (
    <DataTable
      label={t("explorer.logs")}
      columns={[{ title: t("explorer.logLine") }, { title: t("transactions.transaction") }, { title: t("explorer.when"), end: true }]}
      rows={logs.map(({ tx_id: id, message, timestamp, position }) => ({
        key: position,
        cells: (
          <>
            <td>
              <LogLine message={message} abi={abi} />
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
