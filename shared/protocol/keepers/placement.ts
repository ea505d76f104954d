// Which keepers a box has: its slot, the slot's period, and the ranks of keepers for both. Pure; docs/network.md has the bytes.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { compareBytes, fromHex, writeHex } from "#shared/util/bytes.ts";
import { type Sha256, sha256 } from "../primitives/hash.ts";
import { type DailySeeds, findSeed } from "./daily-seeds.ts";
import { independentKeepers, type Keeper } from "./directory.ts";
import { KEEPER_RULES, type KeeperRules } from "./keeper-rules.ts";

/** What ranks follow from: a slot and the seed of the day on which its period began, hex. */
export interface SlotPeriod {
  readonly slot: number;
  readonly seed: string;
}

/** Keepers of a box in a period: those that keep its mail, and those that stand in, each in the order of ranks. */
export interface Ranks<K> {
  readonly keeping: readonly K[];
  readonly standingIn: readonly K[];
}

type Ranked = Pick<Keeper, "salt" | "weight" | "network" | "wallet">;

const SEED_BYTES = 32;
const SLOT_BYTES = 2;
const SALT_BYTES = 32;

/** Slot of a box: the first 14 bits of SHA-256(key). */
export function slotOf(box: X25519KeyHex, hash: Sha256 = sha256): number {
  const [first = 0, second = 0] = hash(fromHex(box));
  return (first << 6) | (second >> 2);
}

/** First day of the period that a slot is in on a day: the latest one that has the slot's remainder by 30. */
export function periodOf(slot: number, day: number, { periodDays }: Pick<KeeperRules, "periodDays"> = KEEPER_RULES): number {
  return day - ((((day - slot) % periodDays) + periodDays) % periodDays);
}

/** Where new mail of a slot goes on a day, and where that of the period before is; undefined where no seed is known. */
export function slotPeriods(
  slot: number,
  day: number,
  seeds: DailySeeds,
): { readonly current: SlotPeriod | undefined; readonly draining: SlotPeriod | undefined } {
  const start = periodOf(slot, day);
  const periodFrom = (first: number): SlotPeriod | undefined => {
    const seed = findSeed(seeds, first);
    return seed === undefined ? undefined : { slot, seed };
  };
  return { current: periodFrom(start), draining: periodFrom(start - KEEPER_RULES.periodDays) };
}

/** Score of a keeper in a slot: the greatest SHA-256(seed ‖ slot ‖ salt ‖ i) for i below its weight, 32 bytes. */
export function keeperScore({ salt, weight }: Pick<Keeper, "salt" | "weight">, period: SlotPeriod, hash: Sha256 = sha256): Uint8Array {
  const bytes = new Uint8Array(SEED_BYTES + SLOT_BYTES + SALT_BYTES + 1);
  writeHex(period.seed, bytes, 0);
  new DataView(bytes.buffer).setUint16(SEED_BYTES, period.slot);
  writeHex(salt, bytes, SEED_BYTES + SLOT_BYTES);
  let best = new Uint8Array(SALT_BYTES);
  for (let i = 0; i < weight; i += 1) {
    bytes[bytes.length - 1] = i;
    const score = hash(bytes);
    if (compareBytes(score, best) > 0) best = Uint8Array.from(score);
  }
  return best;
}

/** All keepers of a slot, the greatest score first. */
export function orderKeepers<K extends Ranked>(keepers: readonly K[], period: SlotPeriod, hash: Sha256 = sha256): readonly K[] {
  const scored = keepers.map((keeper) => ({ keeper, score: keeperScore(keeper, period, hash) }));
  return scored.toSorted((a, b) => compareBytes(b.score, a.score)).map(({ keeper }) => keeper);
}

/** Ranks of keepers in a slot: the greatest scores first, of which no two share a network or a wallet. */
export function rankKeepers<K extends Ranked>(
  keepers: readonly K[],
  period: SlotPeriod,
  { hash = sha256, rules = KEEPER_RULES }: { readonly hash?: Sha256; readonly rules?: KeeperRules } = {},
): Ranks<K> {
  return ranksOf(orderKeepers(keepers, period, hash), rules);
}

/** Ranks of keepers that are in the order of their scores. */
export function ranksOf<K extends Ranked>(ordered: Iterable<K>, { keeping, standingIn }: KeeperRules = KEEPER_RULES): Ranks<K> {
  const ranks = independentKeepers(ordered, keeping + standingIn);
  return { keeping: ranks.slice(0, keeping), standingIn: ranks.slice(keeping) };
}
