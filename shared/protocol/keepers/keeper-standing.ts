// Whether a relay is a keeper, from epoch to epoch. Bond and heartbeats decide, and no reputation, which can be bought. Pure.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { concatBytes, fromHex, toHex } from "#shared/util/bytes.ts";
import { type Sha256, sha256 } from "../primitives/hash.ts";
import type { KeeperRules } from "./keeper-rules.ts";
import { networkOfAddress } from "./relay-network.ts";

/** What a chain says of a relay. Times are seconds of block time, 0 for never. */
export interface BondedRelay {
  readonly key: PublicKeyHex;
  /** X25519 key, hex. */
  readonly x25519: string;
  readonly multiaddr: string;
  /** Who gets its earnings. */
  readonly wallet: PublicKeyHex;
  readonly bondUt: AmountUt;
  /** When it registered last. */
  readonly registeredAtS: number;
  readonly withdrawnAtS: number;
  readonly suspendedUntilS: number;
  /** Heartbeats that counted so far, and the time of the last one. */
  readonly heartbeats: number;
  readonly lastHeartbeatS: number;
}

/** A time from which heartbeats are counted. */
export interface HeartbeatCount {
  readonly sinceS: number;
  /** Heartbeats before. */
  readonly before: number;
}

/** Where a relay stands. Salts are hex of 32 bytes. */
export type KeeperStanding =
  | { readonly is: "waiting"; readonly count: HeartbeatCount }
  | { readonly is: "in"; readonly salt: string }
  | { readonly is: "out"; readonly salt: string; readonly leftS: number; readonly back: HeartbeatCount | null };

/** The block that begins an epoch. */
export interface EpochBlock {
  readonly timeS: number;
  /** Hash of the block before it, hex: its own is not known while it is executed. */
  readonly parentHash: string;
}

/** Bond of a keeper of weight 1, µT. */
export function keeperBondUt(validatorBondUt: AmountUt, { bondDivisor }: Pick<KeeperRules, "bondDivisor">): AmountUt {
  return Math.max(1, Math.ceil(validatorBondUt / bondDivisor));
}

/** Weight of a bond; 0 is no keeper's. */
export function keeperWeight(bondUt: AmountUt, keeperBond: AmountUt, { mostWeight }: Pick<KeeperRules, "mostWeight">): number {
  return Math.min(mostWeight, Math.floor(bondUt / keeperBond));
}

/** Salt of a relay that a block lets in: SHA-256(key ‖ hash). Its owner chose the key before anyone knew the hash. */
export function keeperSalt(key: PublicKeyHex, blockHash: string, hash: Sha256 = sha256): string {
  return toHex(hash(concatBytes(fromHex(key), fromHex(blockHash))));
}

/** True when a relay may be a keeper as far as its bond and address say. */
function isFit(relay: BondedRelay, keeperBond: AmountUt): boolean {
  const isWithdrawn = relay.withdrawnAtS > 0 && relay.withdrawnAtS >= relay.registeredAtS;
  if (isWithdrawn || relay.bondUt < keeperBond) return false;
  return networkOfAddress(relay.multiaddr) !== undefined;
}

/** What is needed to judge a relay. */
export interface StandingContext {
  readonly block: EpochBlock;
  readonly keeperBondUt: AmountUt;
  readonly rules: KeeperRules;
}

/** Where a relay stands from this epoch on; undefined when it is not followed (any more). */
export function nextStanding(
  standing: KeeperStanding | undefined,
  relay: BondedRelay,
  context: StandingContext,
): KeeperStanding | undefined {
  const { block, rules } = context;
  // Who lied has no salt to come back to: after its time it is let in like any other.
  if (relay.suspendedUntilS > block.timeS) return undefined;
  const fits = isFit(relay, context.keeperBondUt);
  switch (standing?.is) {
    case "in":
      return fits && !isAbsent(relay, block, rules.absenceS)
        ? standing
        : { is: "out", salt: standing.salt, leftS: block.timeS, back: null };
    case "out":
      return block.timeS - standing.leftS > rules.saltS
        ? startWaiting(relay, block, fits)
        : afterAbsence(standing, relay, { ...context, fits });
    case "waiting":
      return fits ? afterWaiting(standing.count, relay, context) : undefined;
    default:
      return startWaiting(relay, block, fits);
  }
}

function startWaiting({ heartbeats }: BondedRelay, { timeS }: EpochBlock, fits: boolean): KeeperStanding | undefined {
  return fits ? { is: "waiting", count: { sinceS: timeS, before: heartbeats } } : undefined;
}

function afterWaiting(count: HeartbeatCount, relay: BondedRelay, { block, rules }: StandingContext): KeeperStanding {
  if (block.timeS - count.sinceS < rules.entryS) return { is: "waiting", count };
  if (relay.heartbeats - count.before >= rules.entryHeartbeats && !isAbsent(relay, block, rules.absenceS))
    return { is: "in", salt: keeperSalt(relay.key, block.parentHash) };
  // Who is there for an hour a day would have enough of them some day.
  return { is: "waiting", count: { sinceS: block.timeS, before: relay.heartbeats } };
}

function afterAbsence(
  standing: KeeperStanding & { readonly is: "out" },
  relay: BondedRelay,
  { block, rules, fits }: StandingContext & { readonly fits: boolean },
): KeeperStanding {
  const { salt, leftS, back } = standing;
  const isThere = fits && !isAbsent(relay, block, rules.returnS);
  if (!isThere) return back === null ? standing : { is: "out", salt, leftS, back: null };
  if (back === null) return { is: "out", salt, leftS, back: { sinceS: block.timeS, before: relay.heartbeats } };
  const isBack = block.timeS - back.sinceS >= rules.returnS && relay.heartbeats - back.before >= rules.returnHeartbeats;
  return isBack ? { is: "in", salt } : standing;
}

/** True when there was no heartbeat for so long. */
function isAbsent({ lastHeartbeatS }: BondedRelay, { timeS }: EpochBlock, absenceS: number): boolean {
  return timeS - lastHeartbeatS >= absenceS;
}
