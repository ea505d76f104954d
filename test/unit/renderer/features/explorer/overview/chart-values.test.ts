// What charts show by block, hour and day.
import { describe, expect, it } from "vitest";
import { fittingInterval, valuesOfBlocks, valuesOfBuckets } from "#renderer/features/explorer/overview/chart-values.ts";
import type { BlockSummary, Chart } from "#shared/api/schemas/chain.ts";

const block = (index: number, second: number, txCount = 0, feesUt = 0): BlockSummary => ({
  index,
  hash: "",
  time: new Date(second * 1_000).toISOString(),
  validator: "",
  tx_count: txCount,
  total_fees_ut: feesUt,
});

const bucket = (hour: number): Chart["buckets"][number] => ({
  start: new Date(hour * 3_600_000).toISOString(),
  blocks: 2,
  transactions: 3,
  failed: 0,
  fees_ut: 1_500_000,
});

describe("values of charts", () => {
  it("are those of each block, with the time since its parent", () => {
    expect(valuesOfBlocks([block(7, 100), block(8, 102, 3, 3_000), block(9, 107)])).toEqual([
      { position: 7, startMs: 100_000, transactions: 0, blockTime: null, fees: 0 },
      { position: 8, startMs: 102_000, transactions: 3, blockTime: 2, fees: 0.003 },
      { position: 9, startMs: 107_000, transactions: 0, blockTime: 5, fees: 0 },
    ]);
  });

  it("leave out the time between genesis and the first block", () => {
    expect(valuesOfBlocks([block(0, 0), block(1, 900_000), block(2, 900_004)]).map(({ blockTime }) => blockTime)).toEqual([null, null, 4]);
  });

  it("are those of each bucket, without a block time where none is known", () => {
    const [first, second] = valuesOfBuckets([bucket(1), { ...bucket(2), avg_block_time_ms: 2_500 }]);
    expect(first).toEqual({ position: 3_600, startMs: 3_600_000, transactions: 3, blockTime: null, fees: 1.5 });
    expect(second?.blockTime).toBe(2.5);
  });

  it("are shown by block while the chain has few hours", () => {
    const hours = (count: number): Chart["buckets"] => Array.from({ length: count }, (_, hour) => bucket(hour));
    expect([0, 1, 5].map((count) => fittingInterval(hours(count)))).toEqual(["block", "block", "block"]);
    expect([6, 48].map((count) => fittingInterval(hours(count)))).toEqual(["hour", "hour"]);
  });
});
