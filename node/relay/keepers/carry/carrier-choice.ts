// Which members of the directory carry a node's mail: four a month, by a secret of the node, and of these one a box. Pure.
import { createHmac } from "node:crypto";
import { independentKeepers, type Keeper } from "#shared/protocol/keepers/directory.ts";
import type { ReadDirectory } from "#shared/protocol/keepers/directory-records.ts";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { CARRY_LIMITS } from "./carry-limits.ts";

/** Carriers of a month. */
export interface Carriers {
  readonly chosen: readonly Keeper[];
  /** In the place of those that do not respond. */
  readonly standingIn: readonly Keeper[];
}

/** What the choice depends on beside the directory. */
export interface ChoiceContext {
  /** The node's own, 32 bytes: who does not have it cannot say who carries what. */
  readonly secret: Uint8Array;
  readonly ownKey: PublicKeyHex;
  /** True for a node that is known not to carry. */
  readonly isUnable: (key: PublicKeyHex) => boolean;
}

/** Month of a directory, by the day of its newest seed: 30 days of block time. */
export function monthOf({ seeds }: Pick<ReadDirectory, "seeds">): number {
  return Math.floor(seeds.lastDay / KEEPER_RULES.periodDays);
}

/** Members of different networks and wallets. Who comes or goes changes them only in so far as one of them is concerned. */
export function carriersOf(directory: Pick<ReadDirectory, "keepers" | "seeds">, { secret, ownKey, isUnable }: ChoiceContext): Carriers {
  const month = monthOf(directory);
  const others = directory.keepers.filter(({ key }) => key !== ownKey && !isUnable(key));
  const ordered = inOrder(others, (key) => rankOf(secret, `month ${month} ${key}`));
  const { carriers, standingIn } = CARRY_LIMITS;
  const found = independentKeepers(ordered, carriers + standingIn);
  return { chosen: found.slice(0, carriers), standingIn: found.slice(carriers) };
}

/**
 * Carriers of a box to one of its keepers, the first one first. Each keeper of the box, by its place among them, has another first one of the
 * chosen, as far as there are enough: who sees which three are asked at the same moments would know the box's slot. The second one is that
 * of none of the three. None is the keeper itself, or of its network or wallet, and the last ones of the chosen and of those that stand in
 * are other keepers of the box: who is one knows the box, and would see who asks for it.
 */
export function carriersFor(
  box: X25519KeyHex,
  keeper: Keeper,
  { chosen, standingIn }: Carriers,
  { secret, isKeeper, place }: { readonly secret: Uint8Array; readonly isKeeper: (key: PublicKeyHex) => boolean; readonly place: number },
): readonly Keeper[] {
  const isApart = ({ key, network, wallet }: Keeper): boolean =>
    key !== keeper.key && network !== keeper.network && wallet !== keeper.wallet;
  return [chosen, standingIn].flatMap((some) => {
    const ordered = inOrder(some, (key) => rankOf(secret, `box ${box} ${key}`));
    // Places follow from all of them: which of them may not carry to this keeper gives no other keeper another carrier.
    const others = ordered.filter(({ key }) => !isKeeper(key));
    return [...beginningAt(others, place), ...ordered.filter(({ key }) => isKeeper(key))].filter(isApart);
  });
}

/** One of them first, and those with high places before those with low ones. */
function beginningAt(some: readonly Keeper[], place: number): readonly Keeper[] {
  const first = some.length === 0 ? 0 : place % some.length;
  return [...some.slice(first, first + 1), ...some.filter((_, at) => at !== first).reverse()];
}

function inOrder(some: readonly Keeper[], rank: (key: PublicKeyHex) => string): readonly Keeper[] {
  const ranked = some.map((keeper) => ({ keeper, rank: rank(keeper.key) }));
  return ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ keeper }) => keeper);
}

function rankOf(secret: Uint8Array, text: string): string {
  return createHmac("sha256", secret).update(`parley carriers\n${text}`).digest("hex");
}
