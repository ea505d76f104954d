// How fast the chain grows while it is synchronised, and when it will be done.
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Clock } from "#shared/util/clock.ts";

/** Time over which the speed is measured, ms. */
const SPAN_MS = 10_000;
/** Shortest time between two marks, ms. */
const MARK_MS = 500;

interface Mark {
  readonly atMs: number;
  readonly height: Height;
}

/** Heights over the last seconds. */
export class SyncProgress {
  readonly #clock: Clock;
  #marks: Mark[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Forgets what was measured: another synchronisation begins at this height. */
  begin(height: Height): void {
    this.#marks = [{ atMs: this.#clock.monotonicMs(), height }];
  }

  /** The tip has this height now. */
  reached(height: Height): void {
    const nowMs = this.#clock.monotonicMs();
    const last = this.#marks.at(-1);
    if (last !== undefined && nowMs < last.atMs + MARK_MS) return;
    this.#marks.push({ atMs: nowMs, height });
    while (this.#marks.length > 2 && (this.#marks[0]?.atMs ?? 0) < nowMs - SPAN_MS) this.#marks.shift();
  }

  /** Blocks a second up to now, 0 when there is nothing to measure. */
  blocksPerSecond(height: Height): number {
    const [first] = this.#marks;
    const elapsedMs = first === undefined ? 0 : this.#clock.monotonicMs() - first.atMs;
    return first === undefined || elapsedMs <= 0 ? 0 : ((height - first.height) * 1_000) / elapsedMs;
  }
}
