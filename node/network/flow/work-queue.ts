// A bounded queue of jobs with bounded concurrency, whose senders are served in turn. Starting jobs gives way to other work after a while.
import type { Clock } from "#shared/util/clock.ts";

/** How much a queue holds and runs. */
export interface WorkQueueLimits {
  readonly queued: number;
  readonly concurrent: number;
  /** Jobs are started this long before other work gets its turn, ms. */
  readonly turnMs: number;
}

/** What a queue does with its items. */
export interface WorkQueueDependencies<T> {
  readonly limits: WorkQueueLimits;
  readonly clock: Clock;
  /** Handles one item; must not throw or reject. */
  readonly work: (item: T) => Promise<void>;
  /** Called with an item that had to make room for newer ones. */
  readonly drop: (item: T) => void;
}

/** Items in order of arrival, of each sender. When the queue is full the oldest of the sender with the most goes: what is newer matters more. */
export class WorkQueue<T> {
  readonly #dependencies: WorkQueueDependencies<T>;
  /** By sender; the one whose turn it is comes first. */
  readonly #items = new Map<string, T[]>();
  #size = 0;
  #running = 0;
  #turn: NodeJS.Immediate | undefined;
  #isClosed = false;

  constructor(dependencies: WorkQueueDependencies<T>) {
    this.#dependencies = dependencies;
  }

  /** Items that wait. */
  get size(): number {
    return this.#size;
  }

  push(item: T, sender = ""): void {
    if (this.#isClosed) return;
    const items = this.#items.get(sender) ?? [];
    items.push(item);
    this.#items.set(sender, items);
    this.#size += 1;
    if (this.#size > this.#dependencies.limits.queued) this.#dropOldest();
    if (this.#turn === undefined) this.#start();
  }

  /** Drops what waits of a sender. */
  forget(sender: string): void {
    for (const item of this.#items.get(sender) ?? []) this.#dependencies.drop(item);
    this.#size -= this.#items.get(sender)?.length ?? 0;
    this.#items.delete(sender);
  }

  /** Forgets what waits and takes nothing more. */
  close(): void {
    this.#isClosed = true;
    this.#items.clear();
    this.#size = 0;
    if (this.#turn !== undefined) clearImmediate(this.#turn);
  }

  #start(): void {
    const { limits, clock } = this.#dependencies;
    const endMs = clock.monotonicMs() + limits.turnMs;
    while (this.#running < limits.concurrent) {
      const item = this.#next();
      if (item === undefined) return;
      this.#running += 1;
      void this.#dependencies.work(item).finally(() => this.#finished());
      if (clock.monotonicMs() >= endMs) {
        this.#turn ??= setImmediate(() => this.#nextTurn());
        return;
      }
    }
  }

  #next(): T | undefined {
    const first = this.#items.entries().next();
    if (first.done === true) return undefined;
    const [sender, items] = first.value;
    const item = items.shift();
    this.#size -= 1;
    this.#items.delete(sender);
    if (items.length > 0) this.#items.set(sender, items);
    return item;
  }

  #dropOldest(): void {
    const [most] = [...this.#items.entries()].sort(([, a], [, b]) => b.length - a.length);
    const oldest = most?.[1].shift();
    this.#size -= 1;
    if (most !== undefined && most[1].length === 0) this.#items.delete(most[0]);
    if (oldest !== undefined) this.#dependencies.drop(oldest);
  }

  #finished(): void {
    this.#running -= 1;
    if (this.#turn === undefined) this.#start();
  }

  #nextTurn(): void {
    this.#turn = undefined;
    this.#start();
  }
}
