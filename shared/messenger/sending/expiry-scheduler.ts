// Removes messages whose time has come, also those whose time came while the program was not running. They go from the screen by the own
// clock, and from the store by the slower of two: one start with a clock that is years ahead destroys nothing.
import pLimit from "p-limit";
import type { CancelTimer } from "#shared/util/clock.ts";
import { Change } from "../changes/change.ts";
import { waitsHere } from "../changes/chats/begin-time.ts";
import type { MessageKey } from "../model/message.ts";
import { problemOf } from "../model/problem.ts";
import { isOverByBoth, type OwnAndChain, timeLeft } from "../model/progress/message-time.ts";
import type { MessageExpiry } from "../model/records.ts";
import { CHAIN_TIME_KEY } from "../state/clocks/slower-clock.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** Messages removed in one step. */
const BATCH = 200;
/** Timers of browsers hold no more. */
const MAX_DELAY_MS = 2_000_000_000;
/** While one clock says that something is over and the other does not, both are looked at so often. */
const LOOK_MS = 60_000;
/** Messages that wait for the slower clock in memory; further ones are looked at once these are gone. */
const MAX_WAITING = 4_096;

/** Watches the time of one run. */
export class ExpiryScheduler {
  readonly #context: EngineContext;
  readonly #onHidden: () => void;
  /** What is over by one clock. */
  readonly #waiting = new Map<MessageKey, MessageExpiry>();
  #cancelTimer: CancelTimer | undefined;
  /** Looking at the keys of what disappears, one time after the other. */
  readonly #keys = pLimit(1);
  /** When they are looked at again, by the own clock; at once where a message is gone. */
  #keysAt = 0;
  #isStopped = false;

  /** `onHidden`: what is on the screen may be over by the own clock. */
  constructor(context: EngineContext, onHidden: () => void) {
    this.#context = context;
    this.#onHidden = onHidden;
  }

  /** Removes what is due and sets the next time. Call when the time of a message has begun. */
  check(): void {
    if (this.#isStopped) return;
    this.#cancelTimer?.();
    void this.#look().catch((error: unknown) => this.#context.report(problemOf(error)));
  }

  /** A message was removed or taken back: the key under which it lay may go with it. */
  checkKeys(): void {
    this.#keysAt = 0;
    this.check();
  }

  /** Something may lie under a key of which nothing is watched yet. */
  watchKeys(): void {
    if (this.#cancelTimer === undefined && this.#context.store.ring.all.length > 0) this.check();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
  }

  async #look(): Promise<void> {
    const { store, newestBlock, writer } = this.#context;
    if ((await store.nextExpiry()) === undefined && store.ring.all.length === 0) {
      this.#cancelTimer = undefined;
      return;
    }
    await newestBlock.refresh();
    if (!this.#isStopped) await writer.run(() => this.#sweep());
    try {
      await this.#keys(() => this.#checkKeys());
    } finally {
      await this.#setTimer();
    }
  }

  async #sweep(): Promise<void> {
    const { slower } = this.#context;
    const before = this.#waiting.size;
    for (;;) {
      const due = await this.#due(slower.now());
      if (due.length === 0) break;
      await this.#remove(due);
    }
    await this.#noteTime();
    if (this.#waiting.size > 0 || before > 0) this.#onHidden();
  }

  /** Keys go with the last message that lay under them. */
  async #checkKeys(): Promise<void> {
    const { store, slower, writer, clock } = this.#context;
    if (this.#isStopped || store.ring.all.length === 0 || clock.nowMs() < this.#keysAt) return;
    // Where the vault cannot be written nothing else waits for it.
    this.#keysAt = clock.nowMs() + LOOK_MS;
    const delayMs = await store.checkDayKeys(writer, slower.now());
    this.#keysAt = clock.nowMs() + (delayMs ?? 0);
  }

  async #setTimer(): Promise<void> {
    const { slower, timers, store, clock } = this.#context;
    const toNextMs = await this.#delayMs(slower.now());
    const toKeysMs = store.ring.all.length === 0 ? undefined : this.#keysAt - clock.nowMs();
    const delays = [toNextMs, toKeysMs].filter((ms) => ms !== undefined);
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (delays.length === 0 || this.#isStopped) return;
    const delayMs = Math.min(...delays);
    this.#cancelTimer = timers.setTimer(Math.min(MAX_DELAY_MS, Math.max(0, delayMs)), () => this.check());
  }

  /** Some of those whose time is over by both clocks; of others it is noted that they wait. */
  async #due(now: OwnAndChain): Promise<readonly MessageKey[]> {
    const { store } = this.#context;
    const due = [...this.#waiting].filter(([, expiry]) => isOverByBoth(expiry, now)).map(([key]) => key);
    while (due.length < BATCH && this.#waiting.size < MAX_WAITING) {
      const limit = this.#waiting.size + BATCH;
      const keys = await store.readExpired(Math.max(now.ownMs, now.chainMs), limit);
      const known = new Set(due);
      const others = keys.filter((key) => !this.#waiting.has(key) && !known.has(key));
      for (const key of others) {
        const expiry = (await store.readMessage(key))?.expiry ?? (await this.#unreadable(key));
        if (isOverByBoth(expiry, now)) due.push(key);
        else this.#waiting.set(key, expiry);
      }
      if (others.length === 0 || keys.length < limit) break;
    }
    return due.slice(0, BATCH);
  }

  /** What cannot be read goes too, at a time that its row still says. */
  async #unreadable(key: MessageKey): Promise<MessageExpiry> {
    return { seconds: 0, startedAt: (await this.#context.store.expiryOf(key)) ?? 0 };
  }

  async #remove(due: readonly MessageKey[]): Promise<void> {
    const { removeMessages } = await import("./remove-messages.ts");
    const change = new Change(this.#context);
    const over: MessageKey[] = [];
    for (const key of due) if (!(await this.#putBack(change, key))) over.push(key);
    await removeMessages(this.#context, change, over, { isOver: true });
    for (const key of over) change.batch.deleteMessage(key);
    await change.commit();
    this.#keysAt = 0;
    for (const key of due) this.#waiting.delete(key);
  }

  /** A message that waits to be handed in has its time before it yet: it was tried again, or written by an earlier version. */
  async #putBack(change: Change, key: MessageKey): Promise<boolean> {
    const message = await change.batch.message(key);
    if (message?.expiry === undefined || !(await waitsHere(this.#context, change, key, message))) return false;
    change.updateMessage(key, { ...message, expiry: { seconds: message.expiry.seconds, startedAt: null } });
    return true;
  }

  /** For the next run: its time begins where that of this one ended. */
  async #noteTime(): Promise<void> {
    const { slower, store } = this.#context;
    const time = slower.toNote;
    if (time === undefined) return;
    const batch = store.begin();
    batch.putMeta(CHAIN_TIME_KEY, time);
    await batch.commit();
    slower.setNoted(time);
  }

  /** Until a clock reaches the next time; undefined where nothing has any. */
  async #delayMs(now: OwnAndChain): Promise<number | undefined> {
    const next = await this.#context.store.nextExpiry();
    if (next === undefined) return undefined;
    if (this.#waiting.size === 0) return next - Math.max(now.ownMs, now.chainMs);
    const left = [...this.#waiting.values()].flatMap((expiry) => Object.values(timeLeft(expiry, now)) as number[]);
    return Math.min(LOOK_MS, ...left.filter((ms) => ms > 0));
  }
}
