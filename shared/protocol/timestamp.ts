// Timestamps of transactions: RFC 3339 UTC with second precision.

const PATTERN = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})Z$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DAY_MS = 86_400_000;

/** Milliseconds since 1970 of `YYYY-MM-DDThh:mm:ssZ` (years 1970–9999), or undefined when the text is not such a time. Pure integer arithmetic. */
export function parseTimestamp(text: string): number | undefined {
  const match = PATTERN.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  if (year < 1970 || month < 1 || month > 12 || day < 1 || day > daysOfMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  let days = daysBeforeYear(year) - daysBeforeYear(1970) + day - 1;
  for (let m = 1; m < month; m += 1) days += daysOfMonth(year, m);
  return days * DAY_MS + (hour * 3600 + minute * 60 + second) * 1000;
}

/** `YYYY-MM-DDThh:mm:ssZ` of milliseconds since 1970, cut to the second. */
export function formatTimestamp(timeMs: number): string {
  return `${new Date(Math.floor(timeMs / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

function daysOfMonth(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : (DAYS[month - 1] ?? 0);
}

function daysBeforeYear(year: number): number {
  const past = year - 1;
  return past * 365 + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
}
