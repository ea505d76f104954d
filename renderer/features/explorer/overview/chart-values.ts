// What the charts of the explorer show: values by block, by hour or by day, at places of a time axis or of heights.
import type { BlockSummary, Chart, ChartResolution } from "#shared/api/schemas/chain.ts";
import { UT_PER_T } from "#shared/protocol/primitives/limits.ts";

/** What one place of the axis stands for. */
export type ChartInterval = "block" | ChartResolution;

/** One value of each series. */
export interface ChartValues {
  /** Unix seconds of a bucket's start, or a height. */
  readonly position: number;
  /** When it begins, milliseconds since 1970. */
  readonly startMs: number;
  readonly transactions: number;
  /** Seconds; null where no block has another one before it. */
  readonly blockTime: number | null;
  /** T. */
  readonly fees: number;
}

const MS = 1_000;
/** A chain of fewer hours has more to show by block. */
const HOURS_OF_A_YOUNG_CHAIN = 6;

/** The interval that is shown until another one is chosen. */
export function fittingInterval(hours: Chart["buckets"]): ChartInterval {
  return hours.length < HOURS_OF_A_YOUNG_CHAIN ? "block" : "hour";
}

export function valuesOfBuckets(buckets: Chart["buckets"]): readonly ChartValues[] {
  return buckets.map(({ start, transactions, avg_block_time_ms: timeMs, fees_ut: feesUt }) => {
    const startMs = Date.parse(start);
    const blockTime = timeMs === undefined ? null : timeMs / MS;
    return { position: startMs / MS, startMs, transactions, blockTime, fees: feesUt / UT_PER_T };
  });
}

/** Of blocks without gaps, oldest first. Genesis is made long before its network starts, so the time after it says nothing. */
export function valuesOfBlocks(blocks: readonly BlockSummary[]): readonly ChartValues[] {
  return blocks.map(({ index, time, tx_count: transactions, total_fees_ut: feesUt }, place) => {
    const startMs = Date.parse(time);
    const parent = blocks[place - 1];
    const blockTime = parent === undefined || parent.index === 0 ? null : (startMs - Date.parse(parent.time)) / MS;
    return { position: index, startMs, transactions, blockTime, fees: feesUt / UT_PER_T };
  });
}
