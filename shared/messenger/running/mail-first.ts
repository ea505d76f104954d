// Mailboxes are read before the outbox starts: what waited for the line is sealed for who is in a group by then, and to the newest cards.
import type { CancelTimer } from "#shared/util/clock.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** A node that does not answer, or has mail for longer than this, holds up nothing for longer. */
export const MAIL_FIRST_MS = 5_000;

/** Whether what waits to be sent waits for mail, in one run. */
export class MailFirst {
  readonly #context: Pick<EngineContext, "clock" | "timers">;
  readonly #onEnd: () => void;
  /** Since when, by the monotonic clock; undefined while nothing waits for mail. */
  #sinceMs: number | undefined;
  #cancelTimer: CancelTimer | undefined;

  /** `onEnd`: what waited can leave. */
  constructor(context: Pick<EngineContext, "clock" | "timers">, onEnd: () => void) {
    this.#context = context;
    this.#onEnd = onEnd;
  }

  get isWaiting(): boolean {
    return this.#sinceMs !== undefined;
  }

  /** The line is there: all mailboxes are to be read from now on. */
  begin(): void {
    this.#cancelTimer?.();
    this.#sinceMs = this.#context.clock.monotonicMs();
    this.#cancelTimer = this.#context.timers.setTimer(MAIL_FIRST_MS, () => this.#end());
  }

  /** All mailboxes were read, beginning at a time of the monotonic clock: of a line that was lost since it says nothing. */
  noteRead(begunMs: number): void {
    if (this.#sinceMs !== undefined && begunMs >= this.#sinceMs) this.#end();
  }

  /** Nothing waits for mail any more: the line is lost, or the run is over. */
  stop(): void {
    this.#cancelTimer?.();
    this.#sinceMs = undefined;
  }

  #end(): void {
    this.stop();
    this.#onEnd();
  }
}
