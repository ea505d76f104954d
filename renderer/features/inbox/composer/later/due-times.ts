// Times at which a message may be sent, as one picks them: hours and days of the calendar on this device's clock.

/** A time that is offered. */
export interface OfferedTime {
  readonly id: "hour" | "tonight" | "tomorrow" | "monday";
  /** Milliseconds since 1970. */
  readonly dueAt: number;
}

const HOUR_MS = 3_600_000;
const EVENING = 20;
const MORNING = 9;
const MONDAY = 1;
const WEEK_DAYS = 7;

/** In an hour, this evening while that is to come, tomorrow morning, and Monday morning where that is another day. */
export function offeredTimes(nowMs: number): readonly OfferedTime[] {
  const evening = atHour(nowMs, 0, EVENING);
  const toMonday = (MONDAY - new Date(nowMs).getDay() + WEEK_DAYS) % WEEK_DAYS || WEEK_DAYS;
  return [
    // Whole minutes, as they are shown.
    { id: "hour", dueAt: Math.ceil((nowMs + HOUR_MS) / 60_000) * 60_000 },
    ...(evening > nowMs ? [{ id: "tonight", dueAt: evening } as const] : []),
    { id: "tomorrow", dueAt: atHour(nowMs, 1, MORNING) },
    ...(toMonday > 1 ? [{ id: "monday", dueAt: atHour(nowMs, toMonday, MORNING) } as const] : []),
  ];
}

/** A full hour of the day so many days from now. */
function atHour(nowMs: number, days: number, hour: number): number {
  const day = new Date(nowMs);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days, hour).getTime();
}

/** The value of a field for date and time, on this device's clock. */
export function toFieldTime(timeMs: number): string {
  const time = new Date(timeMs);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${String(time.getFullYear()).padStart(4, "0")}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** Milliseconds since 1970 of such a value; undefined for none. */
export function fromFieldTime(value: string): number | undefined {
  const timeMs = new Date(value).getTime();
  return Number.isNaN(timeMs) ? undefined : timeMs;
}
