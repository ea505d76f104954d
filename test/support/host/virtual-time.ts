// Time that tests advance: timers fire in order of their due time, then of their making.
import type { CancelTimer, Clock, Timers } from "#shared/util/clock.ts";

interface Entry {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
  isCancelled: boolean;
}

/** Timers and clocks over one virtual time, which starts at 0. */
export class VirtualTime implements Timers {
  #nowMs = 0;
  #order = 0;
  /** Binary heap by (dueMs, order). */
  readonly #heap: Entry[] = [];

  /** Virtual time now, ms. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Timers that have not fired and are not cancelled. */
  get pending(): number {
    return this.#heap.filter((entry) => !entry.isCancelled).length;
  }

  /** A clock whose wall time is `offsetMs` at virtual time 0. */
  clock(offsetMs: number): Clock {
    return { nowMs: (): number => this.#nowMs + offsetMs, monotonicMs: (): number => this.#nowMs };
  }

  setTimer(delayMs: number, callback: () => void): CancelTimer {
    const entry: Entry = { dueMs: this.#nowMs + Math.max(0, delayMs), order: this.#order++, callback, isCancelled: false };
    this.#heap.push(entry);
    this.#siftUp(this.#heap.length - 1);
    return (): void => {
      entry.isCancelled = true;
    };
  }

  /** Fires the next timer due by `untilMs`; false when there is none, the time is `untilMs` then. */
  step(untilMs: number): boolean {
    for (let next = this.#heap[0]; next !== undefined && next.dueMs <= untilMs; next = this.#heap[0]) {
      this.#pop();
      if (next.isCancelled) continue;
      this.#nowMs = next.dueMs;
      next.callback();
      return true;
    }
    this.#nowMs = Math.max(this.#nowMs, untilMs);
    return false;
  }

  /** Lets `durationMs` pass, at most `maxTimers` timers. @throws Error when more fire: something is busy without end. */
  advance(durationMs: number, maxTimers = 100_000): void {
    const untilMs = this.#nowMs + durationMs;
    for (let fired = 0; this.step(untilMs); fired += 1) if (fired > maxTimers) throw new Error(`More than ${maxTimers} timers fired`);
  }

  #pop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    let index = 0;
    for (;;) {
      const least = [2 * index + 1, 2 * index + 2].reduce((best, child) => (this.#isBefore(child, best) ? child : best), index);
      if (least === index) return;
      this.#swap(index, least);
      index = least;
    }
  }

  #siftUp(start: number): void {
    for (let index = start; index > 0 && this.#isBefore(index, (index - 1) >> 1); index = (index - 1) >> 1)
      this.#swap(index, (index - 1) >> 1);
  }

  #isBefore(a: number, b: number): boolean {
    const [first, second] = [this.#heap[a], this.#heap[b]];
    if (first === undefined || second === undefined) return false;
    return first.dueMs < second.dueMs || (first.dueMs === second.dueMs && first.order < second.order);
  }

  #swap(a: number, b: number): void {
    const [first, second] = [this.#heap[a], this.#heap[b]];
    if (first === undefined || second === undefined) return;
    this.#heap[a] = second;
    this.#heap[b] = first;
  }
}
