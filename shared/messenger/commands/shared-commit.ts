// Changes of several callers in one durable commit: what waits while the store is busy is written together.

import { Change } from "../changes/change.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** Changes of one commit. */
const MAX_TOGETHER = 32;

interface Waiting {
  /** Makes the change and keeps what it gives; rejects without an effect on others. */
  readonly make: (change: Change) => Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Collects changes of one run. */
export class SharedCommit {
  readonly #context: EngineContext;
  #waiting: Waiting[] = [];
  #isAsked = false;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /**
   * Makes a change after all that were given before, and commits it with those that wait beside it. `make` may run twice: it depends on the
   * change alone. @throws what it throws, LOCAL_STORE_FAILED, MESSENGER_UNAVAILABLE.
   */
  async write<T>(make: (change: Change) => Promise<T>): Promise<T> {
    let made: { readonly value: T } | undefined;
    await new Promise<void>((resolve, reject) => {
      const keep = async (change: Change): Promise<void> => {
        made = { value: await make(change) };
      };
      this.#waiting.push({ make: keep, resolve, reject });
      this.#ask();
    });
    return (made as unknown as { readonly value: T }).value;
  }

  #ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    void this.#context.writer
      .run(async () => {
        this.#isAsked = false;
        const some = this.#waiting.splice(0, MAX_TOGETHER);
        if (this.#waiting.length > 0) this.#ask();
        await this.#commit(some);
      })
      .catch((error: unknown) => {
        for (const { reject } of this.#waiting.splice(0)) reject(error);
      });
  }

  /** One commit for all. When one of them is refused, each gets a commit of its own, so that it is refused alone. */
  async #commit(some: readonly Waiting[]): Promise<void> {
    try {
      const change = new Change(this.#context);
      for (const { make } of some) await make(change);
      await change.commit();
    } catch (error) {
      if (some.length > 1) for (const one of some) await this.#commit([one]);
      else for (const { reject } of some) reject(error);
      return;
    }
    for (const { resolve } of some) resolve();
  }
}
