// How long things wait at random, so that their times do not say what they are. What a person writes never waits for the device that the
// other one has at hand.
import type { RandomBytes } from "#shared/util/clock.ts";

/** Between two numbers of milliseconds; from 0 to 0 nothing waits. */
export interface RandomWait {
  readonly leastMs: number;
  readonly mostMs: number;
}

/** The waits of one messenger. */
export interface CoverWaits {
  /** Receipts, and what one's own other devices learn of reading. */
  readonly receipts: RandomWait;
  /** Copies for one's own other devices, and for further devices of a person. */
  readonly further: RandomWait;
}

/** What messengers do by themselves: receipts wait as acknowledgements do. */
export const COVER_WAITS: CoverWaits = {
  receipts: { leastMs: 2_000, mostMs: 20_000 },
  further: { leastMs: 500, mostMs: 5_000 },
};

/** Nothing waits: for tests of what is said rather than when. */
export const NO_WAITS: CoverWaits = { receipts: { leastMs: 0, mostMs: 0 }, further: { leastMs: 0, mostMs: 0 } };

/** Milliseconds of one wait. */
export function drawWait({ leastMs, mostMs }: RandomWait, random: RandomBytes): number {
  const [high = 0, low = 0] = random(2);
  return leastMs + Math.round((((high << 8) | low) / 65_535) * (mostMs - leastMs));
}
