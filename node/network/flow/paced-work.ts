// Work on the main thread that peers ask for: one piece after the other, each sender in its turn, with a rest after each, so that however
// many ask it takes a part of the processor only.
import type { Clock, Timers } from "#shared/util/clock.ts";

/** Rest after a piece by the time that it took: a tenth of a processor is worked. */
export const REST_SHARE = 9;
const LONGEST_REST_MS = 1_000;

/** What the pace is measured with. */
export interface PacedWorkDependencies {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
}

/** Who asks has few requests at once, so that the queue has an end. */
export class PacedWork {
  readonly #dependencies: PacedWorkDependencies;
  /** By sender; the one whose turn it is comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isResting = false;

  constructor(dependencies: PacedWorkDependencies) {
    this.#dependencies = dependencies;
  }

  /** The result of a piece of work, now or in its turn. */
  run<T>(sender: string, work: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const jobs = this.#waiting.get(sender) ?? [];
    jobs.push(() => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    });
    this.#waiting.set(sender, jobs);
    this.#next();
    return promise;
  }

  #next(): void {
    const { clock, timers } = this.#dependencies;
    const [sender, jobs] = this.#waiting.entries().next().value ?? [];
    if (this.#isResting || sender === undefined || jobs === undefined) return;
    const job = jobs.shift();
    this.#waiting.delete(sender);
    if (jobs.length > 0) this.#waiting.set(sender, jobs);
    const beganMs = clock.monotonicMs();
    job?.();
    this.#isResting = true;
    timers.setTimer(Math.min(LONGEST_REST_MS, (clock.monotonicMs() - beganMs) * REST_SHARE), () => {
      this.#isResting = false;
      this.#next();
    });
  }
}
