// Keepers that dropped what they had confirmed. Dropping cannot be proven to third parties, so this counts at this node alone: their receipts
// do not count here. Pure.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { KeeperLimits } from "../keeper-limits.ts";

/** What is held against a keeper. */
export interface Doubt {
  /** How much it is: from `doubtScore` on its receipts do not count. */
  readonly score: number;
  /** When the newest of it was found, ms since 1970. */
  readonly atMs: number;
}

/** By keeper, those with the oldest findings first. */
export type DoubtedKeepers = ReadonlyMap<PublicKeyHex, Doubt>;

/** Nothing is held against any keeper. */
export const NO_DOUBTS: DoubtedKeepers = new Map();

/** A keeper that has dropped what it had confirmed to this node. */
export interface Finding {
  readonly keeper: PublicKeyHex;
  /**
   * True where no honest keeper lacks it, as for envelopes by which an owner tests it. False for what may have gone for want of room: such a
   * finding is a part of a doubt, and only one of a day counts.
   */
  readonly isCertain?: boolean;
}

/** The same with what was found now. */
export function doubtKeeper(
  doubts: DoubtedKeepers,
  { keeper, isCertain = true }: Finding,
  nowMs: number,
  limits: KeeperLimits,
): DoubtedKeepers {
  const { doubtScore, doubtMs, findingMs, doubted } = limits;
  const known = doubts.get(keeper);
  const before = known === undefined || nowMs - known.atMs >= doubtMs ? undefined : known;
  if (!isCertain && before !== undefined && nowMs - before.atMs < findingMs) return doubts;
  const next = new Map(doubts);
  next.delete(keeper);
  next.set(keeper, { score: isCertain ? doubtScore : Math.min(doubtScore, (before?.score ?? 0) + 1), atMs: nowMs });
  const [oldest] = next.keys();
  if (next.size > doubted && oldest !== undefined) next.delete(oldest);
  return next;
}

/** True when a keeper's receipts count here. */
export function countsReceipts(doubts: DoubtedKeepers, keeper: PublicKeyHex, nowMs: number, limits: KeeperLimits): boolean {
  const doubt = doubts.get(keeper);
  return doubt === undefined || doubt.score < limits.doubtScore || nowMs - doubt.atMs >= limits.doubtMs;
}

/** True when a box of these keepers is to be given up for one with another key: fewer than two of them are true. */
export function needsOtherBox(doubts: DoubtedKeepers, keeping: readonly PublicKeyHex[], nowMs: number, limits: KeeperLimits): boolean {
  return keeping.filter((keeper) => countsReceipts(doubts, keeper, nowMs, limits)).length < limits.receiptsToHandOver;
}
