// The block that does not exist yet: its height, what waits for it, and when it comes at the latest.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { formatCountdown, toMilliseconds } from "#renderer/lib/format/time.ts";
import type { PlainMessageKey, Translate } from "#renderer/lib/messages/catalogue.ts";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import type { SyncState } from "#renderer/lib/node/sync-state.ts";
import { useSyncState } from "#renderer/lib/node/use-sync-state.ts";
import styles from "./block-strip.module.css";
import { expectNextBlock, type NextBlock } from "./next-block.ts";

/** How often the node is asked what waits: no push says so. */
const REFRESH_MS = 3_000;
/** Why there is no next block, where it is not that the node catches up. */
const AWAY: Readonly<Partial<Record<SyncState["kind"], PlainMessageKey>>> = { connecting: "common.loading", offline: "shell.offline" };

/** The card. It is there from the start, so that nothing moves; a node that does not follow the chain knows no next block. */
export function NextBlockCard(): ReactElement {
  const { locale, t } = useLanguage();
  const { sync } = useSyncState();
  const { data: status } = useQuery({ ...useNodeQueries().status(), refetchInterval: REFRESH_MS });
  const { data: parameters } = useQuery(useNetworkQueries().parameters());
  const nowMs = useNow(1_000);
  const tipMs = status === undefined ? undefined : toMilliseconds(status.sync.tip_time);
  const isFollowing = sync.kind === "live" && status?.sync.state === "live";
  return (
    <section className={classNames(styles.card, styles.next)} aria-label={t("explorer.nextBlock.title")}>
      <span className={styles.height}>{status === undefined ? "…" : new Intl.NumberFormat(locale).format(status.sync.height + 1)}</span>
      <span>{t("explorer.nextBlock.title")}</span>
      {status === undefined || tipMs === undefined || !isFollowing ? (
        <span className={shared.muted}>{t(AWAY[sync.kind] ?? "explorer.nextBlock.notFollowing")}</span>
      ) : (
        <>
          <span className={shared.muted}>{t("explorer.nextBlock.waiting", { count: status.pending_txs })}</span>
          <span className={shared.muted}>
            {timeWords(
              t,
              expectNextBlock({ tipMs, waiting: status.pending_txs, heartbeatMs: parameters?.params.heartbeat_interval_ms }, nowMs),
            )}
          </span>
        </>
      )}
    </section>
  );
}

function timeWords(t: Translate, next: NextBlock): string {
  switch (next.kind) {
    case "now":
      return t("explorer.nextBlock.now");
    case "in":
      return t("explorer.nextBlock.in", { time: formatCountdown(next.seconds) });
    case "open":
      return t("explorer.nextBlock.open");
  }
}
