// One party with many relays: how many boxes it gets by its bonds, its networks and wallets, and by keys that it chose.
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import { keeperSalt } from "#shared/protocol/keepers/keeper-standing.ts";
import { keeperScore, rankKeepers } from "#shared/protocol/keepers/placement.ts";
import { compareBytes } from "#shared/util/bytes.ts";
import { createRandom } from "#test/support/host/random.ts";
import { hashText, simulatedKeeper, weightOf } from "./simulated-relays.ts";

/** A party's part of all weight, and how its relays are spread; without a number each has one of its own. */
export interface SybilChoice {
  readonly seed: number;
  readonly relays: number;
  readonly slots: number;
  readonly part: number;
  readonly networks?: number;
  readonly wallets?: number;
}

/** Parts of the boxes in which so many of the three keepers are the party's. */
export interface SybilResult {
  readonly ofThem: number;
  readonly two: number;
  readonly three: number;
}

/** Places of many relays of one party. */
export function simulateSybils({ seed, relays, slots, part, networks, wallets }: SybilChoice): SybilResult {
  const random = createRandom(seed);
  const honest = Array.from({ length: relays }, (_, n) => simulatedKeeper(`${seed} ${n}`, random));
  const weight = (part * weightOf(honest)) / (1 - part);
  const party: Keeper[] = [];
  while (weightOf(party) < weight) {
    const n = party.length;
    party.push(
      simulatedKeeper(`${seed} sybil ${n}`, random, {
        weight: 1,
        network: `sybil ${networks === undefined ? n : n % networks}`,
        wallet: `sybil ${wallets === undefined ? n : n % wallets}`,
      }),
    );
  }
  const own = new Set(party.map(({ key }) => key));
  const counts = [0, 0, 0, 0];
  for (let slot = 0; slot < slots; slot += 1) {
    const { keeping } = rankKeepers([...honest, ...party], { slot, seed: hashText(`${seed} seed`) }, { hash: nativeSha256 });
    const mine = keeping.filter(({ key }) => own.has(key)).length;
    counts[mine] = (counts[mine] ?? 0) + 1;
  }
  const atLeast = (least: number): number => counts.slice(least).reduce((sum, count) => sum + count, 0) / slots;
  return { ofThem: party.length, two: atLeast(2), three: atLeast(3) };
}

/** A party that wants the three keepers of one box. */
export interface GrindingChoice {
  readonly seed: number;
  readonly relays: number;
  /** Relays of the party, and keys that it tries for each. */
  readonly party: number;
  readonly tries: number;
  readonly slots: number;
}

/** Parts of the slots whose three keepers are all the party's. */
export interface GrindingResult {
  /** Where salts followed from keys alone: in the period for which the keys were tried, and in the next one. */
  readonly ground: number;
  readonly groundNext: number;
  /** With the hash of a block that came after the keys. */
  readonly salted: number;
}

/** A party tries keys until they rank high in a slot whose seed it knows. */
export function simulateGrinding({ seed, relays, party, tries, slots }: GrindingChoice): GrindingResult {
  const random = createRandom(seed);
  const honest = Array.from({ length: relays }, (_, n) => simulatedKeeper(`${seed} ${n}`, random));
  const [known, later] = [hashText("a hash that all know"), hashText(`${seed} a block of later`)];
  const captured = { ground: 0, groundNext: 0, salted: 0 };
  for (let at = 0; at < slots; at += 1) {
    const slot = (at * 31) % KEEPER_RULES.slots;
    const [now, next] = [hashText(`${seed} now`), hashText(`${seed} next`)];
    const keys = Array.from({ length: party }, (_, n) => grindKey(`${seed} ${slot} ${n}`, tries, (key) => scoreOf(key, known, slot, now)));
    const isCaptured = (hash: string, periodSeed: string): boolean => {
      const own = keys.map((key, n) =>
        simulatedKeeper(key, random, { key, weight: 1, network: `p ${n}`, wallet: `p ${n}`, salt: keeperSalt(key, hash) }),
      );
      const { keeping } = rankKeepers([...honest, ...own], { slot, seed: periodSeed }, { hash: nativeSha256 });
      return keeping.every(({ key }) => keys.includes(key));
    };
    if (isCaptured(known, now)) captured.ground += 1;
    if (isCaptured(known, next)) captured.groundNext += 1;
    if (isCaptured(later, now)) captured.salted += 1;
  }
  return { ground: captured.ground / slots, groundNext: captured.groundNext / slots, salted: captured.salted / slots };
}

function scoreOf(key: string, hash: string, slot: number, seed: string): Uint8Array {
  return keeperScore({ salt: keeperSalt(key, hash, nativeSha256), weight: 1 }, { slot, seed }, nativeSha256);
}

/** The key of so many with the greatest score. */
function grindKey(name: string, tries: number, score: (key: string) => Uint8Array): string {
  let [best, greatest] = ["", new Uint8Array(32)];
  for (let n = 0; n < tries; n += 1) {
    const key = hashText(`${name} try ${n}`);
    const found = score(key);
    if (best === "" || compareBytes(found, greatest) > 0) [best, greatest] = [key, Uint8Array.from(found)];
  }
  return best;
}
