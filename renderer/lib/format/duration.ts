// Lengths of time in words, in the largest unit that says them well.
import type { Translate } from "../messages/catalogue.ts";

const MINUTE_MS = 60_000;
const MINUTES_PER_HOUR = 60;
const HOURS_PER_DAY = 24;
/** From so many minutes on hours are exact enough. */
const MOST_MINUTES = 90;
/** From so many hours on days are. */
const MOST_HOURS = 36;

/** `1 minute`, `30 minutes`, `6 hours`, `2 days`: rounded up, so that nothing is promised too early. */
export function durationInWords(t: Translate, ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS));
  if (minutes < MOST_MINUTES && minutes !== MINUTES_PER_HOUR) return t("common.time.minutes", { count: minutes });
  const hours = Math.ceil(minutes / MINUTES_PER_HOUR);
  if (hours < MOST_HOURS) return t("common.time.hours", { count: hours });
  return t("common.time.days", { count: Math.ceil(hours / HOURS_PER_DAY) });
}
