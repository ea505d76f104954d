// What is stored where: by the node, and by this interface on this device.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { formatBytes } from "#renderer/lib/format/bytes.ts";
import { transactionsLabel } from "#renderer/lib/format/counted-from.ts";
import { formatDateTime, formatDuration } from "#renderer/lib/format/time.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { type Language, useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { queryKeys } from "#renderer/lib/node/query-keys.ts";
import type { Output } from "#shared/api/api.ts";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";

const MS_PER_SECOND = 1_000;
/** Old blocks go seldom, ms. */
const KEPT_REFRESH_MS = 30_000;

export function StorageSection({ status }: { readonly status: NodeStatus }): ReactElement {
  const { t, locale } = useLanguage();
  const { data: stats } = useQuery(useNodeQueries().netstats());
  const { data: used } = useQuery({ queryKey: ["storage-estimate"], queryFn: () => navigator.storage.estimate() });
  const shell = desktopApi();
  const { data: state } = useQuery({
    queryKey: ["desktop-state"],
    queryFn: () => shell?.call("state", null),
    enabled: shell !== undefined,
  });
  const number = new Intl.NumberFormat(locale);
  const { storage } = status;
  const history = useHistoryRows(status);
  const isLight = status.light !== undefined;
  return (
    <Section title={t("node.storage")} actions={shell !== undefined && <MoveButton />}>
      <KeyValueList
        rows={[
          ...(isLight
            ? []
            : [{ label: t("node.blocksStored"), value: number.format(status.sync.height + 1 - (status.history?.from_height ?? 0)) }]),
          ...(stats === undefined || isLight ? [] : [{ label: transactionsLabel(t, stats), value: number.format(stats.total_txs) }]),
          ...history,
          { label: t("node.mailbox"), value: number.format(status.mailbox_envelopes) },
          ...(storage === undefined
            ? []
            : [
                { label: t(isLight ? "node.lightStorage" : "node.chainStorage"), value: formatBytes(locale, storage.chain_bytes) },
                { label: t("node.mailboxStorage"), value: formatBytes(locale, storage.mailbox_bytes) },
                { label: t("node.consensusStorage"), value: formatBytes(locale, storage.consensus_bytes) },
              ]),
          ...(used?.usage === undefined ? [] : [{ label: t("node.interfaceStorage"), value: formatBytes(locale, used.usage) }]),
          ...(state === undefined ? [] : [{ label: t("desktop.dataFolder"), value: state.dataFolder, mono: true }]),
        ]}
      />
      <p className={shared.muted}>{t(isLight ? "node.lightStorageText" : "node.storageText")}</p>
    </Section>
  );
}

/** From when on blocks are here, and what of the person's accounts stays when older ones go. */
function useHistoryRows({ history, light }: NodeStatus): readonly { readonly label: string; readonly value: string }[] {
  const { t, locale } = useLanguage();
  const { client } = useNode();
  const account = useAccount();
  const { data: kept } = useQuery({
    queryKey: queryKeys.keptHistory,
    queryFn: ({ signal }) => client.getKeptHistory({}, { signal }),
    enabled: light === undefined,
    refetchInterval: KEPT_REFRESH_MS,
    retry: false,
  });
  if (history === undefined) return [];
  const since = (height: number, time: string): string =>
    t("node.historySince", { height: new Intl.NumberFormat(locale).format(height), time: formatDateTime(locale, Date.parse(time)) });
  const own = kept?.accounts.find(({ pub_key: key }) => key === account.masterPub);
  return [
    { label: t("node.history"), value: history.complete ? t("node.historyComplete") : since(history.from_height, history.from_time) },
    ...(history.backfill === undefined ? [] : [{ label: t("node.backfill"), value: backfillInWords(t, locale, history.backfill) }]),
    ...(kept === undefined ? [] : [{ label: t("node.retention"), value: retentionInWords(t, kept) }]),
    ...(own === undefined
      ? []
      : [
          {
            label: t("node.ownHistory"),
            value: own.complete ? t("node.ownComplete") : `${since(own.from_height, own.from_time)}${olderInWords({ t, locale }, own)}`,
          },
        ]),
  ];
}

type Backfill = NonNullable<NonNullable<NodeStatus["history"]>["backfill"]>;

function backfillInWords(t: ReturnType<typeof useMessages>, locale: string, { state, bytes, eta_seconds: eta }: Backfill): string {
  if (state !== "running") return t(`node.backfill.${state}`);
  const fetched = formatBytes(locale, bytes);
  if (eta === undefined) return t("node.backfill.running", { bytes: fetched });
  return t("node.backfill.left", { bytes: fetched, time: formatDuration(locale, eta * MS_PER_SECOND) });
}

type OwnAccount = Output<"getKeptHistory">["accounts"][number];

/** What becomes of entries before those that are here. */
function olderInWords({ t, locale }: Language, { older, from_height: height }: OwnAccount): string {
  if (older === undefined) return "";
  const { state, entries: count, headers, eta_seconds: eta } = older;
  const words = headers === undefined ? t(`node.older.${state}`, { height, count }) : t("node.older.headers", { height, count, headers });
  return eta === undefined ? `. ${words}` : `. ${words} ${t("node.syncLeft", { time: formatDuration(locale, eta * MS_PER_SECOND) })}`;
}

function retentionInWords(t: ReturnType<typeof useMessages>, { retain, dropping }: Output<"getKeptHistory">): string {
  if (dropping === "off") return t("node.retain.all");
  const [, number = "", unit] = /^(\d+)(d|blocks)$/.exec(retain) ?? [];
  const kept = t(unit === "d" ? "node.retain.days" : "node.retain.blocks", { number });
  if (dropping === "on") return kept;
  if (dropping === "no_holder") return `${kept}. ${t("node.retain.no_holder")}`;
  return `${kept}. ${t(dropping === "alone" ? "node.retain.alone" : "node.retain.unknown")}`;
}

function MoveButton(): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const move = (): void => void desktopApi()?.call("moveDataFolder", null).catch(toasts.showError);
  return (
    <Button size="small" onClick={move}>
      {t("desktop.move")}
    </Button>
  );
}
