// Times as the list of chats shows them, and which messages are of one day.
import { daysBetween } from "#renderer/lib/format/days.ts";
import { dateFormat } from "#renderer/lib/format/formatters.ts";
import { formatClock, formatDate } from "#renderer/lib/format/time.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";

const WEEK_DAYS = 7;

/** `14:05` today, `Yesterday`, a weekday within the week, else a date. */
export function formatListTime({ locale, t }: ListLanguage, timeMs: number, nowMs: number): string {
  const days = daysBetween(timeMs, nowMs);
  if (days <= 0) return formatClock(locale, timeMs);
  if (days === 1) return t("inbox.yesterday");
  if (days < WEEK_DAYS) return dateFormat(locale, { weekday: "short" }).format(timeMs);
  return formatDate(locale, timeMs, nowMs);
}

/** True when both moments are on the same day of the calendar here. */
export function isSameDay(a: number, b: number): boolean {
  // Asked of all neighbours of a chat again and again: the calendar is asked once a day of it.
  if (!isIn(lastDay, a)) {
    const start = startOfDay(a);
    lastDay = { start, end: new Date(start).setHours(24, 0, 0, 0) };
  }
  return isIn(lastDay, b);
}

let lastDay = { start: 0, end: 0 };

function isIn({ start, end }: typeof lastDay, timeMs: number): boolean {
  return timeMs >= start && timeMs < end;
}

/** Language of the times. */
export interface ListLanguage {
  readonly locale: string;
  readonly t: Translate;
}

function startOfDay(timeMs: number): number {
  return new Date(timeMs).setHours(0, 0, 0, 0);
}
