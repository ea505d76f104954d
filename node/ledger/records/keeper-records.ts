// Records of keepers: the bonds of relays, those on their way back, and where each relay stands since the last epoch. A record without µT
// is none: who has fetched its bond is forgotten with its salt, so that there are never more records than bonds.
import { encode } from "#shared/codec/codec.ts";
import { array, mapped, optional, record } from "#shared/codec/composites.ts";
import { hex, integer } from "#shared/codec/scalars.ts";
import type { HeartbeatCount, KeeperStanding } from "#shared/protocol/keepers/keeper-standing.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { equalBytes, fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { decodeRecord } from "../record-codec.ts";
import type { StateReader, StateView } from "../state-view.ts";

const keeperCodec = mapped(
  record({
    bondUt: integer(),
    withdrawnUt: integer(),
    availableAt: integer(),
    salt: optional(hex(32)),
    leftS: integer(),
    count: optional(record({ sinceS: integer(), before: integer() })),
  }),
  ({ salt, leftS, count, ...bond }) => ({ ...bond, standing: standingOf({ salt, leftS, count }) }),
  ({ standing, ...bond }) => ({ ...bond, ...fieldsOf(standing) }),
);
const numberCodec = array(integer());

/** The bond of a relay, with where it stands. */
export interface KeeperRecord {
  /** µT that are locked. */
  readonly bondUt: number;
  /** µT that are on their way back, and unix seconds from which they can be fetched; 0 for none. */
  readonly withdrawnUt: number;
  readonly availableAt: number;
  /** Undefined for a relay that is no candidate. */
  readonly standing: KeeperStanding | undefined;
}

const NONE: KeeperRecord = { bondUt: 0, withdrawnUt: 0, availableAt: 0, standing: undefined };
const COUNT_KEY = utf8("count");
/** Of a public key. */
const KEY_BYTES = 32;
const EVERY = new Uint8Array(0);

/** The record of a relay; one without µT when it has no bond. */
export function readKeeper(reader: StateReader, publicKey: PublicKeyHex): KeeperRecord {
  const value = reader.get("keeper", fromHex(publicKey));
  return value === undefined ? NONE : decodeRecord(keeperCodec, value);
}

/**
 * CBOR [bond, µT on their way back, available at, salt or null, left at, [since, heartbeats before] or null] under the key, and how many
 * there are under `count`; no record without µT.
 */
export function writeKeeper(view: StateView, publicKey: PublicKeyHex, keeper: KeeperRecord): void {
  const key = fromHex(publicKey);
  const before = view.get("keeper", key);
  const value = keeper.bondUt + keeper.withdrawnUt > 0 ? encode(keeperCodec, keeper) : undefined;
  if ((before === undefined) !== (value === undefined)) writeCount(view, readKeeperCount(view) + (value === undefined ? -1 : 1));
  if (value === undefined) {
    if (before !== undefined) view.delete("keeper", key);
  } else if (before === undefined || !equalBytes(before, value)) view.set("keeper", key, value);
}

/** Relays with a bond, or one on its way back. */
export function readKeeperCount(reader: StateReader): number {
  const value = reader.get("keeper", COUNT_KEY);
  return value === undefined ? 0 : decodeRecord(numberCodec, value);
}

/** All of them, by ascending key. */
export function readKeepers(reader: StateReader): ReadonlyMap<PublicKeyHex, KeeperRecord> {
  const keepers = new Map<PublicKeyHex, KeeperRecord>();
  for (let entry = reader.next("keeper", EVERY); entry !== undefined; entry = reader.next("keeper", EVERY, entry.key))
    if (entry.key.length === KEY_BYTES) keepers.set(toHex(entry.key), decodeRecord(keeperCodec, entry.value));
  return keepers;
}

function writeCount(view: StateView, count: number): void {
  assertInvariant(count >= 0, "There are fewer relays with a bond than none");
  if (count === 0) view.delete("keeper", COUNT_KEY);
  else view.set("keeper", COUNT_KEY, encode(numberCodec, count));
}

interface StandingFields {
  /** Undefined while it waits, or is no candidate. */
  readonly salt: string | undefined;
  /** 0 unless it is out. */
  readonly leftS: number;
  readonly count: HeartbeatCount | undefined;
}

function standingOf({ salt, leftS, count }: StandingFields): KeeperStanding | undefined {
  if (salt === undefined) {
    if (leftS > 0) throw new TypeError("Only a relay with a salt has left");
    return count === undefined ? undefined : { is: "waiting", count };
  }
  if (leftS > 0) return { is: "out", salt, leftS, back: count ?? null };
  if (count !== undefined) throw new TypeError("A keeper's heartbeats are not counted");
  return { is: "in", salt };
}

function fieldsOf(standing: KeeperStanding | undefined): StandingFields {
  switch (standing?.is) {
    case "waiting":
      return { salt: undefined, leftS: 0, count: standing.count };
    case "in":
      return { salt: standing.salt, leftS: 0, count: undefined };
    case "out":
      return { salt: standing.salt, leftS: standing.leftS, count: standing.back ?? undefined };
    default:
      return { salt: undefined, leftS: 0, count: undefined };
  }
}
