// A bounded queue of jobs with bounded concurrency. Starting jobs gives way to other work after a while.
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

/** Items in order of arrival. When the queue is full the oldest goes: what is newer matters more. */
export class WorkQueue<T> {
  readonly #dependencies: WorkQueueDependencies<T>;
  #items: T[] = [];
  #running = 0;
  #turn: NodeJS.Immediate | undefined;
  #isClosed = false;

  constructor(dependencies: WorkQueueDependencies<T>) {
    this.#dependencies = dependencies;
  }

  /** Items that wait. */
  get size(): number {
    return this.#items.length;
  }

  push(item: T): void {
    if (this.#isClosed) return;
    this.#items.push(item);
    if (this.#items.length > this.#dependencies.limits.queued) {
      const oldest = this.#items.shift();
      if (oldest !== undefined) this.#dependencies.drop(oldest);
    }
    if (this.#turn === undefined) this.#start();
  }

  /** Forgets what waits and takes nothing more. */
  close(): void {
    this.#isClosed = true;
    this.#items = [];
    if (this.#turn !== undefined) clearImmediate(this.#turn);
  }

  #start(): void {
    const { limits, clock } = this.#dependencies;
    const endMs = clock.monotonicMs() + limits.turnMs;
    while (this.#running < limits.concurrent) {
      const item = this.#items.shift();
      if (item === undefined) return;
      this.#running += 1;
      void this.#dependencies.work(item).finally(() => this.#finished());
      if (clock.monotonicMs() >= endMs) {
        this.#turn ??= setImmediate(() => this.#nextTurn());
        return;
      }
    }
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
