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

/** Ms since the first rule, now. */
export function passedMs(time: SpendingTime, seen: SeenTime): number {
  return time.passedMs + Math.max(0, stepMs(time, seen));
}

/** The time to store. What was passed never falls. */
export function timeAfter(time: SpendingTime, seen: SeenTime): SpendingTime {
  const { blockMs, clockMs } = seen;
  if (blockMs === undefined) return time;
  const step = stepMs(time, seen);
  if (time.blockMs !== null && step >= 0 && step < STEP_MS) return time;
  return { passedMs: passedMs(time, seen), blockMs, clockMs };
}

function stepMs({ blockMs: before, clockMs: clockBefore }: SpendingTime, { blockMs, clockMs }: SeenTime): number {
  return before === null || blockMs === undefined ? 0 : Math.min(blockMs - before, clockMs - clockBefore);
}
