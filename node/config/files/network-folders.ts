// A new development network as data folders, one a node: keys, genesis and a configuration with which each starts by itself.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { MAX_VALIDATORS } from "#shared/protocol/primitives/limits.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import { createDevelopmentGenesis } from "../development-genesis.ts";
import { createDataFolder, dataFolderPaths } from "./data-folder.ts";
import { readOrCreateKey, type StoredKey } from "./key-store.ts";
import { writeFileAtomic } from "./write-file-atomic.ts";

/** Distance of a node's port for peers from the one of its HTTP interface; so the most nodes of a network that is made here. */
export const P2P_PORT_OFFSET = 100;
const HOST = "127.0.0.1";

/** What to make. */
export interface NetworkRequest {
  /** Folder of the network; missing or empty. */
  readonly path: string;
  readonly validators: number;
  /** Further nodes, which follow. */
  readonly nodes: number;
  /** Port of the first node's HTTP interface. */
  readonly basePort: number;
  readonly nowMs: number;
  readonly random: RandomBytes;
  /** libp2p id of a node key. */
  readonly peerName: (publicKey: string) => string;
}

/** A node of a new network. */
export interface NetworkNode {
  readonly dataDir: string;
  readonly url: string;
  readonly p2pAddress: string;
  readonly isValidator: boolean;
}

/** A network that was made. */
export interface NewNetwork {
  readonly genesis: Genesis;
  readonly nodes: readonly NetworkNode[];
}

/** Makes `path/node-0` and so on. @throws CodedError CONFIG_INVALID when the numbers make no network or the folder holds something. */
export function createNetworkFolders(request: NetworkRequest): NewNetwork {
  checkNumbers(request);
  checkEmpty(request.path);
  const { path, validators, nodes: followers, random, nowMs } = request;
  const folders = Array.from({ length: validators + followers }, (_, index) => join(path, `node-${index}`));
  const keys = folders.map((folder) => createKeys(folder, random));
  const nodes = keys.map(({ publicKey }, index) => describeNode(request, publicKey, index));
  const [first, ...others] = folders.map((folder) => dataFolderPaths(folder).faucetKey);
  if (first === undefined) throw new CodedError("INVARIANT", "A network has a node");
  const faucetKey = readOrCreateKey(first, "ed25519", random);
  for (const other of others) readOrCreateKey(other, "ed25519", () => faucetKey.secret);
  const validatorKeys = keys.slice(0, validators).map(({ publicKey }) => publicKey);
  const genesis = createDevelopmentGenesis({ validatorKeys, faucetKey: faucetKey.publicKey, nowMs, random });
  for (const [index, node] of nodes.entries()) {
    const bootstrap = nodes.filter((other) => other !== node).map(({ p2pAddress }) => p2pAddress);
    const { basePort } = request;
    const config = { stats_addr: `${HOST}:${basePort + index}`, p2p_addr: `${HOST}:${basePort + P2P_PORT_OFFSET + index}`, bootstrap };
    writeFileAtomic(join(node.dataDir, "config.json"), jsonText(config));
    // Last: a folder that has it is complete.
    writeFileAtomic(dataFolderPaths(node.dataDir).genesis, jsonText(genesis));
  }
  return { genesis, nodes };
}

function checkNumbers({ validators, nodes, basePort }: NetworkRequest): void {
  const count = validators + nodes;
  const fail = (message: string): never => {
    throw new CodedError("CONFIG_INVALID", message);
  };
  if (validators < 1) fail("A network needs at least one validator");
  if (validators > MAX_VALIDATORS || count > P2P_PORT_OFFSET) fail(`A network made here has at most ${P2P_PORT_OFFSET} nodes`);
  if (basePort < 1 || basePort + P2P_PORT_OFFSET + count - 1 > 65_535)
    fail(`--base-port is ${basePort}: the nodes take the ports from it on and those ${P2P_PORT_OFFSET} above, up to 65535`);
}

function checkEmpty(path: string): void {
  if (!existsSync(path)) return;
  if (!statSync(path).isDirectory()) throw new CodedError("CONFIG_INVALID", `${path} is no folder: choose another with --out`);
  if (readdirSync(path).length > 0)
    throw new CodedError("CONFIG_INVALID", `${path} is not empty, and nothing in it is overwritten: choose another folder with --out`);
}

function createKeys(folder: string, random: RandomBytes): StoredKey {
  const paths = dataFolderPaths(folder);
  createDataFolder(folder);
  createDataFolder(join(folder, "keys"));
  readOrCreateKey(paths.relayKey, "x25519", random);
  return readOrCreateKey(paths.nodeKey, "ed25519", random);
}

function describeNode({ path, basePort, validators, peerName }: NetworkRequest, publicKey: string, index: number): NetworkNode {
  return {
    dataDir: join(path, `node-${index}`),
    url: `http://${HOST}:${basePort + index}`,
    p2pAddress: `/ip4/${HOST}/tcp/${basePort + P2P_PORT_OFFSET + index}/p2p/${peerName(publicKey)}`,
    isValidator: index < validators,
  };
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
