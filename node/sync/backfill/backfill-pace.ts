// How long to rest, so that neither the network nor a processor is taken from others: waiting for peers is no work.
import type { Clock } from "#shared/util/clock.ts";
import { BACKFILL_LIMITS } from "./backfill-limits.ts";

/** What was taken since the last rest. */
export class BackfillPace {
  readonly #clock: Pick<Clock, "monotonicMs">;
  #sinceMs: number;
  #workedMs = 0;
  #bytes = 0;

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
    this.#sinceMs = clock.monotonicMs();
  }

  /** Measures work of the thread. */
  async worked<T>(work: () => Promise<T>): Promise<T> {
    const beganMs = this.#clock.monotonicMs();
    try {
      return await work();
    } finally {
      this.#workedMs += this.#clock.monotonicMs() - beganMs;
    }
  }

  received(bytes: number): void {
    this.#bytes += bytes;
  }

  /** The rest that is due, ms; what follows it is counted from its end. */
  rest(): number {
    const { bytesPerSecond, restShare } = BACKFILL_LIMITS;
    const nowMs = this.#clock.monotonicMs();
    const restMs = Math.max(0, (this.#bytes / bytesPerSecond) * 1_000 - (nowMs - this.#sinceMs), this.#workedMs * restShare);
    [this.#sinceMs, this.#workedMs, this.#bytes] = [nowMs + restMs, 0, 0];
    return restMs;
  }
}
