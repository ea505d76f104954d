// Directories of keepers in the state: the first block of each epoch writes one. The newest and the one before are there in turns, each with
// a head under its turn, 0 or 1, and its parts under turn and number, so that an epoch writes its own directory alone.
import { CodedError } from "#shared/errors/coded-error.ts";
import { epochOf, nextDirectory } from "#shared/protocol/keepers/directory.ts";
import {
  type DirectoryHead,
  decodeDirectory,
  decodeDirectoryHead,
  encodeDirectory,
  KEEPERS_PER_PART,
  type ReadDirectory,
} from "#shared/protocol/keepers/directory-records.ts";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import { type BondedRelay, keeperBondUt } from "#shared/protocol/keepers/keeper-standing.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { KEEPERS_VERSION, SUSPENSION_VERSION, UNBONDING_S } from "#shared/protocol/primitives/limits.ts";
import type { NetworkParams } from "#shared/protocol/primitives/params.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import type { StateReader, StateView } from "../state-view.ts";
import { type KeeperRecord, readKeepers, writeKeeper } from "./keeper-records.ts";
import { readNodeCounters, readRelay, readWallet } from "./node-records.ts";
import { endSuspensions, readSuspension } from "./suspension-records.ts";

/** What is known of a block before it is executed. */
export interface EpochFrame {
  readonly timeMs: number;
  readonly parentTimeMs: number;
  /** Hash of the parent, hex. */
  readonly parentHash: string;
  readonly params: Pick<NetworkParams, "version" | "validator_bond_ut">;
}

type Turn = 0 | 1;

interface HeadInTurn {
  readonly turn: Turn;
  readonly head: DirectoryHead;
}

/** Begins a block: the first one of an epoch, and the first one of all that has these rules, writes the directory and who stands where. */
export function beginEpoch(view: StateView, { timeMs, parentTimeMs, parentHash, params }: EpochFrame): void {
  if (params.version < KEEPERS_VERSION) return;
  const timeS = Math.floor(timeMs / 1_000);
  const epoch = epochOf(timeS);
  if (epoch === epochOf(Math.floor(parentTimeMs / 1_000)) && view.get("directory", headKey(0)) !== undefined) return;
  if (params.version >= SUSPENSION_VERSION) endSuspensions(view, timeS);
  const newest = readHeads(view)[0];
  const keepers = readKeepers(view);
  const at = { timeS, validatorBondUt: params.validator_bond_ut };
  const relays = [...keepers].flatMap(([key, keeper]) => bondedRelay(view, key, keeper, at));
  const standings = new Map([...keepers].flatMap(([key, { standing }]) => (standing === undefined ? [] : [[key, standing] as const])));
  const directory = nextDirectory(
    { ...newest?.head, standings },
    { block: { timeS, parentHash }, relays, validatorBondUt: params.validator_bond_ut },
  );
  writeDirectory(view, newest?.turn === 0 ? 1 : 0, directory);
  for (const [key, keeper] of keepers) writeKeeper(view, key, { ...keeper, standing: directory.standings.get(key) });
}

/** Heads of the newest directory and of the one before, as far as there are any. */
export function readDirectoryHeads(reader: StateReader): readonly DirectoryHead[] {
  return readHeads(reader).map(({ head }) => head);
}

/** The directory of an epoch; undefined when it is neither the newest nor the one before. */
export function readDirectory(reader: StateReader, epoch: number): ReadDirectory | undefined {
  const found = readHeads(reader).find(({ head }) => head.epoch === epoch);
  return found === undefined ? undefined : directoryOf(reader, found);
}

function readHeads(reader: StateReader): readonly HeadInTurn[] {
  const heads = ([0, 1] as const).flatMap((turn): readonly HeadInTurn[] => {
    const value = reader.get("directory", headKey(turn));
    return value === undefined ? [] : [{ turn, head: orBroken(() => decodeDirectoryHead(value)) }];
  });
  return heads.toSorted((a, b) => b.head.epoch - a.head.epoch);
}

function directoryOf(reader: StateReader, { turn, head: { count } }: HeadInTurn): ReadDirectory {
  const head = reader.get("directory", headKey(turn)) ?? new Uint8Array(0);
  const parts = Array.from({ length: partsOf(count) }, (_, n) => reader.get("directory", partKey(turn, n)) ?? new Uint8Array(0));
  return orBroken(() => decodeDirectory({ head, parts }));
}

function writeDirectory(view: StateView, turn: Turn, directory: ReadDirectory): void {
  const old = view.get("directory", headKey(turn));
  const oldParts = old === undefined ? 0 : partsOf(orBroken(() => decodeDirectoryHead(old)).count);
  const { head, parts } = encodeDirectory(directory);
  view.set("directory", headKey(turn), head);
  for (const [n, part] of parts.entries()) {
    const key = partKey(turn, n);
    const before = view.get("directory", key);
    if (before === undefined || !equalBytes(before, part)) view.set("directory", key, part);
  }
  for (let n = parts.length; n < oldParts; n += 1) view.delete("directory", partKey(turn, n));
}

/** What the rules look at; nothing for one that neither has enough locked nor stands anywhere. */
function bondedRelay(
  reader: StateReader,
  key: PublicKeyHex,
  { bondUt, withdrawnUt, availableAt, standing }: KeeperRecord,
  { timeS, validatorBondUt }: { readonly timeS: number; readonly validatorBondUt: number },
): readonly BondedRelay[] {
  if (standing === undefined && bondUt < keeperBondUt(validatorBondUt, KEEPER_RULES)) return [];
  const relay = readRelay(reader, key);
  if (relay === undefined) throw new CodedError("INVARIANT", `${key} has a bond and is no relay`);
  const { heartbeats, lastHeartbeatAt } = readNodeCounters(reader, key);
  const { x25519Pub: x25519, multiaddr } = relay;
  // A bond that is taken in again is no longer withdrawn: what is on its way back says all about it.
  const withdrawnAtS = withdrawnUt === 0 ? 0 : availableAt - UNBONDING_S;
  const suspendedUntilS = readSuspension(reader, key, timeS).untilS;
  const times = { registeredAtS: 0, withdrawnAtS, suspendedUntilS, lastHeartbeatS: lastHeartbeatAt };
  return [{ key, x25519, multiaddr, wallet: readWallet(reader, key), bondUt, heartbeats, ...times }];
}

function partsOf(count: number): number {
  return Math.ceil(count / KEEPERS_PER_PART);
}

function headKey(turn: Turn): Uint8Array {
  return Uint8Array.of(turn);
}

/** The number has two bytes, most significant first. */
function partKey(turn: Turn, n: number): Uint8Array {
  return Uint8Array.of(turn, n >> 8, n & 0xff);
}

function orBroken<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new CodedError("INVARIANT", "A directory of the state has another shape", { cause });
  }
}
