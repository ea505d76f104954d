// One line a second of what a stranger can cause as often as it likes, with how many lines were left out.
import type { Log } from "#node/observability/log.ts";
import type { Clock } from "#shared/util/clock.ts";

const PAUSE_MS = 1_000;

/** Warnings at a pace. */
export class PacedLog {
  readonly #log: Log;
  readonly #clock: Pick<Clock, "monotonicMs">;
  #nextMs = Number.NEGATIVE_INFINITY;
  #leftOut = 0;

  constructor(log: Log, clock: Pick<Clock, "monotonicMs">) {
    this.#log = log;
    this.#clock = clock;
  }

  warn(fields: object, message: string): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs < this.#nextMs) {
      this.#leftOut += 1;
      return;
    }
    this.#log.warn(this.#leftOut === 0 ? fields : { ...fields, left_out: this.#leftOut }, message);
    this.#nextMs = nowMs + PAUSE_MS;
    this.#leftOut = 0;
  }
}
