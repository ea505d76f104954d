// Time of spending rules. The computer's clock may be set and the node may lie about the chain's time, so it goes on by the smaller of
// both steps and never back: a clock that jumps opens nothing, neither does a node that does. A clock that was wrong and is right again
// costs what lay between, and then time goes on: there is nothing to be stuck at.

/** How far time has come, and what both said then, unix ms. */
export interface SpendingTime {
  /** Ms since the first rule. */
  readonly passedMs: number;
  /** Time of the newest block; null before any was seen. */
  readonly blockMs: number | null;
  readonly clockMs: number;
}

/** What both say now. Without a block time does not go on. */
export interface SeenTime {
  readonly blockMs: number | undefined;
  readonly clockMs: number;
}

/** Steps below this are not written down: blocks come in jumps, and each one that is written down loses a part of one. */
const STEP_MS = 60_000;
/** From so far on, what a node or the clock said was wrong. */
const AHEAD_MS = 3_600_000;

/** Ms since the first rule, now. */
export function passedMs(time: SpendingTime, seen: SeenTime): number {
  return time.passedMs + Math.max(0, stepMs(time, seen));
}

/**
 * The time to store with something that counts, or waits, from now on. What was passed never falls. What one of both says has passed and
 * the other does not say is lost, but for less than `slackMs`: else who keeps the chain's time back now, and names it later, would have
 * all of that time begin after this.
 */
export function timeAfter(time: SpendingTime, seen: SeenTime, slackMs = STEP_MS): SpendingTime {
  const step = stepMs(time, seen);
  const blockStep = time.blockMs === null ? 0 : (seen.blockMs ?? time.blockMs) - time.blockMs;
  const lost = Math.max(blockStep, seen.clockMs - time.clockMs) - step;
  if (isRunning(time, seen) && step < STEP_MS && lost < slackMs) return time;
  return { passedMs: passedMs(time, seen), blockMs: seen.blockMs ?? time.blockMs, clockMs: seen.clockMs };
}

/**
 * The time to store where it was only looked at: another one where it has not begun, or would stand still because clock or node were far
 * ahead. A window that comes back with a block of before is no reason: what has passed since would be lost.
 */
export function timeLookedAt(time: SpendingTime, seen: SeenTime): SpendingTime {
  const wasAhead = Math.max(time.blockMs ?? Number.POSITIVE_INFINITY, time.clockMs) - seen.clockMs > AHEAD_MS;
  return isRunning(time, seen) || !wasAhead ? time : timeAfter(time, seen);
}

/** False before the first block, and while one of both is behind what it said. */
function isRunning(time: SpendingTime, seen: SeenTime): boolean {
  return seen.blockMs === undefined || (time.blockMs !== null && stepMs(time, seen) >= 0);
}

function stepMs({ blockMs: before, clockMs: clockBefore }: SpendingTime, { blockMs, clockMs }: SeenTime): number {
  return before === null || blockMs === undefined ? 0 : Math.min(blockMs - before, clockMs - clockBefore);
}
