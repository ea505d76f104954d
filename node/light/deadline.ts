// Time for several requests together: a peer that answers each of them slowly must not hold up the rest.
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";

/** A stretch of time that ends by itself, or with the node. */
export class Deadline {
  readonly #abort = new AbortController();
  readonly #over = Promise.withResolvers<undefined>();
  readonly #cancel: CancelTimer;
  readonly #outer: AbortSignal;
  readonly #stop = (): void => this.#pass(false);
  #isPassed = false;

  constructor(timers: Timers, durationMs: number, outer: AbortSignal) {
    this.#outer = outer;
    this.#cancel = timers.setTimer(durationMs, () => this.#pass(true));
    outer.addEventListener("abort", this.#stop, { once: true });
    if (outer.aborted) this.#stop();
  }

  /** True when the time has passed; false also when the node stopped before. */
  get isPassed(): boolean {
    return this.#isPassed;
  }

  /** Resolves when the time has passed or the node stops. */
  get over(): Promise<undefined> {
    return this.#over.promise;
  }

  /** The response to a request; undefined when the time is over, or the request fails as expected. */
  async within<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    if (this.#abort.signal.aborted) return undefined;
    try {
      return await Promise.race([ask(this.#abort.signal), this.#over.promise]);
    } catch (error) {
      if (isCodedError(error)) return undefined;
      throw error;
    }
  }

  /** The time is not needed any more; requests under way continue. */
  end(): void {
    this.#cancel();
    this.#outer.removeEventListener("abort", this.#stop);
  }

  #pass(isPassed: boolean): void {
    this.end();
    this.#isPassed = isPassed;
    this.#abort.abort();
    this.#over.resolve(undefined);
  }
}
