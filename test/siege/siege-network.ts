// The network that is attacked: real node processes, started as an attack wants them.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { P2P_PORT_OFFSET } from "#node/config/files/network-folders.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { createKeeperNetwork } from "../support/nodes/keeper-network.ts";
import { ProcessNetwork, type ProcessNode } from "../support/nodes/process-network.ts";
import { keyOf } from "../support/nodes/set-changes.ts";
import type { NetworkShape, Target } from "./attack.ts";
import { boxOfSeed, keptBox, keptSeeds } from "./kept-box.ts";
import { createSnapshotNetwork } from "./snapshot-past.ts";
import { noteUsedDays } from "./used-days.ts";

/** Multiaddress of a node with its peer id. */
export function p2pAddressOf(network: ProcessNetwork, index: number): string {
  const node = network.node(index);
  return `/ip4/127.0.0.1/tcp/${node.port + P2P_PORT_OFFSET}/p2p/${peerNameOf(keyOf(node).publicKey)}`;
}

const running = new Set<ProcessNetwork>();
/** Addresses of this machine are slots, scores and bans of their own, as those of the world are: attackers have some of them. */
const COUNTS_ADDRESSES = ["--p2p-limit-local", "on"];
/** What people read needs no proof. */
const OPEN_MAILBOXES = { SVC_INBOX_AUTH: "open" };
const AT_ONCE = 4;
/** From which on seeds of the box are that attackers know; those of honest people are lower. */
export const FULL_BOX_SEED = 150;
const FIRST_CONTACT_SEED = 1;
const STRANGERS_BOXES = 3;

/** Ends all nodes: they are processes of their own, which a signal to this one does not reach. */
export async function endAllNetworks(): Promise<void> {
  await Promise.all([...running].map((network) => network[Symbol.asyncDispose]()));
}

/** Starts the network but for the validators that the attacker runs. The caller disposes of it. */
export async function startSiegeNetwork(shape: NetworkShape): Promise<ProcessNetwork> {
  const { validators, isLight = false, hostile = 0 } = shape;
  const network = await createFolders(shape);
  running.add(network);
  try {
    if (isLight) await makeLight(network.node(network.nodes.length - 1));
    const own = network.nodes.slice(0, validators - hostile).concat(network.nodes.slice(validators));
    // Two at a time where there are many: all at once would take each other the processors until none is there in time.
    for (let at = 0; at < own.length; at += AT_ONCE)
      await Promise.all(
        own.slice(at, at + AT_ONCE).map((node) => node.start(COUNTS_ADDRESSES, shape.keepers === undefined ? {} : OPEN_MAILBOXES)),
      );
    await Promise.all(own.map((node) => network.connected(node)));
    return network;
  } catch (error) {
    await network[Symbol.asyncDispose]();
    throw error;
  }
}

/** Holds clients of this machine to the limits of strangers, as those of a public node are. */
export async function limitLoopback(network: ProcessNetwork): Promise<void> {
  for (const node of network.nodes) {
    await node.end("SIGTERM");
    await node.start(COUNTS_ADDRESSES, { SVC_RATE_LIMIT_LOOPBACK: "true" });
  }
}

/** The victim: a light node where there is one, else the first. */
export function victimNode(network: ProcessNetwork, { isLight = false }: NetworkShape): ProcessNode {
  return network.node(isLight ? network.nodes.length - 1 : 0);
}

/** What an attacker knows, the victim first. */
export function targetOf(network: ProcessNetwork, shape: NetworkShape): Target {
  const victim = victimNode(network, shape);
  const others = network.nodes.filter((node) => node !== victim);
  return {
    chainId: network.genesis.chain_id,
    genesisHash: genesisHash(network.genesis),
    ...(shape.keepers === undefined ? {} : { keptBox: keptBox(network, FULL_BOX_SEED), floodedBoxes: floodedBoxes(network) }),
    richKey: network.genesis.accounts[0]?.pub_key ?? "",
    nodes: [victim, ...others].map((node) => ({
      port: node.port,
      dataDir: node.dataDir,
      publicKey: keyOf(node).publicKey,
      p2pAddress: p2pAddressOf(network, node.index),
    })),
  };
}

function floodedBoxes(network: ProcessNetwork): readonly string[] {
  const { ownBox } = contactSeeds(network);
  return [ownBox, ...keptSeeds(network, FULL_BOX_SEED, STRANGERS_BOXES)].map(boxOfSeed);
}

/** Seeds of the boxes of a person whose mail the victim keeps: one that is open for a contact, and the one that anyone may write to. */
export function contactSeeds(network: ProcessNetwork): { readonly openBox: number; readonly ownBox: number } {
  const [openBox = 0, ownBox = 0] = keptSeeds(network, FIRST_CONTACT_SEED, 2);
  return { openBox, ownBox };
}

/** Folders of nodes, with the past that the attack needs. */
async function createFolders(shape: NetworkShape): Promise<ProcessNetwork> {
  const { validators, followers = 0, keepers, hasSnapshot = false, nearlyUsedDays = 0 } = shape;
  if (keepers !== undefined) {
    const network = await createKeeperNetwork({ validators, keepers, users: followers });
    noteUsedDays(network.node(0).dataDir, nearlyUsedDays);
    return network;
  }
  if (hasSnapshot) return await createSnapshotNetwork({ validators, nodes: followers });
  return await ProcessNetwork.create({ validators, nodes: followers, isDirect: true });
}

async function makeLight(node: ProcessNode): Promise<void> {
  const file = join(node.dataDir, "config.json");
  const config = JSON.parse(await readFile(file, "utf8")) as object;
  await writeFile(file, JSON.stringify({ ...config, mode: "light" }));
}
