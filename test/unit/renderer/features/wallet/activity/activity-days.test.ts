// How the activity is listed: days, months with their sums, and never a sum of a part.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ActivityListRow, listByDay } from "#renderer/features/wallet/activity/activity-days.ts";
import type { ActivityItem } from "#renderer/features/wallet/activity/activity-item.ts";

const all = { isUnfiltered: true, hasMore: false };
let made = 0;

/** Noon of a day in 2026 by the local time zone. */
function item(month: number, day: number, changes: Partial<ActivityItem> = {}): ActivityItem {
  made += 1;
  const state = { kind: "inBlock" as const, blockIndex: 1 };
  const timeMs = new Date(2026, month - 1, day, 12).getTime();
  return { id: `tx${made}`, kind: "transfer", direction: "in", peer: "aa", amountUt: 10, feeUt: 0, timeMs, state, ...changes };
}

const kinds = (items: readonly ActivityItem[], options = all): string =>
  listByDay(items, options)
    .map(({ kind }) => kind[0])
    .join("");
const sumsOf = (items: readonly ActivityItem[], options = all): unknown[] =>
  listByDay(items, options).flatMap((row) => (row.kind === "month" ? [row.sums] : []));

describe("the activity", () => {
  it("has a heading a day", () => {
    expect(kinds([item(11, 28), item(11, 28), item(11, 27)])).toBe("diidi");
  });

  it("has sums of each month, fees included, where there is more than one", () => {
    const paid = item(11, 2, { direction: "out", amountUt: 5, feeUt: 1 });
    const toSelf = item(11, 1, { direction: "self", amountUt: 100, feeUt: 2 });
    expect(kinds([item(11, 3), paid, toSelf, item(10, 9)])).toBe("mdididimdi");
    expect(sumsOf([item(11, 3), paid, toSelf, item(10, 9)])).toEqual([
      { receivedUt: 10, spentUt: 8 },
      { receivedUt: 10, spentUt: 0 },
    ]);
    expect(sumsOf([item(11, 3), paid])).toEqual([]);
  });

  it("has no sums of a month that may go on, nor of a part that was searched for", () => {
    const items = [item(11, 3), item(10, 9)];
    expect(sumsOf(items, { ...all, hasMore: true })).toHaveLength(1);
    expect(sumsOf(items, { ...all, isUnfiltered: false })).toEqual([]);
  });

  it("counts neither what waits for a block nor what never came into one; of what failed the fee", () => {
    const waiting = item(11, 4, { direction: "out", amountUt: 7, feeUt: 1, state: { kind: "submitted" } });
    const expired = item(11, 3, { direction: "out", amountUt: 7, feeUt: 1, state: { kind: "expired" } });
    const failed = item(11, 2, { direction: "out", amountUt: 0, feeUt: 3, state: { kind: "failed", blockIndex: 2, reason: "" } });
    expect(sumsOf([waiting, expired, failed, item(10, 1)])[0]).toEqual({ receivedUt: 0, spentUt: 3 });
  });

  it("has one row for neighbouring entries of setting up, with their fees, that opens", () => {
    const setUp = (kind: ActivityItem["kind"], day: number, changes: Partial<ActivityItem> = {}): ActivityItem =>
      item(11, day, { kind, direction: "self", peer: undefined, amountUt: 0, feeUt: 2, ...changes });
    const items = [setUp("linkDevice", 5), item(11, 5), setUp("registerKey", 5), setUp("linkDevice", 5), setUp("registerKey", 4)];
    const rows = (openSetUps?: ReadonlySet<string>): ReturnType<typeof listByDay> =>
      listByDay(items, openSetUps === undefined ? all : { ...all, openSetUps });
    expect(rows().some(({ kind }) => kind === "setUp")).toBe(false);
    const closed = rows(new Set());
    expect(closed.map(({ kind }) => kind[0]).join("")).toBe("diisdi");
    const group = closed.find((row) => row.kind === "setUp");
    expect(group).toMatchObject({ ids: [items[2]?.id, items[3]?.id], feesUt: 4, isOpen: false, key: `set-up ${items[3]?.id}` });
    const open = rows(new Set(group?.ids));
    expect(open.flatMap((row) => (row.kind === "item" ? [row.item] : []))).toEqual(items);
    expect(open.filter((row) => row.kind === "item" && row.isInner).map(({ key }) => key)).toEqual([items[2]?.id, items[3]?.id]);
  });

  it("stays open when older entries of it are loaded, and newer ones come", () => {
    const setUp = (): ActivityItem => item(11, 5, { kind: "linkDevice", direction: "self", amountUt: 0, feeUt: 2 });
    const [newer, first, second, older] = [setUp(), setUp(), setUp(), setUp()];
    const groupOf = (
      items: readonly ActivityItem[],
      openSetUps: ReadonlySet<string>,
    ): Extract<ActivityListRow, { kind: "setUp" }> | undefined =>
      listByDay(items, { ...all, openSetUps }).find((row) => row.kind === "setUp");
    const opened = new Set(groupOf([first, second], new Set())?.ids);
    expect(groupOf([newer, first, second, older], opened)).toMatchObject({ isOpen: true, ids: { length: 4 } });
  });

  it("groups nothing of setting up that waits, failed or is of someone else", () => {
    const own = { kind: "linkDevice", direction: "self", amountUt: 0, feeUt: 2 } as const;
    const failed = item(11, 5, { ...own, state: { kind: "failed", blockIndex: 1, reason: "" } });
    const waiting = item(11, 5, { ...own, state: { kind: "submitted" } });
    const items = [waiting, item(11, 5, own), failed, item(11, 5, own), item(11, 5, { ...own, direction: "in" })];
    expect(
      listByDay(items, { ...all, openSetUps: new Set() })
        .map(({ kind }) => kind[0])
        .join(""),
    ).toBe("diiiii");
  });

  it("keeps every entry once and in order, and has no key twice, whatever the times", () => {
    const anyItem = fc.record({ month: fc.integer({ min: 9, max: 11 }), day: fc.integer({ min: 1, max: 28 }) });
    fc.assert(
      fc.property(fc.array(anyItem, { maxLength: 40 }), fc.boolean(), (days, hasMore) => {
        const items = days.map(({ month, day }) => item(month, day));
        const rows = listByDay(items, { isUnfiltered: true, hasMore });
        expect(rows.flatMap((row) => (row.kind === "item" ? [row.item] : []))).toEqual(items);
        expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
      }),
    );
  });
});
