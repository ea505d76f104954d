// Time by which something is destroyed. The own clock alone decides nothing: one that is wrong once, by years, would destroy all that has a
// time to go. Beside it stands the time of the chain, as far as this device can say it: that of the newest block it has seen, and what the
// monotonic clock has run since. So neither a chain without news nor a line that is lost keeps for ever what is to go.
import type { Clock } from "#shared/util/clock.ts";
import type { OwnAndChain } from "../../model/progress/message-time.ts";
import type { PairClock } from "../../pairs/pair-clock.ts";

/** Key of the time of the chain in the store, as it was noted last. */
export const CHAIN_TIME_KEY = "chain time";
/** It is noted at most so often, and only while something has a time to go. */
const NOTE_MS = 600_000;

interface Surroundings {
  readonly clock: Clock;
  /** Knows the newest block: its time never goes back, and is not believed where it is far ahead of the own clock. */
  readonly days: Pick<PairClock, "now">;
}

/** The time of the chain as it is noted; `isAssumed`: no block was known so far. */
export interface ChainTime {
  readonly chainMs: number;
  readonly isAssumed: boolean;
}

/** The clocks of one run. */
export class SlowerClock {
  readonly #surroundings: Surroundings;
  /** Time of the chain at a time of the monotonic clock. */
  #baseMs: number;
  #sinceMs: number;
  /** No block was known so far: the time of the chain is that which the own clock had at the start. */
  #isAssumed: boolean;
  #notedMs: number;

  /** `noted`: in an earlier run. */
  constructor(surroundings: Surroundings, noted: ChainTime | undefined) {
    const { clock, days } = surroundings;
    this.#surroundings = surroundings;
    const { blockMs } = days.now();
    this.#isAssumed = blockMs === 0 && noted?.isAssumed !== false;
    const known = [noted?.isAssumed === false || blockMs === 0 ? noted?.chainMs : undefined, blockMs || undefined];
    const knownMs = known.filter((atMs) => atMs !== undefined);
    this.#baseMs = knownMs.length === 0 ? clock.nowMs() : Math.max(...knownMs);
    this.#sinceMs = clock.monotonicMs();
    this.#notedMs = noted?.chainMs ?? 0;
  }

  now(): OwnAndChain {
    const { clock, days } = this.#surroundings;
    const monotonicMs = clock.monotonicMs();
    const { blockMs } = days.now();
    const ranMs = this.#baseMs + Math.max(0, monotonicMs - this.#sinceMs);
    const isNews = blockMs > ranMs || (this.#isAssumed && blockMs > 0);
    if (!isNews) return { ownMs: clock.nowMs(), chainMs: ranMs };
    this.#isAssumed = false;
    this.#baseMs = blockMs;
    this.#sinceMs = monotonicMs;
    return { ownMs: clock.nowMs(), chainMs: blockMs };
  }

  /** The slower of both, milliseconds since 1970. */
  nowMs(): number {
    const { ownMs, chainMs } = this.now();
    return Math.min(ownMs, chainMs);
  }

  /** The time of the chain, where it is to be noted for the next run: the time between two runs counts only once a block says so. */
  get toNote(): ChainTime | undefined {
    const { chainMs } = this.now();
    return Math.abs(chainMs - this.#notedMs) < NOTE_MS ? undefined : { chainMs, isAssumed: this.#isAssumed };
  }

  /** Once it is stored. */
  setNoted({ chainMs }: ChainTime): void {
    this.#notedMs = chainMs;
  }
}
