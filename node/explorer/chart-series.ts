// The series of a chart: equal buckets without holes up to the newest block's.
import type { ChartBucket as BucketSums, ChartRepository } from "#node/storage/explorer/chart-repository.ts";

/** What the blocks of one bucket held. */
export interface ChartBucket extends Pick<BucketSums, "blocks" | "transactions" | "failed" | "feesUt"> {
  readonly startMs: number;
  /** Undefined when no block of the bucket follows another one than genesis. */
  readonly avgBlockTimeMs: number | undefined;
}

const HOUR_MS = 3_600_000;
const NOTHING = { blocks: 0, transactions: 0, failed: 0, feesUt: 0, gaps: 0, gapMs: 0 };

/** The newest buckets of so many hours, oldest first; none before the first block's. */
export function chartSeries(charts: Pick<ChartRepository, "range" | "buckets">, hours: number, limit: number): readonly ChartBucket[] {
  const range = charts.range();
  if (range === undefined) return [];
  const bucketOf = (hour: number): number => Math.floor(hour / hours);
  const newest = bucketOf(range.lastHour);
  const oldest = Math.max(bucketOf(range.firstHour), newest - limit + 1);
  const sums = new Map(charts.buckets(oldest * hours, hours).map((bucket) => [bucketOf(bucket.hour), bucket]));
  return Array.from({ length: newest - oldest + 1 }, (_, i) => {
    const { blocks, transactions, failed, feesUt, gaps, gapMs } = sums.get(oldest + i) ?? NOTHING;
    const avgBlockTimeMs = gaps === 0 ? undefined : gapMs / gaps;
    return { startMs: (oldest + i) * hours * HOUR_MS, blocks, transactions, failed, feesUt, avgBlockTimeMs };
  });
}

/** True where such a series begins with the first block that is counted. */
export function reachesBack(charts: Pick<ChartRepository, "range">, hours: number, limit: number): boolean {
  const range = charts.range();
  return range !== undefined && Math.floor(range.lastHour / hours) - limit + 1 <= Math.floor(range.firstHour / hours);
}
