// What programs did and what was decided about them: the keyring's journal, newest first, and the whole of it as a file.
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Time } from "#renderer/components/basics/time.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { DataTable } from "#renderer/components/layout/data-table.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { saveTextFile } from "#renderer/lib/browser/save-file.ts";
import { amountText } from "#renderer/lib/format/amount.ts";
import { shorten } from "#renderer/lib/format/key.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNames } from "#renderer/lib/people/names/use-names.ts";
import type { JournalLineView, JournalPage } from "#shared/apps/messages/journal-lines.ts";
import type { DesktopApi } from "#shared/desktop/desktop-api.ts";
import type { DesktopAppsState } from "#shared/desktop/desktop-apps.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { isHex } from "#shared/util/bytes.ts";

const PAGE_LINES = 50;
const CSV_NAME = "parley-programs.csv";

export function AppsLog(props: { readonly desktop: DesktopApi; readonly state: DesktopAppsState }): ReactElement | null {
  const { desktop, state } = props;
  const t = useMessages();
  const toasts = useToasts();
  const { connections, ended } = state;
  const log = useInfiniteQuery({
    // The state changes with each line.
    queryKey: ["desktop", "appsLog", connections, ended],
    queryFn: ({ pageParam }): Promise<JournalPage> => desktop.call("appsLog", { before: pageParam, limit: PAGE_LINES }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ lines, hasMore }: JournalPage) => (hasMore ? lines.at(-1)?.n : undefined),
    placeholderData: (before) => before,
  });
  const save = useMutation({
    mutationFn: () => desktop.call("appsLogCsv", null),
    onSuccess: (text) => saveTextFile(CSV_NAME, text, "text/csv"),
    onError: toasts.showError,
  });
  if (log.error !== null) return <ErrorState error={log.error} onRetry={(): void => void log.refetch()} />;
  const lines = log.data?.pages.flatMap((page) => page.lines) ?? [];
  if (lines.length === 0) return null;
  const actions = (
    <Button size="small" busy={save.isPending} onClick={(): void => save.mutate()}>
      {t("apps.saveLog")}
    </Button>
  );
  return (
    <Section bare title={t("apps.log")} hint={t("apps.logHint")} actions={actions}>
      <LogTable lines={lines} names={new Map([...ended, ...connections].map(({ id, name }) => [id, name]))} />
      {log.hasNextPage && (
        <div>
          <Button busy={log.isFetchingNextPage} onClick={(): void => void log.fetchNextPage()}>
            {t("apps.older")}
          </Button>
        </div>
      )}
    </Section>
  );
}

interface LogTableProps {
  readonly lines: readonly JournalLineView[];
  readonly names: ReadonlyMap<string, string>;
}

function LogTable({ lines, names }: LogTableProps): ReactElement {
  const t = useMessages();
  const people = useNames(lines.flatMap(({ subject }) => (isHex(subject, 32) ? [subject] : [])));
  const subjectOf = (subject: string): string => (isHex(subject, 32) ? (people.get(subject) ?? shorten(formatAddress(subject))) : subject);
  return (
    <DataTable
      dense
      label={t("apps.log")}
      columns={[
        { title: t("apps.log.when") },
        { title: t("apps.log.program") },
        { title: t("apps.log.action") },
        { title: t("apps.log.subject") },
        { title: t("apps.log.amount"), end: true },
        { title: t("apps.log.outcome") },
      ]}
      rows={lines.map(({ n, atMs, connection, action, subject, amountUt, outcome }) => ({
        key: String(n),
        cells: (
          <>
            <td>
              <Time at={atMs} />
            </td>
            <td>{names.get(connection) ?? connection}</td>
            <td>{t(`apps.action.${action}`)}</td>
            <td>{subjectOf(subject)}</td>
            <td data-end>{amountUt === 0 ? "" : amountText(t, amountUt)}</td>
            <td>{action === "message" ? t(messageState(outcome)) : t(`apps.outcome.${outcome}`)}</td>
          </>
        ),
      }))}
    />
  );
}

/** As the chat says it of a message. */
function messageState(outcome: JournalLineView["outcome"]): "inbox.state.queued" | "inbox.state.relayed" | "inbox.state.failed" {
  if (outcome === "reserved") return "inbox.state.queued";
  return outcome === "done" ? "inbox.state.relayed" : "inbox.state.failed";
}
