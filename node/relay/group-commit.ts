// Group commit: what arrives within one turn of the event loop shares one durable transaction, and what is in no hurry waits for more where
// the disk is slow. Each caller gets its result after it.

/** Outcome of one item of a batch. */
export type ItemResult<R> = { readonly value: R } | { readonly error: Error };

/** Makes a batch durable: one result an item, in order. @throws when nothing of the batch was stored. */
export type CommitBatch<T, R> = (items: readonly T[]) => readonly ItemResult<R>[];

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (value: R) => void;
  readonly reject: (error: unknown) => void;
}

/** Longest wait of what is in no hurry, ms. */
const MAX_PATIENCE_MS = 10;

/** Collects items and commits them together. */
export class GroupCommit<T, R> {
  readonly #commit: CommitBatch<T, R>;
  readonly #batchItems: number;
  #waiting: Waiting<T, R>[] = [];
  #turn: NodeJS.Immediate | undefined;
  #patience: NodeJS.Timeout | undefined;
  /** How long the last commit took. */
  #tookMs = 0;

  constructor(commit: CommitBatch<T, R>, batchItems: number) {
    this.#commit = commit;
    this.#batchItems = batchItems;
  }

  /** Items that are not durable yet. */
  get size(): number {
    return this.#waiting.length;
  }

  /**
   * Resolves with the item's result once its batch is durable. One that is in no hurry, as no person waits for it, waits as long for others
   * as the last commit took, 10 ms at most.
   */
  add(item: T, isInHurry = true): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (isInHurry || this.#tookMs < 1) this.#turn ??= setImmediate(() => this.#takeTurn());
      else this.#patience ??= setTimeout(() => this.#takeTurn(), Math.min(MAX_PATIENCE_MS, this.#tookMs));
    });
  }

  /** Commits everything that waits, at once. */
  flush(): void {
    this.#clear();
    while (this.#waiting.length > 0) this.#commitNext();
  }

  #clear(): void {
    clearImmediate(this.#turn);
    clearTimeout(this.#patience);
    this.#turn = undefined;
    this.#patience = undefined;
  }

  #takeTurn(): void {
    this.#clear();
    this.#commitNext();
    if (this.#waiting.length > 0) this.#turn = setImmediate(() => this.#takeTurn());
  }

  #commitNext(): void {
    const batch = this.#waiting.splice(0, this.#batchItems);
    const startedMs = performance.now();
    try {
      const results = this.#commit(batch.map(({ item }) => item));
      this.#tookMs = performance.now() - startedMs;
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
