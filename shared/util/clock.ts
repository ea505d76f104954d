// Time and randomness as arguments, so that tests own both.

/** Source of time. */
export interface Clock {
  /** Wall clock, milliseconds since 1970 UTC. */
  nowMs(): number;
  /** Monotonic clock, milliseconds from an arbitrary start. */
  monotonicMs(): number;
}

/** Cancels a timer; harmless when it has fired. */
export type CancelTimer = () => void;

/** Runs callbacks later. */
export interface Timers {
  /** Calls back once after `delayMs`. */
  setTimer(delayMs: number, callback: () => void): CancelTimer;
}

/** Fills and returns `length` random bytes from a cryptographic source. */
export type RandomBytes = (length: number) => Uint8Array;
