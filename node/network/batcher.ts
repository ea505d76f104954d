// Collects items for a moment, so that many travel in one message.

/** When a batch is full, and how long its first item waits. */
export interface BatchLimits {
  readonly items: number;
  readonly bytes: number;
  readonly delayMs: number;
}

/** What a batcher does with its items. */
export interface BatcherParts<T> {
  readonly limits: BatchLimits;
  readonly sizeOf: (item: T) => number;
  readonly send: (items: readonly T[]) => void;
}

/** Batches in order of arrival. An item larger than a batch travels alone. */
export class Batcher<T> {
  readonly #parts: BatcherParts<T>;
  #items: T[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: BatcherParts<T>) {
    this.#parts = parts;
  }

  add(items: readonly T[]): void {
    for (const item of items) this.#addOne(item);
    if (this.#items.length > 0) this.#timer ??= setTimeout(() => this.flush(), this.#parts.limits.delayMs);
  }

  /** Sends what waits. */
  flush(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
    const items = this.#items;
    if (items.length === 0) return;
    this.#items = [];
    this.#bytes = 0;
    this.#parts.send(items);
  }

  /** Forgets what waits. */
  close(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#items = [];
  }

  #addOne(item: T): void {
    const { limits, sizeOf } = this.#parts;
    const bytes = sizeOf(item);
    if (this.#bytes + bytes > limits.bytes) this.flush();
    this.#items.push(item);
    this.#bytes += bytes;
    if (this.#items.length >= limits.items || this.#bytes >= limits.bytes) this.flush();
  }
}
