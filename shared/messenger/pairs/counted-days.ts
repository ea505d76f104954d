// Days by which secrets age. A clock that jumps, by a person or a hostile node, destroys nothing: a day counts when the own clock and the
// chain have both moved, and when mail that came until then was read.

/** What a counted day takes on either clock. */
export const COUNTED_DAY_MS = 20 * 3_600_000;

/** Both clocks, milliseconds since 1970. */
export interface BothClocks {
  readonly ownMs: number;
  /** Time of the newest block; 0 while none is known. */
  readonly blockMs: number;
}

/** A block that claims to come later than this after the own clock is not believed. */
const MAX_AHEAD_MS = 86_400_000;

/**
 * Time of the newest block as pairs go by it, milliseconds: it never goes back, so a node that shows now one time and now another makes
 * nothing happen again and again. `knownMs`: what it was before; `shownMs`: of the newest block of the own node.
 */
export function blockTime(knownMs: number, shownMs: number | undefined, ownMs: number): number {
  return shownMs === undefined || shownMs > ownMs + MAX_AHEAD_MS ? knownMs : Math.max(knownMs, shownMs);
}

/** Days counted so far, and where the next one began on both clocks. */
export interface CountedDays extends BothClocks {
  readonly days: number;
}

/** Counting begins. */
export function firstDay(clocks: BothClocks): CountedDays {
  return { days: 0, ...clocks };
}

/** The mailboxes were read to the end at this time. A clock that went back, the own or the chain's, begins the day again. */
export function countDay(counted: CountedDays, { ownMs, blockMs }: BothClocks): CountedDays {
  const own = ownMs - counted.ownMs;
  const block = blockMs - counted.blockMs;
  if (own < 0 || block < 0)
    return { days: counted.days, ownMs: Math.min(ownMs, counted.ownMs), blockMs: Math.min(blockMs, counted.blockMs) };
  return own >= COUNTED_DAY_MS && block >= COUNTED_DAY_MS ? { days: counted.days + 1, ownMs, blockMs } : counted;
}

/** What has passed at most since a time, for what is better done early than late: a clock that jumped has moved, too. */
export function elapsedMs(since: BothClocks, now: BothClocks): number {
  const own = Math.abs(now.ownMs - since.ownMs);
  return since.blockMs === 0 || now.blockMs === 0 ? own : Math.max(own, Math.abs(now.blockMs - since.blockMs));
}
