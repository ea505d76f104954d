// Seeds of the latest days, by which slots find their keepers. Drawn from the chain: no one knows those of days to come.
import { concatBytes, fromHex, toHex } from "#shared/util/bytes.ts";
import { sha256 } from "../primitives/hash.ts";
import type { KeeperRules } from "./keeper-rules.ts";
import type { EpochBlock } from "./keeper-standing.ts";

const DAY_S = 86_400;

/** Seeds of days since 1970 (UTC), each hex of 32 bytes; those that end with `lastDay`, the oldest first. */
export interface DailySeeds {
  readonly lastDay: number;
  readonly seeds: readonly string[];
}

/** Day of a block time. */
export function dayOf(timeS: number): number {
  return Math.floor(timeS / DAY_S);
}

/** Seed that a block gives a day: SHA-256(hash of its parent ‖ day, four bytes, most significant first). */
export function seedOfDay(parentHash: string, day: number): string {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, day);
  return toHex(sha256(concatBytes(fromHex(parentHash), bytes)));
}

/** The seeds from an epoch on: its block gives one to every day up to its own that has none, at most as many as are remembered. */
export function nextSeeds(known: DailySeeds | undefined, { timeS, parentHash }: EpochBlock, { seedDays }: KeeperRules): DailySeeds {
  const lastDay = dayOf(timeS);
  const first = Math.max(lastDay - seedDays + 1, known === undefined ? 0 : known.lastDay + 1);
  const added = Array.from({ length: Math.max(0, lastDay - first + 1) }, (_, at) => seedOfDay(parentHash, first + at));
  return { lastDay: Math.max(lastDay, known?.lastDay ?? 0), seeds: [...(known?.seeds ?? []), ...added].slice(-seedDays) };
}

/** Seed of a day, undefined when it is not among the remembered ones. */
export function findSeed({ lastDay, seeds }: DailySeeds, day: number): string | undefined {
  return seeds[seeds.length - 1 - (lastDay - day)];
}
