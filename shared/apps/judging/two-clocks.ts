// Time of limits. The node may lie about the chain's time, and the computer's clock may be set: budgets go on by the smaller of both
// advances, expiry by the larger, and neither ever goes back. So neither a false node nor the clock alone fills a budget or revives a token.

/** Where both stood when the first connection was made, and how far each has been seen. Unix ms. */
export interface ClockReadings {
  readonly baseBlockMs: number;
  readonly baseClockMs: number;
  readonly highBlockMs: number;
  readonly highClockMs: number;
}

/** Readings that begin now. */
export function beginClocks(blockMs: number, clockMs: number): ClockReadings {
  return { baseBlockMs: blockMs, baseClockMs: clockMs, highBlockMs: blockMs, highClockMs: clockMs };
}

/** Readings that go on from now, whatever was seen: budgets continue where they were. Only while no connection depends on them. */
export function resumeClocks(readings: ClockReadings, blockMs: number, clockMs: number): ClockReadings {
  const budgetMs = budgetTimeMs(readings);
  return { baseBlockMs: blockMs - budgetMs, baseClockMs: clockMs - budgetMs, highBlockMs: blockMs, highClockMs: clockMs };
}

/** Readings after both were seen again. */
export function seeClocks(readings: ClockReadings, blockMs: number, clockMs: number): ClockReadings {
  return {
    ...readings,
    highBlockMs: Math.max(readings.highBlockMs, blockMs),
    highClockMs: Math.max(readings.highClockMs, clockMs),
  };
}

/** Time of budgets, ms since the base. */
export function budgetTimeMs({ baseBlockMs, baseClockMs, highBlockMs, highClockMs }: ClockReadings): number {
  return Math.min(highBlockMs - baseBlockMs, highClockMs - baseClockMs);
}

/** Time of expiry, ms since the base. */
export function expiryTimeMs({ baseBlockMs, baseClockMs, highBlockMs, highClockMs }: ClockReadings): number {
  return Math.max(highBlockMs - baseBlockMs, highClockMs - baseClockMs);
}
