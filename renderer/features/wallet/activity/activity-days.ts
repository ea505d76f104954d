// The activity as it is listed: months with their sums, days, and entries below them.
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { type ActivityItem, balanceChange } from "./activity-item.ts";

/** What one month did to the balance, fees included. */
export interface MonthSums {
  readonly receivedUt: AmountUt;
  readonly spentUt: AmountUt;
}

/** One row of the list. `startMs` is a moment of the month or day. */
export type ActivityListRow =
  | { readonly kind: "month"; readonly key: string; readonly startMs: number; readonly sums: MonthSums }
  | { readonly kind: "day"; readonly key: string; readonly startMs: number }
  | { readonly kind: "item"; readonly key: string; readonly item: ActivityItem };

export interface ActivityDaysOptions {
  /** True for everything that happened to the account: parts of a month have no sums. */
  readonly isUnfiltered: boolean;
  /** True while older entries are not loaded: the oldest month here may go on. */
  readonly hasMore: boolean;
}

/** Rows of entries that are newest first. A month gets its sums where all of it is here and more than one month is. */
export function listByDay(items: readonly ActivityItem[], { isUnfiltered, hasMore }: ActivityDaysOptions): readonly ActivityListRow[] {
  const rows: ActivityListRow[] = [];
  const sums = isUnfiltered ? sumsByMonth(items, hasMore) : new Map<string, MonthSums>();
  let [month, day] = ["", ""];
  for (const item of items) {
    const { timeMs, id } = item;
    const [itsMonth, itsDay] = [monthOf(timeMs), dayOf(timeMs)];
    const itsSums = sums.get(itsMonth);
    // Entries that wait for a block are first, whatever their time: a month or day may come twice.
    if (itsMonth !== month && itsSums !== undefined)
      rows.push({ kind: "month", key: `month ${itsMonth} ${id}`, startMs: timeMs, sums: itsSums });
    if (itsDay !== day) rows.push({ kind: "day", key: `day ${itsDay} ${id}`, startMs: timeMs });
    rows.push({ kind: "item", key: id, item });
    [month, day] = [itsMonth, itsDay];
  }
  return rows;
}

function sumsByMonth(items: readonly ActivityItem[], hasMore: boolean): ReadonlyMap<string, MonthSums> {
  const sums = new Map<string, MonthSums>();
  for (const item of items) {
    const month = monthOf(item.timeMs);
    const { receivedUt, spentUt } = sums.get(month) ?? { receivedUt: 0, spentUt: 0 };
    sums.set(month, { receivedUt: receivedUt + receivedOf(item), spentUt: spentUt + spentOf(item) });
  }
  if (sums.size < 2) return new Map();
  const oldest = items.at(-1);
  if (hasMore && oldest !== undefined) sums.delete(monthOf(oldest.timeMs));
  return sums;
}

function receivedOf(item: ActivityItem): AmountUt {
  return item.direction === "in" && isFinal(item) ? (balanceChange(item)?.amountUt ?? 0) : 0;
}

/** What an entry took from the balance: the amount to others and the fee. */
function spentOf({ direction, amountUt, feeUt, ...item }: ActivityItem): AmountUt {
  if (direction === "in" || !isFinal(item)) return 0;
  return (direction === "out" ? amountUt : 0) + feeUt;
}

function isFinal({ state }: Pick<ActivityItem, "state">): boolean {
  return state.kind === "inBlock" || state.kind === "failed";
}

/** Days and months of the time zone that the person lives in. */
function dayOf(timeMs: number): string {
  return `${monthOf(timeMs)}-${new Date(timeMs).getDate()}`;
}

function monthOf(timeMs: number): string {
  const time = new Date(timeMs);
  return `${time.getFullYear()}-${time.getMonth() + 1}`;
}
