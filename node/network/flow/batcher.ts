// Collects items for a moment, so that many travel in one message. After an idle moment the first does not wait.
import type { Clock } from "#shared/util/clock.ts";

/** When a batch is full, and how far two batches are apart that are not. */
export interface BatchLimits {
  readonly items: number;
  readonly bytes: number;
  readonly delayMs: number;
}

/** What a batcher does with its items. */
export interface BatcherDependencies<T> {
  readonly limits: BatchLimits;
  readonly clock: Clock;
  readonly sizeOf: (item: T) => number;
  readonly send: (items: readonly T[]) => void;
}

/** Batches in order of arrival. An item larger than a batch travels alone. */
export class Batcher<T> {
  readonly #dependencies: BatcherDependencies<T>;
  #items: T[] = [];
  #bytes = 0;
  #cancel: (() => void) | undefined;
  #sentAtMs = Number.NEGATIVE_INFINITY;

  constructor(dependencies: BatcherDependencies<T>) {
    this.#dependencies = dependencies;
  }

  add(items: readonly T[]): void {
    for (const item of items) this.#addOne(item);
    if (this.#items.length > 0) this.#cancel ??= this.#flushLater();
  }

  /** Sends what waits. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const items = this.#items;
    if (items.length === 0) return;
    this.#items = [];
    this.#bytes = 0;
    this.#sentAtMs = this.#dependencies.clock.monotonicMs();
    this.#dependencies.send(items);
  }

  /** Forgets what waits. */
  close(): void {
    this.#cancel?.();
    this.#items = [];
  }

  #flushLater(): () => void {
    const { limits, clock } = this.#dependencies;
    const waitMs = this.#sentAtMs + limits.delayMs - clock.monotonicMs();
    if (waitMs > 0) {
      const timer = setTimeout(() => this.flush(), waitMs);
      return (): void => clearTimeout(timer);
    }
    // What comes in the same turn of the event loop still goes along.
    const turn = setImmediate(() => this.flush());
    return (): void => clearImmediate(turn);
  }

  #addOne(item: T): void {
    const { limits, sizeOf } = this.#dependencies;
    const bytes = sizeOf(item);
    if (this.#bytes + bytes > limits.bytes) this.flush();
    this.#items.push(item);
    this.#bytes += bytes;
    if (this.#items.length >= limits.items || this.#bytes >= limits.bytes) this.flush();
  }
}
