// What may go: never what the node, joining nodes, light nodes or evidence need, whatever was set.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LEAST_RETAINED_BLOCKS } from "#node/config/retention.ts";
import { type AgedChain, LEAST_BLOCKS, retentionBorder } from "#node/storage/history/sealing/retention-border.ts";
import { firstProposerHeight } from "#shared/protocol/chain/proposers.ts";
import { RETENTION_S, SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";

const DAY_MS = 86_400_000;
const HEADERS_MS = RETENTION_S * 1_000;
const START_MS = Date.UTC(2026, 0, 1);
const others = { snapshots: [], headersMs: HEADERS_MS };

/** A chain with a block after each of so many ms. */
function chainOf(tip: number, blockMs: number, firstHeader = 0): AgedChain {
  return { tip, firstHeader, timeMsAt: (height) => (height < firstHeader || height > tip ? undefined : START_MS + height * blockMs) };
}

describe("the border of old blocks", () => {
  it("is where the days or blocks end, and a run is an eighth of that at most", () => {
    const chain = chainOf(10_000_000, 1_000);
    expect(retentionBorder({ days: 30 }, chain, others)).toMatchObject({ bodiesFrom: 10_000_000 - 30 * 86_400 + 1, maxRunBlocks: 324_000 });
    expect(retentionBorder({ blocks: 800_000 }, chain, others)).toMatchObject({ bodiesFrom: 9_200_001, maxRunBlocks: 100_000 });
    // Fewer days of transactions than of headers.
    const { bodiesFrom, headersFrom } = retentionBorder({ days: 3 }, chain, others);
    expect([bodiesFrom, headersFrom]).toEqual([10_000_000 - 3 * 86_400 + 1, 10_000_000 - 21 * 86_400 + 1]);
  });

  it("is 0 on a chain that is younger", () => {
    expect(retentionBorder({ days: 30 }, chainOf(2_000_000, 1_000), others)).toMatchObject({ bodiesFrom: 0, headersFrom: 0 });
    expect(retentionBorder({ blocks: 5_000 }, chainOf(900, 1_000), others)).toMatchObject({ bodiesFrom: 0, headersFrom: 0 });
    expect(retentionBorder({ days: 1 }, chainOf(0, 1_000), others)).toMatchObject({ bodiesFrom: 0, headersFrom: 0 });
  });

  it("leaves the two hours and the blocks that states for others need", () => {
    const chain = chainOf(1_000_000, 500);
    const two = SEEN_WINDOW_MS / 500;
    expect(retentionBorder({ blocks: LEAST_BLOCKS }, chain, others).bodiesFrom).toBe(1_000_000 - 128 - two + 1);
    const snapshots = [999_000, 700_000];
    const border = retentionBorder({ blocks: LEAST_BLOCKS }, chain, { ...others, snapshots });
    expect(border.bodiesFrom).toBe(700_000 - two + 1);
    expect(border.headersFrom).toBe(0);
    const short = retentionBorder({ blocks: LEAST_BLOCKS }, chain, { snapshots, headersMs: 1 });
    expect(short.headersFrom).toBe(Math.min(700_000 - two + 1 - 1_024, firstProposerHeight(700_001) - 1_024));
    // The order of proposers of a block that may come back begins before the blocks that stay.
    const tip = 128 + 101 * 8_192 - 2;
    const rollback = retentionBorder({ blocks: LEAST_BLOCKS }, chainOf(tip, 3_600_000), { snapshots: [], headersMs: 1 });
    expect(rollback.headersFrom).toBe(100 * 8_192 - 1_024);
    expect(rollback.headersFrom).toBe(firstProposerHeight(tip - 128 + 1) - 1_024);
    expect(rollback.headersFrom).toBeLessThan(rollback.bodiesFrom - 1_024);
  });

  it("never takes what is needed, on any chain", () => {
    expect(LEAST_RETAINED_BLOCKS).toBe(LEAST_BLOCKS);
    const chains = fc.record({
      tip: fc.integer({ min: 0, max: 3_000_000 }),
      blockMs: fc.integer({ min: 1, max: 3_600_000 }),
      firstHeader: fc.integer({ min: 0, max: 1_000 }),
      retention: fc.oneof(
        fc.record({ days: fc.integer({ min: 1, max: 400 }) }),
        fc.record({ blocks: fc.integer({ min: LEAST_BLOCKS, max: 2_000_000 }) }),
      ),
      snapshotShare: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(chains, ({ tip, blockMs, firstHeader, retention, snapshotShare }) => {
        const chain = chainOf(tip, blockMs, Math.min(firstHeader, tip));
        const snapshot = Math.floor(tip * snapshotShare);
        const { bodiesFrom, headersFrom } = retentionBorder(retention, chain, { snapshots: [snapshot], headersMs: HEADERS_MS });
        const age = (height: number): number => (tip - height) * blockMs;
        expect(headersFrom).toBeLessThanOrEqual(bodiesFrom);
        if (bodiesFrom === 0 || bodiesFrom === chain.firstHeader) return;
        const gone = bodiesFrom - 1;
        expect(tip - gone).toBeGreaterThanOrEqual(LEAST_BLOCKS);
        expect(age(gone)).toBeGreaterThanOrEqual(SEEN_WINDOW_MS);
        expect("days" in retention ? age(gone) >= retention.days * DAY_MS : tip - gone >= retention.blocks).toBe(true);
        expect(gone).toBeLessThan(snapshot);
        expect((snapshot - gone) * blockMs).toBeGreaterThanOrEqual(SEEN_WINDOW_MS);
        if (headersFrom === 0 || headersFrom <= chain.firstHeader) return;
        expect(age(headersFrom - 1)).toBeGreaterThanOrEqual(HEADERS_MS);
        expect(headersFrom).toBeLessThan(firstProposerHeight(snapshot + 1));
      }),
    );
  });
});
