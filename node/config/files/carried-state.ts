// The state file of a chain that continues another one: it is beside the genesis file, and every data folder of a full node has a copy.
import { createHash } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import type { HashHex } from "#shared/protocol/chain/header.ts";
import { fileError } from "./file-errors.ts";
import { syncFolder } from "./write-file-atomic.ts";

/** Where the file is to be, and where it may come from. */
export interface CarriedStateRequest {
  /** Its place in the data folder. */
  readonly target: string;
  /** The genesis file that the person named. */
  readonly genesisPath: string | undefined;
  /** True for a light node, which needs no state. */
  readonly isLight: boolean;
}

const BUFFER_BYTES = 1_048_576;

/** Path of the state file that belongs to a genesis file: the same name with `.state` for `.json`. */
export function stateFilePath(genesisPath: string): string {
  return `${genesisPath.replace(/\.json$/, "")}.state`;
}

/** Checks without changing anything that a new folder can get the state its chain begins with. @throws CodedError CONFIG_INVALID */
export function checkCarriedState(genesis: Genesis, { target, genesisPath, isLight }: CarriedStateRequest): void {
  const { previous } = genesis;
  if (previous === undefined || isLight) return;
  const source = sourceOf({ target, genesisPath, isLight });
  if (source === undefined)
    throw new CodedError(
      "CONFIG_INVALID",
      `The chain ${genesis.chain_id} begins with the state of ${previous.chain_id}, and ${genesisPath === undefined ? "the address of a node does not give it: name the exported genesis file with --genesis" : `there is no ${stateFilePath(genesisPath)}: put the state file there that was exported with the genesis file`}. A light node (--mode light) needs none`,
    );
  requireHash(source, hashWhileCopying(source, undefined), previous.file_hash);
}

/** Copies the state file into the data folder, unless it is there or not to be had. @throws CodedError when it is another file. */
export function takeCarriedState({ previous }: Genesis, request: CarriedStateRequest): void {
  if (previous === undefined || request.isLight || existsSync(request.target)) return;
  const source = sourceOf(request);
  if (source === undefined) return;
  const temporary = `${request.target}.${process.pid}.tmp`;
  try {
    requireHash(source, hashWhileCopying(source, temporary), previous.file_hash);
    renameSync(temporary, request.target);
    syncFolder(dirname(request.target));
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** The file in the folder comes first: an interrupted start has left it. */
function sourceOf({ target, genesisPath }: CarriedStateRequest): string | undefined {
  const beside = genesisPath === undefined ? undefined : resolve(stateFilePath(genesisPath));
  return [target, beside].find((path) => path !== undefined && existsSync(path));
}

function requireHash(path: string, hash: HashHex, wanted: HashHex): void {
  if (hash === wanted) return;
  throw new CodedError(
    "CONFIG_INVALID",
    `${path} is not the state file that the genesis file names (its SHA-256 begins with ${hash.slice(0, 16)}, not ${wanted.slice(0, 16)}): copy both files again from one export`,
    { details: { path, hash, wanted } },
  );
}

/** SHA-256 of a file, which is copied on the way when there is a place for the copy. @throws CodedError STORAGE_FULL or STORAGE_UNWRITABLE */
function hashWhileCopying(source: string, target: string | undefined): HashHex {
  const hash = createHash("sha256");
  const buffer = Buffer.alloc(BUFFER_BYTES);
  let place = source;
  try {
    using files = new DisposableStack();
    const input = openSync(source, "r");
    files.defer(() => closeSync(input));
    place = target ?? source;
    const output = target === undefined ? undefined : openSync(target, "w", 0o600);
    if (output !== undefined) files.defer(() => closeSync(output));
    for (let length = readSync(input, buffer); length > 0; length = readSync(input, buffer)) {
      hash.update(buffer.subarray(0, length));
      for (let at = 0; output !== undefined && at < length; ) at += writeSync(output, buffer, at, length - at);
    }
    if (output !== undefined) fsyncSync(output);
  } catch (error) {
    throw fileError(place, error);
  }
  return hash.digest("hex");
}
