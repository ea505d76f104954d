// When a message is due, as short as it is plain.
import { formatClock, formatDate } from "#renderer/lib/format/time.ts";

/** `14:05` of this day, else `12 Mar, 14:05`. */
export function dueText(locale: string, dueAt: number, nowMs: number): string {
  const clock = formatClock(locale, dueAt);
  return new Date(dueAt).toDateString() === new Date(nowMs).toDateString() ? clock : `${formatDate(locale, dueAt, nowMs)}, ${clock}`;
}
