// Turns of something that is done again and again, spread over the time between two of them.

/** Part of the time between two turns that passes at least before the first one. */
const FIRST_PART = 0.25;

/** Turns, the first of them by a phase between 0 and 1. */
export class Repeated {
  readonly #everyMs: number;
  #nextAtMs: number;

  constructor(everyMs: number, phase: number, nowMs: number) {
    this.#everyMs = everyMs;
    this.#nextAtMs = nowMs + everyMs * (FIRST_PART + (1 - FIRST_PART) * phase);
  }

  /** True once a turn. */
  isDue(nowMs: number): boolean {
    if (nowMs < this.#nextAtMs) return false;
    this.#nextAtMs = nowMs + this.#everyMs;
    return true;
  }
}
