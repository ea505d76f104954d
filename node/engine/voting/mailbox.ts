// The one way into the engine: bounded queues, handled in batches from the event loop, never re-entered. What the engine itself put in
// comes first, messages of others in fair turns, and timeouts once what was there before them has had its turns.
import type { CancelTimer, Timers } from "#shared/util/clock.ts";
import { type SenderQueueLimits, SenderQueues } from "#shared/util/sender-queues.ts";

/** Items handled before other work of the event loop gets its turn. */
const BATCH_ITEMS = 128;
/** Messages that are handled before a timeout that elapsed after they came. */
const PATIENCE_MESSAGES = 256;

/** What a mailbox does with its items. */
export interface MailboxHandlers<T> {
  handle(item: T): void;
  /** Called after each batch. */
  afterBatch(): void;
  /** Called when handling threw; the mailbox is closed then. */
  fail(error: unknown): void;
}

interface PatientItem<T> {
  readonly item: T;
  /** Messages that may be handled before it. */
  patience: number;
}

/** Hands items to one handler. */
export class Mailbox<T> {
  readonly #timers: Timers;
  readonly #handlers: MailboxHandlers<T>;
  readonly #messages: SenderQueues<T>;
  #own: T[] = [];
  #patient: PatientItem<T>[] = [];
  #cancel: CancelTimer | null = null;
  #isClosed = false;
  #isHeld = false;

  constructor(timers: Timers, limits: SenderQueueLimits, handlers: MailboxHandlers<T>) {
    this.#timers = timers;
    this.#handlers = handlers;
    this.#messages = new SenderQueues(limits);
  }

  /** Queues a message of a sender, for which an older one of it may have to go. */
  pushMessage(sender: string, item: T, bytes: number): void {
    if (this.#isClosed) return;
    this.#messages.push(sender, item, bytes);
    this.#schedule();
  }

  /** Drops what waits of a sender. */
  dropMessages(sender: string): void {
    this.#messages.drop(sender);
  }

  /** Queues an item of the engine itself, which are few: it is never dropped for want of room. */
  push(item: T): void {
    if (this.#isClosed) return;
    this.#own.push(item);
    this.#schedule();
  }

  /** The same, after the messages that wait now: they may be what a timeout waited for. */
  pushPatiently(item: T): void {
    if (this.#isClosed) return;
    this.#patient.push({ item, patience: Math.min(this.#messages.size, PATIENCE_MESSAGES) });
    this.#schedule();
  }

  /** Delivers nothing more, also of the present batch, until {@link release}. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Continues with what is queued. */
  release(): void {
    this.#isHeld = false;
    if (this.#hasItems() && !this.#isClosed) this.#schedule();
  }

  /** Drops what is queued and takes no more. */
  close(): void {
    this.#isClosed = true;
    this.#own = [];
    this.#patient = [];
    this.#messages.clear();
    this.#cancel?.();
    this.#cancel = null;
  }

  #hasItems(): boolean {
    return this.#own.length > 0 || this.#patient.length > 0 || this.#messages.size > 0;
  }

  #next(): T | undefined {
    const own = this.#own.shift();
    if (own !== undefined) return own;
    const [first] = this.#patient;
    if (first !== undefined && (first.patience <= 0 || this.#messages.size === 0)) return this.#patient.shift()?.item;
    for (const waiting of this.#patient) waiting.patience -= 1;
    return this.#messages.shift();
  }

  #schedule(): void {
    if (!this.#isHeld) this.#cancel ??= this.#timers.setTimer(0, () => this.#handleBatch());
  }

  #handleBatch(): void {
    try {
      for (let count = 0; count < BATCH_ITEMS && !this.#isHeld; count += 1) {
        const item = this.#next();
        if (item === undefined) break;
        this.#handlers.handle(item);
        if (this.#isClosed) return;
      }
      if (!this.#isClosed) this.#handlers.afterBatch();
    } catch (error) {
      this.close();
      this.#handlers.fail(error);
      return;
    }
    this.#cancel = null;
    if (this.#hasItems() && !this.#isClosed) this.#schedule();
  }
}
