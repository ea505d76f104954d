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
  | { readonly kind: "item"; readonly key: string; readonly item: ActivityItem; readonly isInner?: true }
  /** Several entries of setting up, of which the row has the fees; they follow while it is open. */
  | { readonly kind: "setUp"; readonly key: string; readonly ids: readonly string[]; readonly feesUt: AmountUt; readonly isOpen: boolean };

export interface ActivityDaysOptions {
  /** True for everything that happened to the account: parts of a month have no sums. */
  readonly isUnfiltered: boolean;
  /** True while older entries are not loaded: the oldest month here may go on. */
  readonly hasMore: boolean;
  /** Ids of entries of setting up whose row is open, however it grows; undefined lists their entries like others. */
  readonly openSetUps?: ReadonlySet<string>;
}

/** What sets up keys and devices: it moves nothing but fees. */
const SET_UP: ReadonlySet<ActivityItem["kind"]> = new Set(["registerKey", "linkDevice", "unlinkDevice", "bindWallet", "rotateKey"]);

/** Rows of entries that are newest first. A month gets its sums where all of it is here and more than one month is. */
export function listByDay(items: readonly ActivityItem[], options: ActivityDaysOptions): readonly ActivityListRow[] {
  const { isUnfiltered, hasMore, openSetUps } = options;
  const rows: ActivityListRow[] = [];
  const sums = isUnfiltered ? sumsByMonth(items, hasMore) : new Map<string, MonthSums>();
  let [month, day] = ["", ""];
  for (let at = 0; at < items.length; ) {
    const run = openSetUps === undefined ? items.slice(at, at + 1) : runFrom(items, at);
    const { timeMs, id } = run[0] as ActivityItem;
    const [itsMonth, itsDay] = [monthOf(timeMs), dayOf(timeMs)];
    const itsSums = sums.get(itsMonth);
    // Entries that wait for a block are first, whatever their time: a month or day may come twice.
    if (itsMonth !== month && itsSums !== undefined)
      rows.push({ kind: "month", key: `month ${itsMonth} ${id}`, startMs: timeMs, sums: itsSums });
    if (itsDay !== day) rows.push({ kind: "day", key: `day ${itsDay} ${id}`, startMs: timeMs });
    rows.push(...rowsOf(run, openSetUps));
    [month, day] = [itsMonth, itsDay];
    at += run.length;
  }
  return rows;
}

/** The entry at a place, with those after it where all are of setting up, on one day. */
function runFrom(items: readonly ActivityItem[], at: number): readonly ActivityItem[] {
  const first = items[at] as ActivityItem;
  let end = at + 1;
  if (isSetUp(first)) while (isSetUp(items[end]) && dayOf((items[end] as ActivityItem).timeMs) === dayOf(first.timeMs)) end += 1;
  return items.slice(at, end);
}

function isSetUp(item: ActivityItem | undefined): boolean {
  return item !== undefined && SET_UP.has(item.kind) && item.direction !== "in" && item.state.kind === "inBlock";
}

/** The key is of the oldest entry, which stays while newer ones come. */
function rowsOf(run: readonly ActivityItem[], openSetUps: ReadonlySet<string> | undefined): readonly ActivityListRow[] {
  const oldest = run.at(-1);
  if (run.length === 1 || oldest === undefined) return run.map((item) => ({ kind: "item", key: item.id, item }));
  const key = `set-up ${oldest.id}`;
  const ids = run.map(({ id }) => id);
  const isOpen = ids.some((id) => openSetUps?.has(id) === true);
  const feesUt = run.reduce((sum, { feeUt }) => sum + feeUt, 0);
  const inner = isOpen ? run.map((item): ActivityListRow => ({ kind: "item", key: item.id, item, isInner: true })) : [];
  return [{ kind: "setUp", key, ids, feesUt, isOpen }, ...inner];
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
