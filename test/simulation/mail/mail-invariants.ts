// What must hold in every hour of simulated mail. Each message says what does not.
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import type { Ranks } from "#shared/protocol/keepers/placement.ts";
import type { PutOutcome } from "./put-outcomes.ts";

/** No two ranks of a box share a network or a wallet. @throws Error */
export function assertIndependent({ keeping, standingIn }: Ranks<Keeper>): void {
  const ranks = [...keeping, ...standingIn];
  const names = new Set(ranks.flatMap(({ network, wallet }) => [network, wallet]));
  if (names.size !== 2 * ranks.length)
    throw new Error(`Ranks share networks or wallets: ${ranks.map(({ network }) => network).join(", ")}`);
}

/** No rank has been silent for longer than a keeper may be, and an epoch. @throws Error */
export function assertPresent({ keeping, standingIn }: Ranks<Keeper>, silentHours: (key: string) => number, graceHours: number): void {
  for (const { key } of [...keeping, ...standingIn])
    if (silentHours(key) > graceHours + 1) throw new Error(`A keeper has been silent for ${silentHours(key)} hours and is still in`);
}

/** Mail is with as many as keep it, when so many of its ranks are there, and is handed over with two at least. @throws Error */
export function assertPut({ holders, isHandedOver }: PutOutcome, areThere: readonly boolean[]): void {
  const live = areThere.filter(Boolean).length;
  if (holders.length !== Math.min(KEEPER_RULES.keeping, live)) throw new Error(`${holders.length} have the mail, and ${live} were there`);
  if (isHandedOver !== holders.length >= 2) throw new Error(`Mail counts as handed over ${isHandedOver} at ${holders.length} keepers`);
}

/**
 * Of mail that someone has, all live keepers have a copy after repair, and two live ranks, or the only one. All are bits of relays.
 * @throws Error
 */
export function assertRepaired(holders: number, { keeping, live }: { readonly keeping: number; readonly live: number }): void {
  const [has, lacks] = [bitCount(holders & live), bitCount(keeping & ~holders)];
  if (lacks > 0 || has < Math.min(2, bitCount(live))) throw new Error(`${has} ranks have mail after repair, and ${lacks} keepers lack it`);
}

/** How many bits of a number are set. */
export function bitCount(mask: number): number {
  let count = 0;
  for (let left = mask; left !== 0; left &= left - 1) count += 1;
  return count;
}
