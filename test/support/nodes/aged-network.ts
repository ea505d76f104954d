// A network whose chain began days ago by its own clock: the validators have signed blocks of chosen times before any node is started.
import { cpSync, readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { readKey } from "#node/config/files/key-store.ts";
import { createNetworkFolders, type NetworkNode } from "#node/config/files/network-folders.ts";
import { createValidatorSigner } from "#node/crypto/validator-signer.ts";
import { createEngineStorage } from "#node/engine/log/engine-storage.ts";
import { SignGuard } from "#node/engine/log/sign-guard.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import { voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { ed25519PublicKey, signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { formatTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toHex } from "#shared/util/bytes.ts";
import { commitNow, commitOf, openTestChain, type TestChain } from "../chain/test-chain.ts";
import type { Actor } from "../worlds/ledger-world.ts";
import { findNetworkPorts, ProcessNetwork, type ProcessNetworkSize } from "./process-network.ts";

/** Blocks of a network that has begun. */
export const BEGUN_BLOCKS = 3;
const MS_PER_S = 1_000;
const MINUTE_MS = 60_000;

/** Folders of nodes that are not started yet. */
export interface AgedNetwork {
  readonly genesis: Genesis;
  readonly nodes: readonly NetworkNode[];
  /** In the order of their folders. */
  readonly validators: readonly Actor[];
  readonly faucet: Actor;
}

/** A block of the past. */
export interface PastBlock {
  readonly timeMs: number;
  readonly transactions: readonly Transaction[];
}

/** Makes the folders of a network that began at a time and with the first version of the rules, the validators first. */
export async function createAgedNetwork(
  path: string,
  size: { readonly validators: number; readonly nodes: number },
  { startMs, heartbeatMs }: { readonly startMs: number; readonly heartbeatMs: number },
): Promise<AgedNetwork> {
  const basePort = await findNetworkPorts(size.validators + size.nodes);
  const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
  const made = createNetworkFolders({ path, ...size, basePort, nowMs: startMs, random, peerName: peerNameOf });
  const { version: _, ...first } = made.genesis.params;
  const params = { ...first, heartbeat_interval_ms: heartbeatMs };
  const genesis = { ...made.genesis, genesis_time: formatTimestamp(startMs), params };
  for (const { dataDir } of made.nodes) await writeFile(dataFolderPaths(dataDir).genesis, JSON.stringify(genesis));
  const validators = made.nodes.slice(0, size.validators).map(({ dataDir }) => actorOf(dataFolderPaths(dataDir).nodeKey));
  return { genesis, nodes: made.nodes, validators, faucet: actorOf(dataFolderPaths(made.nodes[0]?.dataDir ?? "").faucetKey) };
}

/** The same of a network whose folders are there: `startMs` of {@link ProcessNetwork.create} is when it began. */
export function agedNetworkOf({ genesis, nodes }: ProcessNetwork): Past {
  const validators = nodes.filter(({ isValidator }) => isValidator).map(({ dataDir }) => actorOf(dataFolderPaths(dataDir).nodeKey));
  return { genesis, nodes, validators };
}

/** A network with so many validators, whose keys have signed three blocks: one without a past waits half a minute before its first votes. */
export async function createBegunNetwork(size: Omit<ProcessNetworkSize, "startMs">): Promise<ProcessNetwork> {
  const startMs = Math.floor(Date.now() / MS_PER_S) * MS_PER_S - MINUTE_MS;
  const network = await ProcessNetwork.create({ ...size, startMs });
  const past = Array.from({ length: BEGUN_BLOCKS }, (_, index) => ({ timeMs: startMs + (index + 1) * MS_PER_S, transactions: [] }));
  await writePast(agedNetworkOf(network), past);
  return network;
}

/** Folders into which a past is written. */
type Past = Pick<AgedNetwork, "genesis" | "validators"> & { readonly nodes: readonly Pick<NetworkNode, "dataDir">[] };

/**
 * Writes blocks that all validators signed into every folder, and what they signed into their guards. One that was never there, by its
 * number, which is not 0, signed nothing and has nothing.
 */
export async function writePast({ genesis, nodes, validators }: Past, past: readonly PastBlock[], absent?: number): Promise<void> {
  const [first, ...others] = nodes.filter((_, index) => index !== absent);
  if (first === undefined) return;
  const before = new Set(readdirSync(first.dataDir));
  const tip = writeChain(first.dataDir, genesis, (chain) => {
    for (const block of past) commitPast(chain, block, { validators, absent });
  });
  const written = readdirSync(first.dataDir).filter((name) => !before.has(name));
  for (const { dataDir } of others) for (const name of written) cpSync(join(first.dataDir, name), join(dataDir, name), { recursive: true });
  if (tip === undefined) return;
  for (const [index, validator] of validators.entries()) if (index !== absent) rememberSigned(nodes[index]?.dataDir ?? "", validator, tip);
}

/** Has a chain written into a folder. @returns its newest block. */
function writeChain(directory: string, genesis: Genesis, write: (chain: TestChain) => void): Block | undefined {
  using chain = openTestChain(directory, { genesis });
  write(chain);
  return chain.database.blocks.get(chain.executor.tip().height)?.block;
}

function commitPast(
  { executor, source }: TestChain,
  { timeMs, transactions }: PastBlock,
  { validators, absent }: { readonly validators: readonly Actor[]; readonly absent: number | undefined },
): void {
  source.pending.push(...transactions);
  const sorted = validators.toSorted((a, b) => (a.pub < b.pub ? -1 : 1));
  const { block } = executor.buildBlock({ timeMs, proposer: sorted[0]?.pub ?? "" });
  if (block.transactions.length !== transactions.length) throw new Error("A transaction of the past may not be in its block");
  const signers = [...sorted.entries()].filter(([, validator]) => validator !== validators[absent ?? -1]);
  commitNow(executor, block, commitOf(block, signers, { size: sorted.length }));
  source.remove(transactions.map(({ id }) => id));
}

function rememberSigned(dataDir: string, { pub, seed }: Actor, { header }: Block): void {
  const { height, chainId } = header;
  const signBytes = voteSignBytes(chainId, { type: "precommit", height, round: 0, blockHash: headerHash(header) });
  const file = createEngineStorage(dataFolderPaths(dataDir).consensus).openGuard();
  const guard = new SignGuard(file, chainId, createValidatorSigner(seed));
  guard.adopt({ position: { height, round: 0, step: "precommit" }, signBytes, signature: signEd25519(signBytes, seed) });
  guard.flush();
  if (guard.last === undefined || pub !== toHex(ed25519PublicKey(seed))) throw new Error("The guard remembers nothing");
}

function actorOf(file: string): Actor {
  const key = readKey(file, "ed25519");
  if (key === undefined) throw new Error(`There is no key in ${file}`);
  return { seed: key.secret, pub: key.publicKey };
}
