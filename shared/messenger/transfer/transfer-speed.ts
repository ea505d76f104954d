// How long a transfer still takes, by what came lately.

/** What came before is not looked at any more. */
const LOOKED_BACK_MS = 60_000;
/** Nothing is said before. */
const MIN_MS = 5_000;
const APART_MS = 1_000;

interface Progress {
  readonly done: number;
  readonly total: number;
}

/** The speed of one transfer in one run. */
export class TransferSpeed {
  /** At most one a second of the last minute, the oldest first. */
  #seen: readonly { readonly done: number; readonly atMs: number }[] = [];

  /** Notes how far it is; milliseconds until it is done, or null while that cannot be said. */
  leftMs({ done, total }: Progress, nowMs: number): number | null {
    const last = this.#seen.at(-1);
    const kept = this.#seen.filter(({ atMs, done: before }) => nowMs - atMs <= LOOKED_BACK_MS && before <= done);
    this.#seen = last === undefined || nowMs - last.atMs >= APART_MS ? [...kept, { done, atMs: nowMs }] : kept;
    const [first] = this.#seen;
    const came = done - (first?.done ?? done);
    const tookMs = nowMs - (first?.atMs ?? nowMs);
    return came <= 0 || tookMs < MIN_MS || total <= done ? null : Math.round(((total - done) * tookMs) / came);
  }
}
