// Pauses between questions that a page asks for: who says no again and again is not worn down into agreeing.
import type { Clock } from "#shared/util/clock.ts";

/** Refusals in a row that cost no pause. */
export const FREE_REFUSALS = 2;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 600_000;

/** Counts what came of questions of one kind. */
export class QuestionPauses {
  readonly #clock: Pick<Clock, "monotonicMs">;
  #refusals = 0;
  #pausedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** Time until the next question may be asked, ms; 0: now. */
  get waitMs(): number {
    return Math.max(0, this.#pausedUntilMs - this.#clock.monotonicMs());
  }

  /** What the person did. */
  count(hasAgreed: boolean): void {
    this.#refusals = hasAgreed ? 0 : this.#refusals + 1;
    if (this.#refusals <= FREE_REFUSALS) return;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (this.#refusals - FREE_REFUSALS - 1), MAX_PAUSE_MS);
    this.#pausedUntilMs = this.#clock.monotonicMs() + pauseMs;
  }
}
