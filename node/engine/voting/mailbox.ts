// The one way into the engine: a bounded queue, handled in batches from the event loop, never re-entered.
import type { CancelTimer, Timers } from "#shared/util/clock.ts";

/** Items handled before other work of the event loop gets its turn. */
const BATCH_ITEMS = 128;

/** What a mailbox does with its items. */
export interface MailboxHandlers<T> {
  handle(item: T): void;
  /** Called after each batch. */
  afterBatch(): void;
  /** Called when handling threw; the mailbox is closed then. */
  fail(error: unknown): void;
}

/** Hands items to one handler, in order. */
export class Mailbox<T> {
  readonly #timers: Timers;
  readonly #capacity: number;
  readonly #handlers: MailboxHandlers<T>;
  #items: T[] = [];
  #cancel: CancelTimer | null = null;
  #isClosed = false;
  #isHeld = false;

  constructor(timers: Timers, capacity: number, handlers: MailboxHandlers<T>) {
    this.#timers = timers;
    this.#capacity = capacity;
    this.#handlers = handlers;
  }

  /** Queues an item; false (dropped) when the mailbox is full or closed. */
  tryPush(item: T): boolean {
    if (this.#items.length >= this.#capacity) return false;
    return this.push(item);
  }

  /** Queues an item of the engine itself, which are few: it is never dropped for want of room. */
  push(item: T): boolean {
    if (this.#isClosed) return false;
    this.#items.push(item);
    this.#schedule();
    return true;
  }

  /** Delivers nothing more, also of the present batch, until {@link release}. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Continues with what is queued. */
  release(): void {
    this.#isHeld = false;
    if (this.#items.length > 0 && !this.#isClosed) this.#schedule();
  }

  /** Drops what is queued and takes no more. */
  close(): void {
    this.#isClosed = true;
    this.#items = [];
    this.#cancel?.();
    this.#cancel = null;
  }

  #schedule(): void {
    if (!this.#isHeld) this.#cancel ??= this.#timers.setTimer(0, () => this.#handleBatch());
  }

  #handleBatch(): void {
    try {
      const batch = this.#items.splice(0, BATCH_ITEMS);
      for (const [index, item] of batch.entries()) {
        if (this.#isClosed) return;
        if (this.#isHeld) {
          this.#items = [...batch.slice(index), ...this.#items];
          break;
        }
        this.#handlers.handle(item);
      }
      if (!this.#isClosed) this.#handlers.afterBatch();
    } catch (error) {
      this.close();
      this.#handlers.fail(error);
      return;
    }
    this.#cancel = null;
    if (this.#items.length > 0 && !this.#isClosed) this.#schedule();
  }
}
