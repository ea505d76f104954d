import { describe, expect, it } from "vitest";
import type { HistoryPage } from "#renderer/lib/node/account-pages.ts";
import { findOnPage } from "#renderer/lib/transactions/find-pending.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";

const NOW = Date.UTC(2026, 10, 22, 12);

function page(hasMore: boolean, ...times: readonly number[]): HistoryPage {
  const transactions = times.map((time, index) => ({ id: `t${index}`, time: new Date(time).toISOString() }));
  return { transactions, has_more: hasMore, next_offset: times.length } as unknown as HistoryPage;
}

describe("a pending transaction on the newest page", () => {
  it("is found with its entry", () => {
    expect(findOnPage(page(true, NOW, NOW - 1_000), "t1", NOW)).toMatchObject({ kind: "found", entry: { id: "t1" } });
  });

  it("is missing where the page is the whole history, or reaches back to before it was made", () => {
    expect(findOnPage(page(false), "x", NOW)).toEqual({ kind: "missing" });
    expect(findOnPage(page(false, NOW), "x", NOW)).toEqual({ kind: "missing" });
    expect(findOnPage(page(true, NOW, NOW - 3 * TX_WINDOW_MS), "x", NOW)).toEqual({ kind: "missing" });
  });

  it("is unknown where the page ends because the node lacks older blocks", () => {
    expect(findOnPage({ ...page(false, NOW), missing_below: 9 }, "x", NOW)).toEqual({ kind: "unknown" });
    expect(findOnPage({ ...page(false), missing_below: 9 }, "x", NOW)).toEqual({ kind: "unknown" });
    expect(findOnPage({ ...page(false, NOW - 3 * TX_WINDOW_MS), missing_below: 9 }, "x", NOW)).toEqual({ kind: "missing" });
  });

  it("is unknown where the account has had a page of newer ones since", () => {
    expect(findOnPage(page(true, NOW, NOW - TX_WINDOW_MS), "x", NOW)).toEqual({ kind: "unknown" });
  });
});
