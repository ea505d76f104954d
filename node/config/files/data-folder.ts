// Layout of a node's data folder and what may be in it when a node starts:
//   genesis.json  genesis.state  config.json  chain.db  light.db  mailbox.db  checkpoint  consensus/
//   (genesis.state where the chain continues another one)
//   keys/{node-key,relay-key,faucet-key}.json  (faucet-key on development networks)
import { mkdirSync, readdirSync, readFileSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { ENDPOINT_FILE } from "#shared/desktop/local-endpoint.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { type Genesis, genesisHash, parseGenesis } from "#shared/protocol/chain/genesis.ts";
import type { HashHex } from "#shared/protocol/chain/header.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import { createDevelopmentGenesis } from "../development-genesis.ts";
import { type CarriedStateRequest, checkCarriedState, takeCarriedState } from "./carried-state.ts";
import { fileError, systemErrorCode } from "./file-errors.ts";
import { readKey, readOrCreateKey, type StoredKey } from "./key-store.ts";
import { writeFileAtomic } from "./write-file-atomic.ts";

export interface DataFolderPaths {
  readonly root: string;
  readonly genesis: string;
  /** The state that the chain began with, where it continues another one. */
  readonly genesisState: string;
  readonly chain: string;
  readonly mailbox: string;
  readonly consensus: string;
  readonly nodeKey: string;
  readonly relayKey: string;
  readonly faucetKey: string;
  /** Verified blocks of a light node. */
  readonly light: string;
  /** The checkpoint that a light node got with its network. */
  readonly checkpoint: string;
  /** Pending transactions between two runs. */
  readonly pending: string;
  /** Exists while the explorer's index is rebuilt. */
  readonly reindexing: string;
  /** Files of old blocks. */
  readonly history: string;
  /** States of earlier heights, for nodes that join. */
  readonly snapshots: string;
  /** What the node knows of other nodes. */
  readonly peers: string;
  /** Address and secret of a running node, for programs of its owner. */
  readonly endpoint: string;
}

/** A data folder that is ready for a node. */
export interface DataFolder {
  readonly paths: DataFolderPaths;
  readonly genesis: Genesis;
  readonly genesisHash: HashHex;
  /** Ed25519 key of the node. */
  readonly nodeKey: StoredKey;
  /** X25519 key of the node's relay. */
  readonly relayKey: StoredKey;
  /** Ed25519 key of the faucet, where this folder holds one. */
  readonly faucetKey: StoredKey | undefined;
}

/** What the person asked for. */
export interface FolderRequest {
  readonly path: string;
  readonly genesisPath: string | undefined;
  readonly isDevelopment: boolean;
  /** A network that another node described. */
  readonly joined?: Genesis;
  /** True for a light node, which holds no state. */
  readonly isLight?: boolean;
}

/** The request, and where time and randomness come from. */
export interface OpenDataFolderOptions extends FolderRequest {
  readonly nowMs: number;
  readonly random: RandomBytes;
}

/** Names that a folder without a genesis may hold: what a start makes before it, and what a person or an interrupted start left. */
const NAMES_BEFORE_GENESIS = /^(?:config\.json|keys|consensus|genesis\.state|lock|lock-journal|.*\.tmp)$/;
/** What a folder may hold beside those when its chain continues another one: the mail that waits at the node. */
const CARRIED_NAMES = /^(?:mailbox|mail-queue|held-mail)\.db(?:-wal|-shm)?$/;

/** Paths inside a data folder. */
export function dataFolderPaths(root: string): DataFolderPaths {
  return {
    root,
    genesis: join(root, "genesis.json"),
    genesisState: join(root, "genesis.state"),
    chain: join(root, "chain.db"),
    mailbox: join(root, "mailbox.db"),
    consensus: join(root, "consensus"),
    nodeKey: join(root, "keys", "node-key.json"),
    relayKey: join(root, "keys", "relay-key.json"),
    faucetKey: join(root, "keys", "faucet-key.json"),
    light: join(root, "light.db"),
    checkpoint: join(root, "checkpoint"),
    pending: join(root, "pending.json"),
    reindexing: join(root, "reindexing"),
    history: join(root, "history"),
    snapshots: join(root, "snapshots"),
    peers: join(root, "peers.json"),
    endpoint: join(root, ENDPOINT_FILE),
  };
}

/** The network of a folder that a node has used. @throws CodedError CONFIG_INVALID without one, STORAGE_CORRUPT or STORAGE_UNWRITABLE. */
export function readFolderNetwork(path: string): Genesis {
  const genesis = readStoredGenesis(dataFolderPaths(path).genesis);
  if (genesis === undefined)
    throw new CodedError("CONFIG_INVALID", `${path} holds no chain: name the data folder of a node with --data-dir`);
  return genesis;
}

/** Makes the folder when it is missing, readable by its owner only. @throws CodedError STORAGE_UNWRITABLE or STORAGE_FULL */
export function createDataFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw fileError(path, error);
  }
}

/**
 * Checks without changing anything that a node may start in a folder, which need not exist yet.
 * @throws CodedError as {@link openDataFolder}
 */
export function checkDataFolder(options: FolderRequest): void {
  const stored = readStoredGenesis(dataFolderPaths(options.path).genesis);
  if (stored !== undefined) {
    checkAgainst(stored, options);
    return;
  }
  const genesis = newNetwork(options);
  refuseForeign(options.path, genesis?.previous === undefined ? undefined : CARRIED_NAMES);
  if (genesis !== undefined) checkCarriedState(genesis, carriedRequest(options));
}

