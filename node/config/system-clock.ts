// The machine's time and randomness, for the composition roots to pass on.
import { randomBytes } from "node:crypto";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";

/** Wall and monotonic clock of the machine. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

/** Random bytes of the operating system. */
export const systemRandom: RandomBytes = (length) => new Uint8Array(randomBytes(length));
