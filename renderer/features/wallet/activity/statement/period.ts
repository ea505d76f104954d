// Periods of statements, in the time zone that the person lives in. Pure.

export const PERIOD_KINDS = ["thisMonth", "lastMonth", "thisQuarter", "lastQuarter", "thisYear", "lastYear", "custom"] as const;
export type PeriodKind = (typeof PERIOD_KINDS)[number];

/** From a moment on, to before another one; ms. */
export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** A named period around a moment. */
export function periodOf(kind: Exclude<PeriodKind, "custom">, nowMs: number): Period {
  const now = new Date(nowMs);
  const year = now.getFullYear();
  const month = now.getMonth();
  const quarter = month - (month % 3);
  switch (kind) {
    case "thisMonth":
      return monthsFrom(year, month, 1);
    case "lastMonth":
      return monthsFrom(year, month - 1, 1);
    case "thisQuarter":
      return monthsFrom(year, quarter, 3);
    case "lastQuarter":
      return monthsFrom(year, quarter - 3, 3);
    case "thisYear":
      return monthsFrom(year, 0, 12);
    case "lastYear":
      return monthsFrom(year - 1, 0, 12);
  }
}

/** The period that a statement begins with: the last month, or this one where the last had nothing. `times` are of entries, newest first. */
export function firstPeriodKind(times: readonly number[], hasMore: boolean, nowMs: number): "lastMonth" | "thisMonth" {
  const { fromMs, toMs } = periodOf("lastMonth", nowMs);
  const mayHaveMore = hasMore && (times.at(-1) ?? toMs) >= toMs;
  return mayHaveMore || times.some((timeMs) => timeMs >= fromMs && timeMs < toMs) ? "lastMonth" : "thisMonth";
}

/** From the begin of one day to the end of another, each `YYYY-MM-DD`; undefined for other texts, and for days in another order. */
export function customPeriod(fromDay: string, toDay: string): Period | undefined {
  const [fromMs, toMs] = [startOf(fromDay, 0), startOf(toDay, 1)];
  return fromMs === undefined || toMs === undefined || fromMs >= toMs ? undefined : { fromMs, toMs };
}

/** `YYYY-MM-DD` of a moment, as files and date fields have it. */
export function dayText(timeMs: number): string {
  const time = new Date(timeMs);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

/** Months may be below 0 and above 11: they are of the years beside. */
function monthsFrom(year: number, month: number, count: number): Period {
  return { fromMs: new Date(year, month, 1).getTime(), toMs: new Date(year, month + count, 1).getTime() };
}

function startOf(text: string, daysAfter: number): number | undefined {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  if (dayText(date.getTime()) !== text) return undefined;
  return new Date(Number(year), Number(month) - 1, Number(day) + daysAfter).getTime();
}
