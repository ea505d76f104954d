// How long something will take, by the speed of its last while. What is shown counts down with the clock and is replaced only where the speed
// says something else, so that it does not jump about; without a speed there is no estimate rather than a wrong one.
import type { Clock } from "./clock.ts";

/** Time over which the speed is measured, ms. */
const SPAN_MS = 30_000;
/** Shortest time between two marks, ms. */
const MARK_MS = 500;
/** Shorter observations say nothing. */
const LEAST_MS = 2_000;
/** Without progress for so long there is no estimate, unless progress comes in larger steps, ms. */
const STALL_MS = 15_000;
/** A pause after which the measurement begins again: the computer slept, or there was nothing to do, ms. */
const GAP_MS = 60_000;
/** What is shown stays while the new estimate differs by less than this, ms, and less than this share. */
const STEADY_MS = 2_000;
const STEADY_SHARE = 0.2;

interface Mark {
  readonly atMs: number;
  readonly done: number;
}

/** Follows one amount, in any unit, on its way to a total. */
export class LeftEstimate {
  readonly #clock: Pick<Clock, "monotonicMs">;
  /** Where it was, at most one mark in {@link MARK_MS} of {@link SPAN_MS}. */
  #marks: Mark[] = [];
  /** The latest progress. */
  #newest: Mark | undefined;
  #total: number | undefined;
  /** When it will be done, as it is shown. */
  #endMs: number | undefined;

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** Forgets what was measured. */
  begin(): void {
    [this.#marks, this.#newest, this.#total, this.#endMs] = [[], undefined, undefined, undefined];
  }

  /** So much is done now, of so much as far as that is known. */
  mark(done: number, total?: number): void {
    const nowMs = this.#clock.monotonicMs();
    const newest = this.#newest;
    const isOther = newest !== undefined && (done < newest.done || nowMs < newest.atMs || nowMs > newest.atMs + GAP_MS);
    if (isOther && (done !== newest.done || nowMs < newest.atMs)) this.begin();
    this.#total = total;
    if (this.#newest?.done === done) return;
    this.#newest = { atMs: nowMs, done };
    const last = this.#marks.at(-1);
    if (last !== undefined && nowMs < last.atMs + MARK_MS) return;
    this.#marks.push(this.#newest);
    while (this.#marks.length > 2 && (this.#marks[0]?.atMs ?? 0) < nowMs - SPAN_MS) this.#marks.shift();
  }

  /** Milliseconds until all is done; undefined without a total, without a speed, and once nothing has come for a while. */
  leftMs(): number | undefined {
    const nowMs = this.#clock.monotonicMs();
    const freshMs = this.#freshMs(nowMs);
    if (freshMs === undefined) {
      this.#endMs = undefined;
      return undefined;
    }
    const endMs = nowMs + freshMs;
    if (this.#endMs === undefined || Math.abs(this.#endMs - endMs) > Math.max(STEADY_MS, STEADY_SHARE * freshMs)) this.#endMs = endMs;
    return Math.max(0, this.#endMs - nowMs);
  }

  #freshMs(nowMs: number): number | undefined {
    const [first, newest, total] = [this.#marks[0], this.#newest, this.#total];
    if (first === undefined || newest === undefined || total === undefined) return undefined;
    // A total of nothing is one that is not known yet.
    if (newest.done >= total) return total > 0 ? 0 : undefined;
    const elapsedMs = newest.atMs - first.atMs;
    const idleMs = nowMs - newest.atMs;
    if (elapsedMs < LEAST_MS || newest.done <= first.done || idleMs < 0) return undefined;
    // Some things come in a few large steps.
    const stepMs = elapsedMs / Math.max(1, this.#marks.length - 1);
    if (idleMs > Math.max(STALL_MS, 3 * stepMs)) return undefined;
    return Math.max(0, ((total - newest.done) * elapsedMs) / (newest.done - first.done) - idleMs);
  }
}
