// Timeouts of the current round. They are armed only once a batch is handled: what a batch schedules and cancels costs no timer.
import type { Timeout, TimeoutKind } from "#node/consensus/inputs.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";

interface ScheduledTimeout {
  readonly timeout: Timeout;
  readonly durationMs: number;
}

/** At most one timeout of each kind. */
export class TimeoutSchedule {
  readonly #timers: Timers;
  readonly #onElapsed: (timeout: Timeout) => void;
  readonly #scheduled = new Map<TimeoutKind, ScheduledTimeout>();
  readonly #armed = new Map<TimeoutKind, CancelTimer>();

  constructor(timers: Timers, onElapsed: (timeout: Timeout) => void) {
    this.#timers = timers;
    this.#onElapsed = onElapsed;
  }

  /** Replaces the timeout of its kind. */
  schedule(scheduled: ScheduledTimeout): void {
    const { kind } = scheduled.timeout;
    this.#armed.get(kind)?.();
    this.#armed.delete(kind);
    this.#scheduled.set(kind, scheduled);
  }

  /** Starts the clocks of what was scheduled. */
  arm(): void {
    for (const [kind, { timeout, durationMs }] of this.#scheduled) {
      const elapsed = (): void => {
        this.#armed.delete(kind);
        this.#onElapsed(timeout);
      };
      this.#armed.set(kind, this.#timers.setTimer(durationMs, elapsed));
    }
    this.#scheduled.clear();
  }

  cancelAll(): void {
    for (const cancel of this.#armed.values()) cancel();
    this.#armed.clear();
    this.#scheduled.clear();
  }
}
