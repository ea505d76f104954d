// The clocks of pairs while the messenger runs: the own one, the time of the chain that never goes back, and counted days.
import type { Clock } from "#shared/util/clock.ts";
import { type BothClocks, blockTime, type CountedDays, countDay, firstDay } from "./counted-days.ts";
import type { PairRecord } from "./pair-record.ts";

/** Key of the counted days in the store. */
export const COUNTED_DAYS_KEY = "counted days";

interface Surroundings {
  readonly clock: Pick<Clock, "nowMs">;
  /** Time of the newest block of the own node, unix seconds. */
  readonly newestBlock: { readonly timeS: number | undefined };
}

/** Both clocks and the days of one run. */
export class PairClock {
  readonly #surroundings: Surroundings;
  #counted: CountedDays | undefined;
  #blockMs: number;

  constructor(surroundings: Surroundings, counted: CountedDays | undefined, pairs: readonly PairRecord[]) {
    this.#surroundings = surroundings;
    this.#counted = counted;
    this.#blockMs = Math.max(counted?.blockMs ?? 0, ...pairs.map(latestBlockMs));
  }

  /** Days counted so far. */
  get day(): number {
    return this.#counted?.days ?? 0;
  }

  now(): BothClocks {
    const { clock, newestBlock } = this.#surroundings;
    return this.#at(clock.nowMs(), newestBlock.timeS);
  }

  /** What is counted when the mailbox was read to its end, with what came until a time of the own clock; undefined where nothing changes. */
  countedAt(ownMs: number): CountedDays | undefined {
    const at = this.#at(ownMs, this.#surroundings.newestBlock.timeS);
    if (at.blockMs === 0) return undefined;
    const next = this.#counted === undefined ? firstDay(at) : countDay(this.#counted, at);
    return next === this.#counted ? undefined : next;
  }

  /** Once it is stored. */
  setCounted(counted: CountedDays): void {
    this.#counted = counted;
  }

  #at(ownMs: number, timeS: number | undefined): BothClocks {
    this.#blockMs = blockTime(this.#blockMs, timeS === undefined ? undefined : timeS * 1000, ownMs);
    return { ownMs, blockMs: this.#blockMs };
  }
}

/** The latest time of the chain that a pair knows: it does not go back with a restart. */
function latestBlockMs({ state: { cards, sent, theirs, introducedAt } }: PairRecord): number {
  const times = [cards.at(-1)?.drawnAt, sent.sealedAt, theirs?.heardAt, introducedAt];
  return Math.max(0, ...times.map((time) => time?.blockMs ?? 0));
}
