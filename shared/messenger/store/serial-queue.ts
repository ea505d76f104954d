// One task after another. The store has one writer; everything that changes it goes through one queue.
import pLimit from "p-limit";
import { CodedError } from "#shared/errors/coded-error.ts";

/** Runs tasks in the order they were given. */
export class SerialQueue {
  readonly #limit = pLimit(1);
  #isClosed = false;

  /** The task's own result; a failure does not stop the next task. @throws CodedError MESSENGER_UNAVAILABLE after {@link close}. */
  run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new CodedError("MESSENGER_UNAVAILABLE", "The messenger has been stopped"));
    return this.#limit(task);
  }

  /** Resolves when the tasks given so far have ended: what is shown while it is being stored is there then. */
  async settled(): Promise<void> {
    await this.#limit(() => undefined);
  }

  /** Takes no more tasks; resolves when those given so far have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.settled();
  }
}
