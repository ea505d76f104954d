// Work on the main thread that peers ask for: one piece after the other, with a rest after each, so that however many ask it takes a part of
// the processor only, which senders share by time.
import type { Clock, Timers } from "#shared/util/clock.ts";

/** Rest after a piece by the time that it took: a tenth of a processor is worked, unless there is another share. */
export const REST_SHARE = 9;
const LONGEST_REST_MS = 1_000;

/** What the pace is measured with. */
export interface PacedWorkDependencies {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
  readonly restShare?: number;
}

/**
 * Who asks has few requests at once, so that the queue has an end. Next is who has used least of the time: a sender of small pieces waits for one
 * of the others, however many senders of large ones there are.
 */
export class PacedWork {
  readonly #dependencies: PacedWorkDependencies;
  /** By sender; of those who have used as much, the one that comes first waits longest. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Time that senders have used, ms of one count, as far as it is beyond what was reached. */
  readonly #usedMs = new Map<string, number>();
  /** What each of those who wait has been given: who comes has slept meanwhile, and begins there. So ever new ones keep no one from its turn. */
  #reachedMs = 0;
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
    const { clock, timers, restShare = REST_SHARE } = this.#dependencies;
    const sender = this.#isResting ? undefined : this.#chosen();
    const jobs = sender === undefined ? undefined : this.#waiting.get(sender);
    if (sender === undefined || jobs === undefined) return;
    const job = jobs.shift();
    this.#waiting.delete(sender);
    if (jobs.length > 0) this.#waiting.set(sender, jobs);
    const beganMs = clock.monotonicMs();
    this.#isResting = true;
    job?.();
    const [usedMs, tookMs] = [this.#usedBy(sender), clock.monotonicMs() - beganMs];
    this.#usedMs.set(sender, usedMs + tookMs);
    // As if one more waited: who comes next comes before the one who has just been alone.
    this.#reachedMs = usedMs + tookMs / (this.#waiting.size + 2);
    for (const [each, ofEachMs] of this.#usedMs) if (ofEachMs <= this.#reachedMs) this.#usedMs.delete(each);
    timers.setTimer(Math.min(LONGEST_REST_MS, tookMs * restShare), () => {
      this.#isResting = false;
      this.#next();
    });
  }

  #usedBy(sender: string): number {
    return Math.max(this.#usedMs.get(sender) ?? 0, this.#reachedMs);
  }

  #chosen(): string | undefined {
    let chosen: string | undefined;
    for (const sender of this.#waiting.keys()) if (chosen === undefined || this.#usedBy(sender) < this.#usedBy(chosen)) chosen = sender;
    return chosen;
  }
}
