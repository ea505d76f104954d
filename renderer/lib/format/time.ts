// Times in words of the language: relative for reading, exact for the title.
import { daysBetween } from "./days.ts";
import { dateFormat } from "./formatters.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** From this age on a date says more than "8 days ago". */
const RELATIVE_LIMIT_MS = 7 * DAY;
/** Length of each unit, and how many of it are one of the next. */
const UNITS = [
  [SECOND, 60, "second"],
  [MINUTE, 60, "minute"],
  [HOUR, 24, "hour"],
] as const;
/** Ages below this are "just now". */
const JUST_NOW_MS = 10 * SECOND;

/** Farthest moment that a date can be, by the language. */
const MAX_TIME_MS = 8.64e15;

/** Milliseconds since 1970 of what the node sends: RFC 3339 text, or a number of milliseconds. Undefined when it is no moment. */
export function toMilliseconds(at: string | number): number | undefined {
  const timeMs = typeof at === "number" ? at : Date.parse(at);
  return Math.abs(timeMs) <= MAX_TIME_MS ? timeMs : undefined;
}

/** `5 minutes ago`, `in 2 hours`, or a date when far away; undefined when it is now. */
export function formatRelativeTime(locale: string, timeMs: number, nowMs: number): string | undefined {
  const difference = timeMs - nowMs;
  const age = Math.abs(difference);
  if (age < JUST_NOW_MS) return undefined;
  if (age >= RELATIVE_LIMIT_MS) return formatDate(locale, timeMs, nowMs);
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });
  // What rounds to 60 seconds is a minute.
  const unit = UNITS.find(([length, most]) => Math.round(age / length) < most);
  // "Yesterday" is a day of the calendar: 24 hours ago may be today, and 36 hours ago yesterday.
  if (unit === undefined) return relative.format(-daysBetween(timeMs, nowMs), "day");
  const [length, , name] = unit;
  return relative.format(Math.round(difference / length), name);
}

/** `12 Mar`, with the year when it is not this one. */
export function formatDate(locale: string, timeMs: number, nowMs: number): string {
  const sameYear = new Date(timeMs).getFullYear() === new Date(nowMs).getFullYear();
  return dateFormat(locale, { day: "numeric", month: "short", ...(sameYear ? {} : { year: "numeric" }) }).format(timeMs);
}

/** `12 March 2026`. */
export function formatLongDate(locale: string, timeMs: number): string {
  return dateFormat(locale, { day: "numeric", month: "long", year: "numeric" }).format(timeMs);
}

/** Time of day, `14:05`. */
export function formatClock(locale: string, timeMs: number): string {
  return dateFormat(locale, { hour: "numeric", minute: "2-digit" }).format(timeMs);
}

/** `12 March 2026, 14:05`: a moment in a sentence. */
export function formatDateTime(locale: string, timeMs: number): string {
  return dateFormat(locale, { dateStyle: "long", timeStyle: "short" }).format(timeMs);
}

/** Date, time with seconds and zone: the exact moment. */
export function formatExactTime(locale: string, timeMs: number): string {
  return dateFormat(locale, { dateStyle: "full", timeStyle: "long" }).format(timeMs);
}

/** `1:04:09`, `4:09`, `0:07`: what is left, in the form of a clock that all languages share. `seconds` is a whole number, at least 0. */
export function formatCountdown(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** `3 h 12 min`, `45 s`: a length of time by its two largest units. */
export function formatDuration(locale: string, durationMs: number): string {
  const unit = (value: number, name: "day" | "hour" | "minute" | "second" | "millisecond"): string =>
    new Intl.NumberFormat(locale, { style: "unit", unit: name, unitDisplay: "short" }).format(value);
  if (durationMs > 0 && durationMs < SECOND) return unit(Math.round(durationMs), "millisecond");
  const seconds = Math.max(0, Math.floor(durationMs / SECOND));
  const parts = [
    [Math.floor(seconds / 86_400), "day"],
    [Math.floor(seconds / 3_600) % 24, "hour"],
    [Math.floor(seconds / 60) % 60, "minute"],
    [seconds % 60, "second"],
  ] as const;
  const first = parts.findIndex(([value]) => value > 0);
  if (first === -1) return unit(0, "second");
  return parts
    .slice(first, first + 2)
    .filter(([value]) => value > 0)
    .map(([value, name]) => unit(value, name))
    .join(" ");
}
