// Keepers of a slot's period in the order of their scores, as the directory changes: the best are remembered, and one that comes is scored once.
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
import type { KeeperRules } from "#shared/protocol/keepers/keeper-rules.ts";
import { keeperScore, type Ranks, ranksOf, type SlotPeriod } from "#shared/protocol/keepers/placement.ts";

/** So many are remembered; when fewer than {@link LEAST} of them are in, all are scored again. */
const REMEMBERED = 40;
const LEAST = 14;
/** The first six bytes of a score decide: two that agree in them are once in 10^14. */
const SCORE_BYTES = 6;

interface Scored {
  readonly key: string;
  readonly score: number;
}

/** The order of one slot's period. */
export class SlotOrder {
  readonly #period: SlotPeriod;
  #best: Scored[] = [];
  readonly #known = new Set<string>();
  #isWhole = false;

  constructor(period: SlotPeriod) {
    this.#period = period;
  }

  /** Ranks by a directory, of which `came` are new since the last time. */
  ranks(keepers: ReadonlyMap<string, Keeper>, came: readonly Keeper[], rules: KeeperRules): Ranks<Keeper> {
    if (this.#isWhole) for (const keeper of came) this.#add(keeper);
    const areIn = this.#best.filter(({ key }) => keepers.has(key)).length;
    if (!this.#isWhole || areIn < Math.min(LEAST, keepers.size)) this.#scoreAll(keepers);
    return ranksOf(
      this.#best.flatMap(({ key }) => keepers.get(key) ?? []),
      rules,
    );
  }

  #add(keeper: Keeper): void {
    if (this.#known.has(keeper.key)) return;
    const scored = this.#scored(keeper);
    if (scored.score < (this.#best.at(-1)?.score ?? 0)) return;
    this.#known.add(keeper.key);
    const at = this.#best.findIndex(({ score }) => score < scored.score);
    this.#best.splice(at < 0 ? this.#best.length : at, 0, scored);
  }

  #scoreAll(keepers: ReadonlyMap<string, Keeper>): void {
    this.#best = [...keepers.values()]
      .map((keeper) => this.#scored(keeper))
      .sort((a, b) => b.score - a.score)
      .slice(0, REMEMBERED);
    this.#known.clear();
    for (const { key } of this.#best) this.#known.add(key);
    this.#isWhole = true;
  }

  #scored(keeper: Keeper): Scored {
    const score = keeperScore(keeper, this.#period, nativeSha256);
    return { key: keeper.key, score: score.subarray(0, SCORE_BYTES).reduce((sum, byte) => sum * 256 + byte, 0) };
  }
}
