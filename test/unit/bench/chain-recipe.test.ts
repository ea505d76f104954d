import { describe, expect, it } from "vitest";
import { FULL_BLOCK_TXS, planBlocks, planSpanMs, SMALL_BLOCK_TXS } from "../../bench/chain/chain-recipe.ts";

const RECIPE = { transactions: 10_050, accounts: 300 };

describe("planBlocks", () => {
  const blocks = [...planBlocks(RECIPE)];
  const transfers = blocks.flatMap((block) => block.transfers);

  it("has as many transfers as the recipe, first one to every account", () => {
    expect(transfers).toHaveLength(RECIPE.transactions);
    expect(transfers.slice(0, 300).map(({ from, to }) => [from, to])).toEqual(Array.from({ length: 300 }, (_, n) => ["treasury", n]));
    expect(transfers.slice(300).every(({ from, to }) => from !== "treasury" && from < 300 && to < 300)).toBe(true);
  });

  it("ends in small blocks", () => {
    const sizes = blocks.map((block) => block.transfers.length);
    expect(sizes.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => FULL_BLOCK_TXS));
    expect(sizes.slice(5, -1).every((size) => size === SMALL_BLOCK_TXS)).toBe(true);
    expect(blocks.reduce((sum, { afterMs }) => sum + afterMs, 0)).toBeLessThanOrEqual(planSpanMs(RECIPE));
  });

  it("is the same each time", () => {
    expect([...planBlocks(RECIPE)]).toEqual(blocks);
  });
});
