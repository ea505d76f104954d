// Work on the main thread that can wait, in pieces: after enough of it comes a rest, so that a tenth of a processor is worked.
import { REST_SHARE } from "#node/network/flow/paced-work.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";

/** Work without a rest, ms. */
const WORK_MS = 8;

export interface RestedWorkDependencies {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
  /** Ends every rest that is to come, with its reason. */
  readonly signal: AbortSignal;
  /** No rest between pieces is longer, ms: the machine may have slept meanwhile. */
  readonly longestRestMs?: number;
}

/** One line of such work. */
export class RestedWork {
  readonly #dependencies: RestedWorkDependencies;
  #beganMs = 0;

  constructor(dependencies: RestedWorkDependencies) {
    this.#dependencies = dependencies;
  }

  /** What was before does not count: nothing was worked, or a rest was taken for it. */
  begin(): void {
    this.#beganMs = this.#dependencies.clock.monotonicMs();
  }

  /** Called before each piece of work: rests once there was enough of it. */
  async pace(): Promise<void> {
    const { clock, longestRestMs = Number.POSITIVE_INFINITY } = this.#dependencies;
    const workedMs = clock.monotonicMs() - this.#beganMs;
    if (workedMs < WORK_MS) return;
    await this.rest(Math.min(workedMs * REST_SHARE, longestRestMs));
    this.begin();
  }

  /** Rests for a time, ms. */
  async rest(durationMs: number): Promise<void> {
    const { timers, signal } = this.#dependencies;
    signal.throwIfAborted();
    if (durationMs <= 0) return;
    await new Promise<void>((resolve) => void timers.setTimer(durationMs, resolve));
    signal.throwIfAborted();
  }
}
