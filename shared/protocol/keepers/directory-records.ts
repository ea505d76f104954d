// Bytes of a directory, as a chain's state holds it and proves it to light nodes: a head, and keepers in parts.
import { decode, encode } from "#shared/codec/codec.ts";
import { list, mapped, record, refined } from "#shared/codec/composites.ts";
import { hex, integer, textUpTo } from "#shared/codec/scalars.ts";
import { concatBytes, toHex } from "#shared/util/bytes.ts";
import { sha256 } from "../primitives/hash.ts";
import { MAX_MULTIADDR_BYTES } from "../primitives/limits.ts";
import type { DailySeeds } from "./daily-seeds.ts";
import type { Directory, Keeper } from "./directory.ts";
import { KEEPER_RULES } from "./keeper-rules.ts";
import type { MailMode } from "./mail-mode.ts";
import { networkOfAddress } from "./relay-network.ts";

/** Keepers of one part. */
export const KEEPERS_PER_PART = 64;

/** What a head says. */
export type DirectoryHead = Pick<Directory, "epoch" | "beganS" | "mode" | "seeds"> & {
  readonly count: number;
  /** SHA-256 over the SHA-256 of each part in order, hex. */
  readonly partsHash: string;
};

/** A directory as others read it: what epochs hand to each other beside it is the state's own affair. */
export type ReadDirectory = Omit<Directory, "standings">;

/** Records of a directory. */
export interface DirectoryRecords {
  readonly head: Uint8Array;
  readonly parts: readonly Uint8Array[];
}

const { mostRelays, mostWeight, seedDays } = KEEPER_RULES;
const MODES = ["gossip", "announced", "keepers"] as const;

const keeperCodec = mapped(
  record({
    key: hex(32),
    x25519: hex(32),
    multiaddr: textUpTo(MAX_MULTIADDR_BYTES),
    wallet: hex(32),
    weight: integer(1, mostWeight),
    salt: hex(32),
  }),
  (fields): Keeper => {
    const network = networkOfAddress(fields.multiaddr);
    if (network === undefined) throw new TypeError("A keeper's address is in no network");
    return { ...fields, network };
  },
  ({ key, x25519, multiaddr, wallet, weight, salt }) => ({ key, x25519, multiaddr, wallet, weight, salt }),
);
const partCodec = list(keeperCodec, KEEPERS_PER_PART, 1);
/** Kind, epochs with enough keepers or left, epochs with too few. */
const modeCodec = mapped(record({ kind: integer(0, 2), counted: integer(), tooFew: integer() }), modeOf, ({ is, ...mode }: MailMode) => ({
  kind: MODES.indexOf(is),
  counted: "enough" in mode ? mode.enough : "left" in mode ? mode.left : 0,
  tooFew: "tooFew" in mode ? mode.tooFew : 0,
}));
const seedsCodec = refined(
  record({ lastDay: integer(), seeds: list(hex(32), seedDays, 1) }),
  ({ lastDay, seeds }: DailySeeds) => seeds.length <= lastDay + 1,
  "seeds of days since 1970",
);
const headCodec = record({
  epoch: integer(),
  beganS: integer(),
  mode: modeCodec,
  count: integer(0, mostRelays),
  partsHash: hex(32),
  seeds: seedsCodec,
});

/** Records of a directory; parts are numbered from 0. */
export function encodeDirectory({ epoch, beganS, keepers, mode, seeds }: ReadDirectory): DirectoryRecords {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < keepers.length; at += KEEPERS_PER_PART) parts.push(encode(partCodec, keepers.slice(at, at + KEEPERS_PER_PART)));
  return { head: encode(headCodec, { epoch, beganS, mode, count: keepers.length, partsHash: hashOf(parts), seeds }), parts };
}

/** What a head says: how many parts there are, and how to know them. @throws TypeError or RangeError on other bytes than it has */
export function decodeDirectoryHead(head: Uint8Array): DirectoryHead {
  return decode(headCodec, head);
}

/** The directory of a head and its parts. @throws TypeError or RangeError on parts of another one, and on bytes that no directory has */
export function decodeDirectory({ head, parts }: DirectoryRecords): ReadDirectory {
  const { epoch, beganS, mode, seeds, count, partsHash } = decodeDirectoryHead(head);
  // The hash comes first: what it does not cover is not read.
  if (parts.length !== Math.ceil(count / KEEPERS_PER_PART) || hashOf(parts) !== partsHash)
    throw new TypeError("Parts of another directory");
  const lists = parts.map((part) => decode(partCodec, part));
  const keepers = lists.flat();
  const isSorted = keepers.every(({ key }, at) => at === 0 || key > (keepers[at - 1]?.key ?? ""));
  const areFull = keepers.length === count && lists.slice(0, -1).every(({ length }) => length === KEEPERS_PER_PART);
  if (!isSorted || !areFull) throw new TypeError("Keepers of a directory are in order of their keys, and parts are full");
  return { epoch, beganS, keepers, mode, seeds };
}

function modeOf({ kind, counted, tooFew }: { readonly kind: number; readonly counted: number; readonly tooFew: number }): MailMode {
  switch (MODES[kind]) {
    case "announced":
      return { is: "announced", left: counted, tooFew };
    case "keepers":
      if (counted === 0) return { is: "keepers", tooFew };
      break;
    default:
      if (tooFew === 0) return { is: "gossip", enough: counted };
  }
  throw new TypeError("A mode has no such count");
}

function hashOf(parts: readonly Uint8Array[]): string {
  return toHex(sha256(concatBytes(...parts.map((part) => sha256(part)))));
}
