// A bounded queue of jobs with bounded concurrency, whose senders are served in turn. Starting jobs gives way to other work after a while.
import type { Clock } from "#shared/util/clock.ts";
import { SenderQueues } from "#shared/util/sender-queues.ts";

/** How much a queue holds and runs. */
export interface WorkQueueLimits {
  readonly queued: number;
  /** Bytes that wait of one sender … */
  readonly senderBytes: number;
  /** … and of all. */
  readonly totalBytes: number;
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

/** Items in order of arrival, of each sender. When there is no room the oldest of the sender with the most goes: what is newer matters more. */
export class WorkQueue<T> {
  readonly #dependencies: WorkQueueDependencies<T>;
  readonly #items: SenderQueues<T>;
  #running = 0;
  #turn: NodeJS.Immediate | undefined;
  #isClosed = false;

  constructor(dependencies: WorkQueueDependencies<T>) {
    this.#dependencies = dependencies;
    const { queued, senderBytes, totalBytes } = dependencies.limits;
    const limits = { messages: queued, totalMessages: queued, bytes: senderBytes, totalBytes };
    this.#items = new SenderQueues(limits, dependencies.drop);
  }

  /** Items that wait. */
  get size(): number {
    return this.#items.size;
  }

  /** Bytes that wait. */
  get bytes(): number {
    return this.#items.bytes;
  }

  push(item: T, { sender, bytes }: { readonly sender: string; readonly bytes: number }): void {
    if (this.#isClosed) return;
    this.#items.push(sender, item, bytes);
    if (this.#turn === undefined) this.#start();
  }

  /** Drops what waits of a sender. */
  forget(sender: string): void {
    this.#items.drop(sender);
  }

  /** Forgets what waits and takes nothing more. */
  close(): void {
    this.#isClosed = true;
    this.#items.clear();
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
