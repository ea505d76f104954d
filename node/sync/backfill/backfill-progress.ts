// How far older blocks are, and how long the rest will take.
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Clock } from "#shared/util/clock.ts";

/** Down to which height, or to which time, blocks are kept, and where the lowest one is. */
export type BackfillGoal =
  | { readonly first: Height; readonly toHeight: Height }
  | { readonly first: Height; readonly firstMs: number; readonly toMs: number };

/** What is shown of it. */
export interface ProgressView {
  /** The lowest block that is to be here; undefined where a time says it. */
  readonly toHeight: Height | undefined;
  readonly toMs: number | undefined;
  /** Bytes that peers have sent since the start. */
  readonly bytes: number;
  /** Undefined while it is not known. */
  readonly etaSeconds: number | undefined;
}

/** Segments by which the pace is measured. */
const MEASURED = 16;

export class BackfillProgress {
  readonly #clock: Pick<Clock, "monotonicMs">;
  /** Where it was when segments were stored. */
  #marks: { readonly atMs: number; readonly left: number }[] = [];
  #bytes = 0;

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** That peers have sent since the start. */
  get bytes(): number {
    return this.#bytes;
  }

  received(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Notes where it is now. */
  mark(goal: BackfillGoal): void {
    this.#marks = [...this.#marks, { atMs: this.#clock.monotonicMs(), left: leftOf(goal) }].slice(-MEASURED);
  }

  view(goal: BackfillGoal): ProgressView {
    return {
      toHeight: "toHeight" in goal ? goal.toHeight : undefined,
      toMs: "toMs" in goal ? goal.toMs : undefined,
      bytes: this.#bytes,
      etaSeconds: this.#etaSeconds(),
    };
  }

  #etaSeconds(): number | undefined {
    const [first, last] = [this.#marks[0], this.#marks.at(-1)];
    if (first === undefined || last === undefined || first.left <= last.left) return undefined;
    const perMs = (first.left - last.left) / Math.max(1, last.atMs - first.atMs);
    return Math.max(0, Math.ceil(last.left / perMs / 1_000));
  }
}

/** Blocks, or ms of the chain. */
function leftOf(goal: BackfillGoal): number {
  return Math.max(0, "toHeight" in goal ? goal.first - goal.toHeight : goal.firstMs - goal.toMs);
}
