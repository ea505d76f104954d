// Everything that happened to the account, live, with filters.
import { Download, History, Search } from "lucide-react";
import { type ReactElement, useEffect, useMemo, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { SegmentedControl } from "#renderer/components/controls/segmented-control.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { OlderMissing } from "#renderer/components/feedback/older-missing.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { VirtualRows } from "#renderer/components/layout/virtual-rows.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useAccountHistory } from "#renderer/lib/node/use-account-history.ts";
import { useNames } from "#renderer/lib/people/names/use-names.ts";
import { useLabels } from "#renderer/lib/transactions/label-store.ts";
import { kindLabel } from "#renderer/lib/transactions/transaction-kind.ts";
import { usePending } from "#renderer/lib/transactions/use-pending.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type ActivityListRow, listByDay } from "./activity-days.ts";
import { ACTIVITY_KINDS, type ActivityKind, isOfKind, matchesText } from "./activity-filter.ts";
import { DayHeading, MonthHeading } from "./activity-headings.tsx";
import { type ActivityItem, mergeActivity } from "./activity-item.ts";
import { ActivityRow } from "./activity-row.tsx";
import styles from "./activity-section.module.css";
import { useCsvExport } from "./csv/use-csv-export.ts";
import { useMemos } from "./memos/use-memos.ts";
import { SetUpRow } from "./set-up-row.tsx";
import { useChatPayments } from "./use-chat-payments.ts";

const ROW_HEIGHT = 56;
const NO_KEYS: ReadonlySet<string> = new Set();
const KIND_LABELS = {
  all: "wallet.filterAll",
  sent: "wallet.filterSent",
  received: "wallet.filterReceived",
  other: "wallet.filterOther",
} as const;

export interface ActivitySectionProps {
  readonly account: PublicKeyHex;
  /** Shown instead of the list while there is nothing at all. */
  readonly whenEmpty: ReactElement;
}

export function ActivitySection(props: ActivitySectionProps): ReactElement {
  const { account, whenEmpty } = props;
  const t = useMessages();
  const history = useAccountHistory(account);
  const pending = usePending(account);
  const [kind, setKind] = useState<ActivityKind>("all");
  const [query, setQuery] = useState("");
  const items = useMemo(() => mergeActivity(pending, history.transactions, account), [pending, history.transactions, account]);
  if (items.length === 0) {
    if (history.isPending) return <SkeletonRows />;
    if (history.error !== null) return <ErrorState error={history.error} onRetry={history.retry} />;
    return history.missingBelow === undefined ? whenEmpty : <OlderEntriesMissing height={history.missingBelow} />;
  }
  return (
    <Section
      title={t("wallet.activity")}
      bare
      actions={
        <div className={styles.filters}>
          <TextField
            label={t("wallet.searchActivity")}
            hideLabel
            type="search"
            value={query}
            onChange={setQuery}
            placeholder={t("wallet.searchActivity")}
            affix={<Search size={14} aria-hidden="true" className={shared.searchIcon} />}
          />
          <SegmentedControl
            label={t("common.show")}
            options={ACTIVITY_KINDS.map((value) => ({ value, label: t(KIND_LABELS[value]) }))}
            value={kind}
            onChange={setKind}
          />
          <ExportButton account={account} />
        </div>
      }
    >
      <FilteredActivity account={account} items={items} kind={kind} query={query} history={history} onReset={reset} />
    </Section>
  );

  function reset(): void {
    setKind("all");
    setQuery("");
  }
}

function ExportButton({ account }: { readonly account: PublicKeyHex }): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const file = useCsvExport(account);
  const save = (): void =>
    file.mutate(undefined, {
      onSuccess: ({ count, missingBelow: height }) => {
        const missing = height === undefined ? {} : { description: t("wallet.exportedInPart", { height }) };
        toasts.show({ title: t("wallet.exported", { count }), tone: "success", ...missing });
      },
      onError: toasts.showError,
    });
  return <IconButton icon={Download} label={t("wallet.export")} disabled={file.isPending} onClick={save} />;
}

interface FilteredProps {
  readonly account: PublicKeyHex;
  readonly items: readonly ActivityItem[];
  readonly kind: ActivityKind;
  readonly query: string;
  readonly history: ReturnType<typeof useAccountHistory>;
  readonly onReset: () => void;
}

