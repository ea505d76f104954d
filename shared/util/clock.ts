// Time and randomness as arguments, so that tests own both.

/** Source of time. */
export interface Clock {
  /** Wall clock, milliseconds since 1970 UTC. */
  nowMs(): number;
  /** Monotonic clock, milliseconds from an arbitrary start. */
  monotonicMs(): number;
}

/** Timers of the host. */
export interface Timers {
  set(callback: () => void, delayMs: number): unknown;
  clear(timer: unknown): void;
}

/** Fills and returns `length` random bytes from a cryptographic source. */
export type RandomBytes = (length: number) => Uint8Array;