/**
 * Reads the network and keys of an existing, locked folder, making what a new one needs. The genesis file is written last: a folder
 * that has one is complete.
 * @throws CodedError CONFIG_INVALID, STORAGE_FOREIGN, STORAGE_CORRUPT, STORAGE_UNWRITABLE or STORAGE_FULL, in words that say what to do.
 */
export function openDataFolder(options: OpenDataFolderOptions): DataFolder {
  const paths = dataFolderPaths(options.path);
  checkDataFolder(options);
  const stored = readStoredGenesis(paths.genesis);
  const given = stored === undefined ? newNetwork(options) : undefined;
  createDataFolder(join(options.path, "keys"));
  createDataFolder(paths.consensus);
  const isNewKey = readKey(paths.nodeKey, "ed25519") === undefined;
  const nodeKey = readOrCreateKey(paths.nodeKey, "ed25519", options.random);
  if (isNewKey) writeFileAtomic(newKeyMark(paths), nodeKey.publicKey);
  const relayKey = readOrCreateKey(paths.relayKey, "x25519", options.random);
  const genesis = stored ?? given ?? createDevelopment(paths, nodeKey, options);
  takeCarriedState(genesis, carriedRequest(options));
  if (stored === undefined) writeFileAtomic(paths.genesis, `${JSON.stringify(genesis, null, 2)}\n`);
  const faucetKey = genesis.development ? readKey(paths.faucetKey, "ed25519") : undefined;
  return { paths, genesis, genesisHash: genesisHash(genesis), nodeKey, relayKey, faucetKey };
}

/** True once after the node key was made: it has signed nothing. A key that took its place has no mark. */
export function takeNewKeyMark({ paths, nodeKey }: Pick<DataFolder, "paths" | "nodeKey">): boolean {
  try {
    const marked = readFileSync(newKeyMark(paths), "utf8");
    unlinkSync(newKeyMark(paths));
    return marked === nodeKey.publicKey;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return false;
    throw fileError(paths.consensus, error);
  }
}

function newKeyMark({ consensus }: DataFolderPaths): string {
  return join(consensus, "new-key");
}

function newNetwork({ path, genesisPath, isDevelopment, joined }: FolderRequest): Genesis | undefined {
  if (joined !== undefined) return joined;
  if (genesisPath !== undefined) {
    const genesis = readGenesis(genesisPath);
    if (genesis === undefined) throw new CodedError("CONFIG_INVALID", `There is no genesis file at ${genesisPath}`);
    return genesis;
  }
  if (isDevelopment) return undefined;
  throw new CodedError(
    "CONFIG_INVALID",
    `${path} holds no network yet: start with --dev for a development network of your own, or with --genesis FILE to join one`,
  );
}

function createDevelopment(paths: DataFolderPaths, nodeKey: StoredKey, { nowMs, random }: OpenDataFolderOptions): Genesis {
  const faucetKey = readOrCreateKey(paths.faucetKey, "ed25519", random);
  return createDevelopmentGenesis({ validatorKeys: [nodeKey.publicKey], faucetKey: faucetKey.publicKey, nowMs, random });
}

function readStoredGenesis(path: string): Genesis | undefined {
  try {
    return readGenesis(path);
  } catch (cause) {
    if (!isCodedError(cause, "CONFIG_INVALID")) throw cause;
    throw new CodedError("STORAGE_CORRUPT", `${path} is damaged: restore it from a backup or choose another --data-dir`, { cause });
  }
}

function readGenesis(path: string): Genesis | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw fileError(path, error);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CodedError("CONFIG_INVALID", `${path} is not a genesis file: it is not valid JSON`, { cause });
  }
  return parseGenesis(value);
}

function checkAgainst(stored: Genesis, { path, genesisPath, isDevelopment, joined }: FolderRequest): void {
  if (isDevelopment && !stored.development)
    throw new CodedError(
      "STORAGE_FOREIGN",
      `${path} belongs to the network ${stored.chain_id}, which is no development network: start without --dev or choose another --data-dir`,
    );
  const given = joined ?? (genesisPath === undefined ? undefined : readGenesis(genesisPath));
  if (given === undefined && genesisPath === undefined) return;
  if (given === undefined) throw new CodedError("CONFIG_INVALID", `There is no genesis file at ${genesisPath}`);
  if (genesisHash(given) !== genesisHash(stored))
    throw new CodedError(
      "STORAGE_FOREIGN",
      `${path} belongs to the network ${stored.chain_id}, not to ${given.chain_id}${genesisPath === undefined ? "" : ` of ${genesisPath}`}: choose another --data-dir`,
    );
}

function carriedRequest({ path, genesisPath, isLight = false }: FolderRequest): CarriedStateRequest {
  return { target: dataFolderPaths(path).genesisState, genesisPath, isLight };
}

function refuseForeign(path: string, allowed = NAMES_BEFORE_GENESIS): void {
  let names: readonly string[];
  try {
    names = readdirSync(path);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return;
    throw fileError(path, error);
  }
  const foreign = names.find((name) => !NAMES_BEFORE_GENESIS.test(name) && !allowed.test(name));
  if (foreign !== undefined)
    throw new CodedError(
      "STORAGE_FOREIGN",
      `${path} is not a Parley data folder (it holds ${foreign} and no genesis.json): choose an empty one with --data-dir`,
    );
}
