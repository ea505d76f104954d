// The series of charts: sums by the hour and by the day, checked by a simple count over the blocks themselves.
import { describe, expect, it } from "vitest";
import { Explorer } from "#node/explorer/explorer.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, bob, START_MS, signed } from "#test/support/worlds/ledger-world.ts";

const HOUR_MS = 3_600_000;
const SEED = 20_260_101;

async function withChain(work: (chain: TestChain, explorer: Explorer) => void): Promise<void> {
  await using folder = await createTemporaryFolder();
  using chain = openTestChain(folder.path, { verify: () => true });
  work(chain, new Explorer(chain.database));
}

const pay = (amount: number, nowMs: number): Transaction => signed(alice, { type: "TRANSFER", to: bob.pub, amount, payload: {}, nowMs });
const starts = (buckets: readonly { readonly startMs: number }[]): readonly number[] =>
  buckets.map(({ startMs }) => (startMs - START_MS) / HOUR_MS);

/** The same series from the list of blocks. */
function counted(explorer: Explorer, bucketMs: number, limit: number): unknown {
  const blocks = explorer.listBlocks(10_000).filter(({ height }) => height > 0);
  const bucketOf = (timeMs: number): number => Math.floor(timeMs / bucketMs);
  const newest = bucketOf(blocks[0]?.timeMs ?? 0);
  const oldest = Math.max(newest - limit + 1, bucketOf(blocks.at(-1)?.timeMs ?? 0));
  return Array.from({ length: newest - oldest + 1 }, (_, i) => {
    const own = blocks.filter(({ timeMs }) => bucketOf(timeMs) === oldest + i);
    const gaps = own.filter(({ height }) => height > 1).map((block) => block.timeMs - (explorer.getBlock(block.height - 1)?.timeMs ?? 0));
    const transactions = own.flatMap(({ height }) => explorer.getBlock(height)?.transactions ?? []);
    return {
      startMs: (oldest + i) * bucketMs,
      blocks: own.length,
      transactions: transactions.length,
      failed: transactions.filter(({ isOk }) => !isOk).length,
      feesUt: own.reduce((sum, { totalFeesUt }) => sum + totalFeesUt, 0),
      avgBlockTimeMs: gaps.length === 0 ? undefined : gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length,
    };
  });
}

describe("the series of charts", () => {
  it("is empty while there is only genesis", () =>
    withChain((_chain, explorer) => {
      expect(explorer.chart(1, 48)).toEqual([]);
      expect(explorer.chart(24, 48)).toEqual([]);
    }));

  it("sums what the blocks of an hour held, rewards left out", () =>
    withChain((chain, explorer) => {
      chain.commit([pay(1, START_MS), pay(2, START_MS)], START_MS + 1_000);
      chain.commit([pay(999_999_999, START_MS)], START_MS + 5_000);
      chain.commit([], START_MS + HOUR_MS - 1);
      chain.commit([pay(3, START_MS + HOUR_MS)], START_MS + HOUR_MS);
      expect(explorer.chart(1, 48)).toEqual([
        { startMs: START_MS, blocks: 3, transactions: 3, failed: 1, feesUt: 3_000, avgBlockTimeMs: (HOUR_MS - 1 - 1_000) / 2 },
        { startMs: START_MS + HOUR_MS, blocks: 1, transactions: 1, failed: 0, feesUt: 1_000, avgBlockTimeMs: 1 },
      ]);
      expect(explorer.chart(24, 1)).toEqual([
        { startMs: START_MS, blocks: 4, transactions: 4, failed: 1, feesUt: 4_000, avgBlockTimeMs: (HOUR_MS - 1_000) / 3 },
      ]);
    }));

  it("knows no block time of the first block alone, and starts with its bucket", () =>
    withChain((chain, explorer) => {
      chain.commit([], START_MS + 30 * HOUR_MS);
      const bucket = { blocks: 1, transactions: 0, failed: 0, feesUt: 0, avgBlockTimeMs: undefined };
      expect(explorer.chart(1, 48)).toEqual([{ startMs: START_MS + 30 * HOUR_MS, ...bucket }]);
      expect(explorer.chart(24, 48)).toEqual([{ startMs: START_MS + 24 * HOUR_MS, ...bucket }]);
    }));

  it("has no holes and ends with the newest block's bucket, however many are asked for", () =>
    withChain((chain, explorer) => {
      for (const hour of [0.5, 3.5, 25.5, 73.5]) chain.commit([], START_MS + hour * HOUR_MS);
      const upTo = (from: number, to: number, step: number): readonly number[] =>
        Array.from({ length: (to - from) / step + 1 }, (_, i) => from + i * step);
      expect(starts(explorer.chart(1, 720))).toEqual(upTo(0, 73, 1));
      expect(starts(explorer.chart(24, 720))).toEqual([0, 24, 48, 72]);
      expect(starts(explorer.chart(24, 2))).toEqual([48, 72]);
      expect(starts(explorer.chart(24, 3))).toEqual([24, 48, 72]);
      expect(explorer.chart(1, 720).filter(({ blocks }) => blocks > 0)).toHaveLength(4);
      expect(explorer.chart(24, 3)[1]).toMatchObject({ blocks: 0, transactions: 0, feesUt: 0, avgBlockTimeMs: undefined });
    }));

  it("says what a count over the blocks says, after rollbacks too", () =>
    withChain((chain, explorer) => {
      const random = createRandom(SEED);
      const grow = (): void => {
        const timeMs = chain.executor.tip().timeMs + random.between(1, 3 * HOUR_MS);
        const amounts = Array.from({ length: random.between(0, 3) }, () => (random.between(0, 3) === 0 ? 999_999_999 : 1));
        chain.commit(
          amounts.map((amount) => pay(amount, timeMs)),
          timeMs,
        );
      };
      const check = (): void => {
        for (const limit of [1, 5, 720]) {
          expect(explorer.chart(1, limit)).toEqual(counted(explorer, HOUR_MS, limit));
          expect(explorer.chart(24, limit)).toEqual(counted(explorer, 24 * HOUR_MS, limit));
        }
      };
      for (let i = 0; i < 40; i += 1) grow();
      check();
      for (const height of [39, 25, 7, 1]) {
        chain.database.rollback(height);
        check();
      }
      chain.database.rollback(0);
      expect(explorer.chart(1, 720)).toEqual([]);
    }));
});
