// Time and randomness of a page, a worker or a process, which name them alike, for the composition roots to pass on.
import type { CancelTimer, Clock, RandomBytes, Timers } from "./clock.ts";

declare const performance: { now(): number };
declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };
declare function setTimeout(callback: () => void, delayMs: number): unknown;
declare function clearTimeout(timeout: unknown): void;

/** Wall and monotonic clock of the host. */
export const hostClock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };

/** Timers of the host's event loop (monotonic). */
export const hostTimers: Timers = {
  setTimer(delayMs, callback): CancelTimer {
    const timeout = setTimeout(callback, delayMs);
    return (): void => clearTimeout(timeout);
  },
};

/** Random bytes of the operating system, at most 65,536 at once. */
export const hostRandom: RandomBytes = (length) => crypto.getRandomValues(new Uint8Array(length));
