// Which slots this node repairs, and with whom: those that it keeps, and those for which it stands in while fewer than two of the keepers
// before it can be reached. Pure.
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import type { Ranks } from "#shared/protocol/keepers/placement.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** A slot that this node has a rank in. */
export interface RankedSlot {
  readonly slot: number;
  /** Keepers with better ranks. */
  readonly before: readonly PublicKeyHex[];
  /** All others that have or had the slot, by the directories that are served. */
  readonly others: readonly PublicKeyHex[];
}

/** Keepers of a slot, with all that have or had it. */
export type SlotKeepers = Ranks<Pick<Keeper, "key">> & { readonly all: readonly PublicKeyHex[] };

/** Fewer keepers than this that can be reached, and the next rank copies the slot. */
const LEAST_LIVE = 2;

/** What this node has to do with a slot; undefined when it has no rank there. */
export function rankedSlot(slot: number, { keeping, standingIn, all }: SlotKeepers, own: PublicKeyHex): RankedSlot | undefined {
  const ranks = [...keeping, ...standingIn].map(({ key }) => key);
  const rank = ranks.indexOf(own);
  return rank < 0 ? undefined : { slot, before: ranks.slice(0, rank), others: all.filter((key) => key !== own) };
}

/** True where this node fills what it lacks: it keeps the slot, or has to step in. */
export function mustRepair({ before }: RankedSlot, isReached: (keeper: PublicKeyHex) => boolean): boolean {
  if (before.length < KEEPER_RULES.keeping) return true;
  return before.filter(isReached).length < LEAST_LIVE;
}

/** Slots to compare with each keeper. A keeper of which it must be known whether it can be reached is asked for one slot. */
export function planRound(
  slots: readonly RankedSlot[],
  isReached: (keeper: PublicKeyHex) => boolean,
): ReadonlyMap<PublicKeyHex, readonly number[]> {
  const plan = new Map<PublicKeyHex, number[]>();
  const repaired = slots.filter((ranked) => mustRepair(ranked, isReached));
  for (const { slot, others } of repaired)
    for (const keeper of others) {
      const known = plan.get(keeper);
      if (known === undefined) plan.set(keeper, [slot]);
      else known.push(slot);
    }
  for (const { slot, before } of slots) for (const keeper of before) if (!plan.has(keeper)) plan.set(keeper, [slot]);
  return plan;
}
