// The pages of a history and what arrives in front of them.
import { describe, expect, it } from "vitest";
import { entriesOf, type HistoryPage, type HistoryPages, missingBelowOf, withNewest } from "#renderer/lib/node/account-pages.ts";
import type { TransactionEntry } from "#shared/api/schemas/chain.ts";

/** Entries from the newer to the older height. */
function page(newest: number, oldest: number): HistoryPage {
  const transactions = Array.from({ length: newest - oldest + 1 }, (_, index) => {
    const height = newest - index;
    return { id: `id-${height}`, block_index: height } as TransactionEntry;
  });
  return { transactions, has_more: oldest > 1, next_offset: transactions.length };
}

const heightsOf = (pages: HistoryPages): readonly number[] => entriesOf(pages).map(({ block_index }) => block_index ?? 0);
const down = (newest: number, oldest: number): readonly number[] =>
  Array.from({ length: newest - oldest + 1 }, (_, index) => newest - index);

describe("the pages of a history", () => {
  const loaded: HistoryPages = { pages: [page(20, 16), page(15, 11)], pageParams: [0, 5] };

  it("begin with the newest page", () => {
    expect(heightsOf(withNewest(undefined, page(20, 16)))).toEqual(down(20, 16));
  });

  it("stay the same object when nothing is new", () => {
    expect(withNewest(loaded, page(20, 16))).toBe(loaded);
  });

  it("have in front of them what is new, and lose nothing behind it", () => {
    expect(heightsOf(withNewest(loaded, page(23, 19)))).toEqual(down(23, 11));
    expect(heightsOf(withNewest(withNewest(loaded, page(23, 19)), page(24, 20)))).toEqual(down(24, 11));
  });

  it("start again where something between them and the newest page is unknown", () => {
    expect(heightsOf(withNewest(loaded, page(30, 26)))).toEqual(down(30, 26));
    expect(heightsOf(withNewest(loaded, page(25, 21)))).toEqual(down(25, 21));
  });

  it("start again after an empty history", () => {
    expect(heightsOf(withNewest({ pages: [{ transactions: [], has_more: false, next_offset: 0 }], pageParams: [0] }, page(1, 1)))).toEqual([
      1,
    ]);
  });

  it("say what is missing behind the last of them, and start again once the node has more", () => {
    const cut = (missingBelow: number): HistoryPage => ({ ...page(20, 16), has_more: false, missing_below: missingBelow });
    const pages = withNewest(undefined, cut(14));
    expect(missingBelowOf(pages)).toBe(14);
    expect(withNewest(pages, cut(14))).toBe(pages);
    expect(missingBelowOf(withNewest(pages, cut(7)))).toBe(7);
    const whole = withNewest(pages, page(20, 16));
    expect([missingBelowOf(whole), whole.pages[0]?.has_more]).toEqual([undefined, true]);
    expect(missingBelowOf(loaded)).toBeUndefined();
  });

  it("name each entry once where pages overlap that were counted before and after an arrival", () => {
    const shifted: HistoryPages = { pages: [page(21, 16), page(16, 12)], pageParams: [0, 5] };
    expect(heightsOf(shifted)).toEqual(down(21, 12));
  });

  it("keep a reward apart from another with the same id", () => {
    const twice: HistoryPage = {
      ...page(2, 1),
      transactions: [2, 1].map((height) => ({ id: "same", block_index: height }) as TransactionEntry),
    };
    expect(heightsOf({ pages: [twice], pageParams: [0] })).toEqual([2, 1]);
  });
});
