// Timestamps of transactions: RFC 3339 UTC with second precision.

/** Characters of a timestamp that are no digits, by their place. */
const SEPARATORS = [..."0000-00-00T00:00:00Z"].flatMap((character, at) =>
  character === "0" ? [] : [{ at, code: character.charCodeAt(0) }],
);
const TIMESTAMP_CHARS = 20;
const ZERO = 48;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DAY_MS = 86_400_000;
/** Seconds from 1970 to the end of the year 9999. */
const END_S = (daysBeforeYear(10_000) - daysBeforeYear(1970)) * 86_400;
/** Days of four years, one of them a leap year, and of a hundred and four hundred. */
const [DAYS_OF_4, DAYS_OF_100, DAYS_OF_400] = [1_461, 36_524, 146_097];
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, "0"));

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
  const seconds = Math.floor(timeMs / 1000);
  // By integers in the years that a timestamp has: a transaction that is read from a file comes through here.
  if (!(seconds >= 0 && seconds < END_S)) return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
  const { year, month, day } = dateOf(Math.floor(seconds / 86_400));
  const rest = seconds % 86_400;
  const [hour, minute, second] = [Math.floor(rest / 3_600), Math.floor(rest / 60) % 60, rest % 60];
  return `${year}-${twoDigits(month)}-${twoDigits(day)}T${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}Z`;
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

/** The date so many days after the beginning of 1970. Years are counted from March on: the day that some have more is then their last. */
function dateOf(days: number): { readonly year: number; readonly month: number; readonly day: number } {
  const sinceMarch = days + daysBeforeYear(1970) + 306;
  const cycles = Math.floor(sinceMarch / DAYS_OF_400);
  const ofCycle = sinceMarch - cycles * DAYS_OF_400;
  const leaps = Math.floor(ofCycle / (DAYS_OF_4 - 1)) - Math.floor(ofCycle / DAYS_OF_100) + Math.floor(ofCycle / (DAYS_OF_400 - 1));
  const years = Math.floor((ofCycle - leaps) / 365);
  const ofYear = ofCycle - (365 * years + Math.floor(years / 4) - Math.floor(years / 100));
  const marchMonth = Math.floor((5 * ofYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: cycles * 400 + years + (month <= 2 ? 1 : 0),
    month,
    day: ofYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

function twoDigits(value: number): string {
  return TWO_DIGITS[value] as string;
}
