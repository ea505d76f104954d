// Removes messages whose time has come, also those whose time came while the program was not running.
import type { CancelTimer } from "#shared/util/clock.ts";
import { Change } from "../changes/change.ts";
import type { MessageKey } from "../model/message.ts";
import { problemOf } from "../model/problem.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { waitsHere } from "./begin-time.ts";

/** Messages removed in one step. */
const BATCH = 200;
/** Timers of browsers hold no more. */
const MAX_DELAY_MS = 2_000_000_000;

/** Watches the time of one run. */
export class ExpiryScheduler {
  readonly #context: EngineContext;
  #cancelTimer: CancelTimer | undefined;
  #isStopped = false;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /** Removes what is due and sets the next time. Call when the time of a message has begun. */
  check(): void {
    if (this.#isStopped) return;
    this.#cancelTimer?.();
    void this.#context.writer.run(() => this.#sweep()).catch((error: unknown) => this.#context.report(problemOf(error)));
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
  }

  async #sweep(): Promise<void> {
    const { store, clock, timers } = this.#context;
    for (;;) {
      const due = await store.readExpired(clock.nowMs(), BATCH);
      if (due.length === 0) break;
      const { removeMessages } = await import("./remove-messages.ts");
      const change = new Change(this.#context);
      const over: MessageKey[] = [];
      for (const key of due) if (!(await this.#putBack(change, key))) over.push(key);
      await removeMessages(this.#context, change, over, { isOver: true });
      for (const key of over) change.batch.deleteMessage(key);
      await change.commit();
    }
    const next = await store.nextExpiry();
    if (next === undefined || this.#isStopped) return;
    this.#cancelTimer?.();
    this.#cancelTimer = timers.setTimer(Math.min(MAX_DELAY_MS, Math.max(0, next - clock.nowMs())), () => this.check());
  }

  /** A message that waits to be handed in has its time before it yet: it was tried again, or written by an earlier version. */
  async #putBack(change: Change, key: MessageKey): Promise<boolean> {
    const message = await change.batch.message(key);
    if (message?.expiry === undefined || !(await waitsHere(this.#context, change, key, message))) return false;
    change.updateMessage(key, { ...message, expiry: { ...message.expiry, startedAt: null } });
    return true;
  }
}
