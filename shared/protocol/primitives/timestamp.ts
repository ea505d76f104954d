// Timestamps of transactions: RFC 3339 UTC with second precision.

/** Characters of a timestamp that are no digits, by their place. */
const SEPARATORS = [..."0000-00-00T00:00:00Z"].flatMap((character, at) =>
  character === "0" ? [] : [{ at, code: character.charCodeAt(0) }],
);
const TIMESTAMP_CHARS = 20;
const ZERO = 48;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DAY_MS = 86_400_000;

/** Milliseconds since 1970 of `YYYY-MM-DDThh:mm:ssZ` (years 1970–9999), or undefined for any other text. Pure integer arithmetic. */
export function parseTimestamp(text: string): number | undefined {
  if (text.length !== TIMESTAMP_CHARS || SEPARATORS.some(({ at, code }) => text.charCodeAt(at) !== code)) return undefined;
  const [year, month, day] = [numberAt(text, 0, 4), numberAt(text, 5, 7), numberAt(text, 8, 10)];
  const [hour, minute, second] = [numberAt(text, 11, 13), numberAt(text, 14, 16), numberAt(text, 17, 19)];
  if (!(year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month))) return undefined;
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return undefined;
  let days = daysBeforeYear(year) - daysBeforeYear(1970) + day - 1;
  for (let m = 1; m < month; m += 1) days += daysOfMonth(year, m);
  return days * DAY_MS + (hour * 3600 + minute * 60 + second) * 1000;
}

/** `YYYY-MM-DDThh:mm:ssZ` of milliseconds since 1970, cut to the second. */
export function formatTimestamp(timeMs: number): string {
  return `${new Date(Math.floor(timeMs / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

/** Number of the digits from `start` to before `end`, NaN when a character is none. Every transaction comes through here several times. */
function numberAt(text: string, start: number, end: number): number {
  let value = 0;
  for (let i = start; i < end; i += 1) {
    const digit = text.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
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
