// The chain in five numbers.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement, ReactNode } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Skeleton } from "#renderer/components/feedback/skeleton.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { transactionsLabel } from "#renderer/lib/format/counted-from.ts";
import { formatDuration } from "#renderer/lib/format/time.ts";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import styles from "./network-stats.module.css";

/** Below this, seconds need a decimal to say something. */
const SHORT_MS = 60_000;

/** The row of numbers. */
export function NetworkStats(): ReactElement | null {
  const { locale, t } = useLanguage();
  const { data, error } = useQuery(useNodeQueries().netstats());
  if (data === undefined && error !== null) return null;
  const number = (value: number, digits = 0): string => new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value);
  const stats: readonly (readonly [string, ReactNode])[] = [
    [t("node.height"), data && number(data.height)],
    [transactionsLabel(t, data), data && number(data.total_txs)],
    [t("explorer.statBlockTime"), data && blockTime(locale, data.avg_block_time_ms)],
    [t("explorer.statRate"), data && number(data.tps, 2)],
    [t("explorer.statSupply"), data && <Amount amountUt={data.total_supply_ut} isLive />],
  ];
  return (
    <dl className={styles.stats}>
      {stats.map(([label, value]) => (
        <div key={label} className={styles.stat}>
          <dt className={shared.caption}>{label}</dt>
          <dd className={styles.value}>{value ?? <Skeleton width="4rem" height="1.25rem" />}</dd>
        </div>
      ))}
    </dl>
  );
}

function blockTime(locale: string, timeMs: number): string {
  if (timeMs >= SHORT_MS) return formatDuration(locale, timeMs);
  return new Intl.NumberFormat(locale, { style: "unit", unit: "second", unitDisplay: "short", maximumFractionDigits: 1 }).format(
    timeMs / 1_000,
  );
}
