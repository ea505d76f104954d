// The figures that move: height, transactions, time between blocks, supply.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement, ReactNode } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Skeleton } from "#renderer/components/feedback/skeleton.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { transactionsLabel } from "#renderer/lib/format/counted-from.ts";
import { formatDuration } from "#renderer/lib/format/time.ts";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import styles from "../node.module.css";

/** Four tiles. */
export function NodeFigures(props: { readonly status: NodeStatus }): ReactElement {
  const { t, locale } = useLanguage();
  const { data: stats } = useQuery(useNodeQueries().netstats());
  const number = new Intl.NumberFormat(locale);
  return (
    <dl className={styles.figures}>
      <Figure label={t("node.height")} value={number.format(props.status.sync.height)} />
      <Figure label={transactionsLabel(t, stats)} value={stats && number.format(stats.total_txs)} />
      <Figure
        label={t("node.blockTime")}
        value={stats && (stats.avg_block_time_ms === 0 ? "–" : formatDuration(locale, stats.avg_block_time_ms))}
      />
      <Figure label={t("node.supply")} value={stats && <Amount amountUt={stats.total_supply_ut} isLive />} />
    </dl>
  );
}

function Figure(props: { readonly label: string; readonly value: ReactNode }): ReactElement {
  return (
    <div className={styles.figure}>
      <dt className={shared.muted}>{props.label}</dt>
      <dd className={styles.figureValue}>{props.value ?? <Skeleton width="4rem" height="1.25rem" />}</dd>
    </div>
  );
}
