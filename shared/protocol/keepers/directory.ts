// The directory: which relays keep the mail of a chain, epoch by epoch. Pure: the same relays and blocks give all nodes the same one.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { type DailySeeds, nextSeeds } from "./daily-seeds.ts";
import { KEEPER_RULES, type KeeperRules } from "./keeper-rules.ts";
import { type BondedRelay, type EpochBlock, type KeeperStanding, keeperBondUt, keeperWeight, nextStanding } from "./keeper-standing.ts";
import { FIRST_MODE, type MailMode, nextMode } from "./mail-mode.ts";
import { networkOfAddress } from "./relay-network.ts";

/** A keeper of an epoch. Of one network, and of one wallet, a box has one keeper at most. */
export interface Keeper {
  readonly key: PublicKeyHex;
  readonly x25519: string;
  readonly multiaddr: string;
  readonly wallet: PublicKeyHex;
  readonly network: string;
  readonly weight: number;
  /** Hex of 32 bytes. */
  readonly salt: string;
}

/** What one epoch hands to the next. */
export interface Directory {
  /** Hours of block time since 1970. */
  readonly epoch: number;
  /** Time of the block that begins it, seconds. */
  readonly beganS: number;
  /** By ascending key. */
  readonly keepers: readonly Keeper[];
  readonly mode: MailMode;
  readonly seeds: DailySeeds;
  /** All relays that are followed. */
  readonly standings: ReadonlyMap<PublicKeyHex, KeeperStanding>;
}

/** What of an epoch decides about the next one; a chain that continues another one begins with its standings alone. */
export type EpochBefore = Pick<Directory, "standings"> & Partial<Pick<Directory, "epoch" | "mode" | "seeds">>;

/** What the chain says at the first block of an epoch. */
export interface EpochInput {
  readonly block: EpochBlock;
  readonly relays: readonly BondedRelay[];
  readonly validatorBondUt: AmountUt;
}

/** Epoch of a block time, seconds. */
export function epochOf(timeS: number, { epochS }: Pick<KeeperRules, "epochS"> = KEEPER_RULES): number {
  return Math.floor(timeS / epochS);
}

/** The directory of the epoch that a block begins, after the one before. @throws RangeError when the block begins none. */
export function nextDirectory(before: EpochBefore | undefined, input: EpochInput, rules: KeeperRules = KEEPER_RULES): Directory {
  const { block, relays } = input;
  const epoch = epochOf(block.timeS, rules);
  if (before?.epoch !== undefined && epoch <= before.epoch)
    throw new RangeError(`A block of epoch ${epoch} begins none after ${before.epoch}`);
  const bondUt = keeperBondUt(input.validatorBondUt, rules);
  const sorted = relays.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const standings = nextStandings(before?.standings, sorted, { block, keeperBondUt: bondUt, rules });
  const keepers = sorted.flatMap((relay) => {
    const standing = standings.get(relay.key);
    return standing?.is === "in" ? keeperOf(relay, standing.salt, keeperWeight(relay.bondUt, bondUt, rules)) : [];
  });
  const mode = nextMode(before?.mode ?? FIRST_MODE, independentKeepers(keepers).length, rules);
  return { epoch, beganS: block.timeS, keepers, mode, seeds: nextSeeds(before?.seeds, block, rules), standings };
}

/** Keepers in this order of which no two share a network or a wallet, at most so many. */
export function independentKeepers<K extends Pick<Keeper, "network" | "wallet">>(
  ordered: Iterable<K>,
  most = Number.POSITIVE_INFINITY,
): readonly K[] {
  const taken = new Set<string>();
  const independent: K[] = [];
  for (const keeper of ordered) {
    if (independent.length >= most) break;
    const { network, wallet } = keeper;
    if (taken.has(network) || taken.has(wallet)) continue;
    taken.add(network).add(wallet);
    independent.push(keeper);
  }
  return independent;
}

/** Epochs whose directory counts at a time, seconds, of the newest two: the first is the one to ask by, keepers serve both. */
export function directoriesInForce(
  newest: Pick<Directory, "epoch" | "beganS">,
  before: Pick<Directory, "epoch"> | undefined,
  timeS: number,
  rules: Pick<KeeperRules, "delayS" | "overlapS"> = KEEPER_RULES,
): readonly number[] {
  if (before === undefined) return [newest.epoch];
  const sinceS = timeS - newest.beganS - rules.delayS;
  if (sinceS < 0) return [before.epoch];
  return sinceS < rules.overlapS ? [newest.epoch, before.epoch] : [newest.epoch];
}

function keeperOf({ key, x25519, multiaddr, wallet }: BondedRelay, salt: string, weight: number): readonly Keeper[] {
  const network = networkOfAddress(multiaddr);
  return network === undefined ? [] : [{ key, x25519, multiaddr, wallet, network, weight, salt }];
}

function nextStandings(
  before: ReadonlyMap<PublicKeyHex, KeeperStanding> = new Map(),
  relays: readonly BondedRelay[],
  context: Parameters<typeof nextStanding>[2],
): ReadonlyMap<PublicKeyHex, KeeperStanding> {
  const standings = new Map<PublicKeyHex, KeeperStanding>();
  const take = (relay: BondedRelay): void => {
    const standing = nextStanding(before.get(relay.key), relay, context);
    if (standing !== undefined) standings.set(relay.key, standing);
  };
  // Those that are followed keep their room.
  for (const relay of relays) if (before.has(relay.key)) take(relay);
  for (const relay of relays) if (!before.has(relay.key) && standings.size < context.rules.mostRelays) take(relay);
  return standings;
}
