// How large a proposer makes its blocks, by what became of its earlier ones.
import { describe, expect, it } from "vitest";
import { BLOCK_GROWTH_BYTES, BlockBudget, LEAST_BLOCK_BYTES } from "#node/engine/inbound/block-budget.ts";
import { MAX_BLOCK_BYTES } from "#shared/protocol/primitives/limits.ts";

const OWN = "aa".repeat(32);
const OTHER = "bb".repeat(32);
const SLOW_MS = 3_000;

function commit(height: number, blockHash: string): Parameters<BlockBudget["decided"]>[0] {
  return { height, round: 0, blockHash, bitmap: new Uint8Array(), signatures: [] };
}

describe("the bytes of own blocks", () => {
  it("are as many as allowed at first", () => {
    expect(new BlockBudget(SLOW_MS).bytes).toBe(MAX_BLOCK_BYTES);
  });

  it.each([
    ["was decided too late", commit(5, OWN), SLOW_MS + 1],
    ["gave way to another block", commit(5, OTHER), 10],
    ["was overtaken by later heights", commit(9, OTHER), 10],
  ])("are halved after a full block that %s", (_, decision, nowMs) => {
    const budget = new BlockBudget(SLOW_MS);
    budget.proposed({ height: 5, blockHash: OWN, bytes: MAX_BLOCK_BYTES, sentMs: 0 });
    budget.decided(decision, nowMs);
    expect(budget.bytes).toBe(MAX_BLOCK_BYTES / 2);
  });

  it("fall with every round that fails, to no less than the least", () => {
    const budget = new BlockBudget(SLOW_MS);
    for (let round = 0; round < 20; round += 1) budget.proposed({ height: 5, blockHash: OWN, bytes: budget.bytes, sentMs: 0 });
    expect(budget.bytes).toBe(LEAST_BLOCK_BYTES);
  });

  it("grow slowly again with blocks that are quick", () => {
    const budget = new BlockBudget(SLOW_MS);
    budget.proposed({ height: 1, blockHash: OWN, bytes: MAX_BLOCK_BYTES, sentMs: 0 });
    budget.decided(commit(1, OTHER), 10);
    const start = budget.bytes;
    for (let height = 2; height < 40; height += 1) {
      budget.proposed({ height, blockHash: OWN, bytes: 5_000, sentMs: 0 });
      budget.decided(commit(height, OWN), SLOW_MS);
      expect(budget.bytes).toBe(Math.min(MAX_BLOCK_BYTES, start + (height - 1) * BLOCK_GROWTH_BYTES));
    }
    expect(budget.bytes).toBe(MAX_BLOCK_BYTES);
  });

  it("are judged by no small block, no block of others and no decision of an earlier height", () => {
    const budget = new BlockBudget(SLOW_MS);
    budget.decided(commit(4, OTHER), 10);
    budget.proposed({ height: 5, blockHash: OWN, bytes: 2_000, sentMs: 0 });
    budget.decided(commit(4, OTHER), 10);
    budget.decided(commit(5, OTHER), 10);
    budget.decided(commit(6, OTHER), 1e9);
    expect(budget.bytes).toBe(MAX_BLOCK_BYTES);
  });
});
