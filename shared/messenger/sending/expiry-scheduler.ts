// Removes messages whose time has come, also those whose time came while the program was not running.
import type { CancelTimer } from "#shared/util/clock.ts";
import { Change } from "../changes/change.ts";
import { problemOf } from "../model/problem.ts";
import type { EngineContext } from "../state/engine-context.ts";

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
      await removeMessages(this.#context, change, due, { isOver: true });
      for (const key of due) change.batch.deleteMessage(key);
      await change.commit();
    }
    const next = await store.nextExpiry();
    if (next === undefined || this.#isStopped) return;
    this.#cancelTimer?.();
    this.#cancelTimer = timers.setTimer(Math.min(MAX_DELAY_MS, Math.max(0, next - clock.nowMs())), () => this.check());
  }
}
