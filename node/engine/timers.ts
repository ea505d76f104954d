// Timers as an argument, so that tests own time.

/** Cancels a timer; harmless when it has fired. */
export type CancelTimer = () => void;

/** Runs callbacks later. */
export interface Timers {
  /** Calls back once after `delayMs`; 0 means as soon as pending I/O had its turn. */
  setTimer(delayMs: number, callback: () => void): CancelTimer;
}

/** Timers of the runtime's event loop (monotonic). */
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
