// Days and months in words of the language, as headings of lists.
import { dateFormat } from "./formatters.ts";

/** `Today`, also for a clock that runs ahead, `Yesterday`, `Friday, 20 November`, with the year when it is not this one. */
export function formatDay(locale: string, timeMs: number, nowMs: number): string {
  const age = Math.max(0, daysBetween(timeMs, nowMs));
  if (age <= 1) return capitalised(locale, new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-age, "day"));
  const isThisYear = new Date(timeMs).getFullYear() === new Date(nowMs).getFullYear();
  return dateFormat(locale, { weekday: "long", day: "numeric", month: "long", ...(isThisYear ? {} : { year: "numeric" }) }).format(timeMs);
}

/** `November 2026`. */
export function formatMonth(locale: string, timeMs: number): string {
  return dateFormat(locale, { month: "long", year: "numeric" }).format(timeMs);
}

/** Calendar days of the local time zone; days of 23 and 25 hours count as one. */
export function daysBetween(timeMs: number, nowMs: number): number {
  const midnight = (at: number): number => {
    const time = new Date(at);
    return Date.UTC(time.getFullYear(), time.getMonth(), time.getDate());
  };
  return (midnight(nowMs) - midnight(timeMs)) / 86_400_000;
}

function capitalised(locale: string, text: string): string {
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
}
