// Tasks one after the other, in the order in which they came.

/** A queue of tasks. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  /** The task's own result; a failure does not stop the next task. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
