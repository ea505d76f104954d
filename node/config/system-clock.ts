// The machine's time and randomness, for the composition roots to pass on.
import { randomBytes } from "node:crypto";
import type { CancelTimer, Clock, RandomBytes, Timers } from "#shared/util/clock.ts";

/** Wall and monotonic clock of the machine. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

/** Timers of the event loop (monotonic); a delay of 0 fires as soon as pending I/O had its turn. */
export const systemTimers: Timers = {
  setTimer(delayMs, callback): CancelTimer {
    if (delayMs <= 0) {
      const immediate = setImmediate(callback);
      return (): void => clearImmediate(immediate);
    }
    const timeout = setTimeout(callback, delayMs);
    return (): void => clearTimeout(timeout);
  },
};

/** Random bytes of the operating system. */
export const systemRandom: RandomBytes = (length) => new Uint8Array(randomBytes(length));
