// Group commit: what arrives within one turn of the event loop shares one durable transaction. Each caller gets its result after it.

/** Outcome of one item of a batch. */
export type ItemResult<R> = { readonly value: R } | { readonly error: Error };

/** Makes a batch durable: one result an item, in order. @throws when nothing of the batch was stored. */
export type CommitBatch<T, R> = (items: readonly T[]) => readonly ItemResult<R>[];

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (value: R) => void;
  readonly reject: (error: unknown) => void;
}

/** Collects items and commits them together. */
export class GroupCommit<T, R> {
  readonly #commit: CommitBatch<T, R>;
  readonly #batchItems: number;
  #waiting: Waiting<T, R>[] = [];
  #turn: NodeJS.Immediate | undefined;

  constructor(commit: CommitBatch<T, R>, batchItems: number) {
    this.#commit = commit;
    this.#batchItems = batchItems;
  }

  /** Items that are not durable yet. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Resolves with the item's result once its batch is durable. */
  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#turn ??= setImmediate(() => this.#takeTurn());
    });
  }

  /** Commits everything that waits, at once. */
  flush(): void {
    if (this.#turn !== undefined) clearImmediate(this.#turn);
    this.#turn = undefined;
    while (this.#waiting.length > 0) this.#commitNext();
  }

  #takeTurn(): void {
    this.#turn = undefined;
    this.#commitNext();
    if (this.#waiting.length > 0) this.#turn = setImmediate(() => this.#takeTurn());
  }

  #commitNext(): void {
    const batch = this.#waiting.splice(0, this.#batchItems);
    try {
      const results = this.#commit(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result !== undefined && "value" in result) resolve(result.value);
        else reject(result?.error ?? new Error("The batch gave no result for an item"));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