function FilteredActivity(props: FilteredProps): ReactElement {
  const { account, items, kind, query, history, onReset } = props;
  const t = useMessages();
  const labels = useLabels();
  const memos = useMemos(account, items);
  const shown = useFiltered(items, { kind, query, labels, memos });
  const receipts = useChatPayments(shown);
  const { hasMore, missingBelow, isLoadingMore, loadMore } = history;
  const isEmpty = shown.length === 0;
  const isUnfiltered = kind === "all" && query.trim() === "";
  const isCut = hasMore || missingBelow !== undefined;
  const [openSetUps, setOpenSetUps] = useState<ReadonlySet<string>>(NO_KEYS);
  const isSearched = query.trim() !== "";
  const rows = useMemo(
    () => listByDay(shown, { isUnfiltered, hasMore: isCut, ...(!isSearched && { openSetUps }) }),
    [shown, isUnfiltered, isCut, isSearched, openSetUps],
  );
  const toggle = (ids: readonly string[], isOpen: boolean): void =>
    setOpenSetUps((open) => (isOpen ? new Set([...open].filter((other) => !ids.includes(other))) : new Set([...open, ...ids])));
  useEffect(() => {
    if (isEmpty && hasMore && !isLoadingMore) loadMore();
  });
  if (isEmpty && hasMore) return <SkeletonRows />;
  if (isEmpty) {
    return (
      <EmptyState
        icon={History}
        title={t("common.noMatches")}
        text={t("wallet.nothingMatchesText")}
        actions={<Button onClick={onReset}>{t("wallet.showAll")}</Button>}
      />
    );
  }
  return (
    <div className={shared.outdented}>
      <VirtualRows
        label={t("wallet.activity")}
        items={rows}
        keyOf={({ key }): string => key}
        estimateSize={ROW_HEIGHT}
        renderItem={(row): ReactElement => <ListRow row={row} labels={labels} receipts={receipts} memos={memos} onToggle={toggle} />}
        onEnd={loadMore}
      />
      {!hasMore && missingBelow !== undefined && <OlderEntriesMissing height={missingBelow} />}
    </div>
  );
}

function OlderEntriesMissing({ height }: { readonly height: number }): ReactElement {
  const t = useMessages();
  return <OlderMissing text={t("wallet.olderMissing", { height })} />;
}

interface ListRowProps {
  readonly row: ActivityListRow;
  readonly labels: Readonly<Record<string, string>>;
  readonly receipts: ReturnType<typeof useChatPayments>;
  readonly memos: ReadonlyMap<string, string>;
  readonly onToggle: (ids: readonly string[], isOpen: boolean) => void;
}

function ListRow({ row, labels, receipts, memos, onToggle }: ListRowProps): ReactElement {
  switch (row.kind) {
    case "month":
      return <MonthHeading startMs={row.startMs} sums={row.sums} />;
    case "day":
      return <DayHeading startMs={row.startMs} />;
    case "setUp":
      return (
        <SetUpRow count={row.ids.length} feesUt={row.feesUt} isOpen={row.isOpen} onToggle={(): void => onToggle(row.ids, row.isOpen)} />
      );
    case "item":
      return (
        <ActivityRow
          item={row.item}
          label={labels[row.key]}
          note={receipts.get(row.key)?.note}
          memo={memos.get(row.key)}
          isInner={row.isInner === true}
        />
      );
  }
}

interface FilterChoice {
  readonly kind: ActivityKind;
  readonly query: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly memos: ReadonlyMap<string, string>;
}

/** Names are asked for only while something is searched. */
function useFiltered(items: readonly ActivityItem[], { kind, query, labels, memos }: FilterChoice): readonly ActivityItem[] {
  const t = useMessages();
  const isSearching = query.trim() !== "";
  const peers = useMemo(
    () => (isSearching ? [...new Set(items.flatMap(({ peer }) => (peer === undefined ? [] : [peer])))] : []),
    [items, isSearching],
  );
  const names = useNames(peers);
  return useMemo(
    () =>
      items.filter((item) => {
        const peerName = item.peer === undefined ? undefined : names.get(item.peer);
        const words = {
          label: labels[item.id],
          memo: memos.get(item.id),
          peerName,
          kindName: kindLabel(t, item.kind),
          amount: amountText(t, item.amountUt),
        };
        return isOfKind(item, kind) && matchesText(item, query, words);
      }),
    [items, kind, query, labels, memos, names, t],
  );
}
