// Keepers that dropped what they had confirmed. Dropping cannot be proven to third parties, so this counts at this node alone: their receipts
// do not count here. Pure.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { KeeperLimits } from "../keeper-limits.ts";

/** What is held against a keeper. */
interface Doubt {
  /** When the newest of it was found, ms. */
  readonly atMs: number;
}

/** By keeper, those that were doubted longest ago first. */
export type DoubtedKeepers = ReadonlyMap<PublicKeyHex, Doubt>;

/** Nothing is held against any keeper. */
export const NO_DOUBTS: DoubtedKeepers = new Map();

/** An envelope that a keeper does not list. */
export interface Finding {
  readonly keeper: PublicKeyHex;
  readonly id: string;
}

/** A keeper has dropped what it had confirmed to this node, as it does for envelopes by which an owner tests it. */
export function doubtKeeper(
  doubts: DoubtedKeepers,
  { keeper }: Pick<Finding, "keeper">,
  nowMs: number,
  limits: KeeperLimits,
): DoubtedKeepers {
  const next = new Map(doubts);
  next.delete(keeper);
  next.set(keeper, { atMs: nowMs });
  const [oldest] = next.keys();
  if (next.size > limits.doubted && oldest !== undefined) next.delete(oldest);
  return next;
}

/** True when a keeper's receipts count here. */
export function countsReceipts(doubts: DoubtedKeepers, keeper: PublicKeyHex, nowMs: number, limits: KeeperLimits): boolean {
  const doubt = doubts.get(keeper);
  return doubt === undefined || nowMs - doubt.atMs >= limits.doubtMs;
}

/** True when a box of these keepers is to be given up for one with another key: fewer than two of them are true. */
export function needsOtherBox(doubts: DoubtedKeepers, keeping: readonly PublicKeyHex[], nowMs: number, limits: KeeperLimits): boolean {
  return keeping.filter((keeper) => countsReceipts(doubts, keeper, nowMs, limits)).length < limits.receiptsToHandOver;
}
