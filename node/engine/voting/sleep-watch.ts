// Notices that the machine slept or that its clock was set: the wall clock moved on without the monotonic one.
import type { Clock } from "#shared/util/clock.ts";

/** How far the two clocks may part between two checks, ms: more than any correction of a running clock. */
const LARGEST_DRIFT_MS = 5_000;

/** Compares the clocks. */
export class SleepWatch {
  readonly #clock: Clock;
  #offsetMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#offsetMs = clock.nowMs() - clock.monotonicMs();
  }

  /** Time that the wall clock jumped since the last call, ms; 0 when it did not. */
  jumpMs(): number {
    const offsetMs = this.#clock.nowMs() - this.#clock.monotonicMs();
    const jumpMs = offsetMs - this.#offsetMs;
    this.#offsetMs = offsetMs;
    return Math.abs(jumpMs) > LARGEST_DRIFT_MS ? jumpMs : 0;
  }
}
