// The network that is attacked: real node processes, started as an attack wants them.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { P2P_PORT_OFFSET } from "#node/config/files/network-folders.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { ProcessNetwork, type ProcessNode } from "../support/nodes/process-network.ts";
import { keyOf } from "../support/nodes/set-changes.ts";
import type { NetworkShape, Target } from "./attack.ts";

/** Multiaddress of a node with its peer id. */
export function p2pAddressOf(network: ProcessNetwork, index: number): string {
  const node = network.node(index);
  return `/ip4/127.0.0.1/tcp/${node.port + P2P_PORT_OFFSET}/p2p/${peerNameOf(keyOf(node).publicKey)}`;
}

const running = new Set<ProcessNetwork>();
/** Addresses of this machine are slots, scores and bans of their own, as those of the world are: attackers have some of them. */
const COUNTS_ADDRESSES = ["--p2p-limit-local", "on"];

/** Ends all nodes: they are processes of their own, which a signal to this one does not reach. */
export async function endAllNetworks(): Promise<void> {
  await Promise.all([...running].map((network) => network[Symbol.asyncDispose]()));
}

/** Starts the network but for the validators that the attacker runs. The caller disposes of it. */
export async function startSiegeNetwork(shape: NetworkShape): Promise<ProcessNetwork> {
  const { validators, followers = 0, isLight = false, hostile = 0 } = shape;
  const network = await ProcessNetwork.create({
    validators,
    nodes: followers,
    isDirect: true,
  });
  running.add(network);
  try {
    if (isLight) await makeLight(network.node(network.nodes.length - 1));
    const own = network.nodes.slice(0, validators - hostile).concat(network.nodes.slice(validators));
    await Promise.all(own.map((node) => node.start(COUNTS_ADDRESSES)));
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
    richKey: network.genesis.accounts[0]?.pub_key ?? "",
    nodes: [victim, ...others].map(({ index, port, dataDir }) => ({ port, dataDir, p2pAddress: p2pAddressOf(network, index) })),
  };
}

async function makeLight(node: ProcessNode): Promise<void> {
  const file = join(node.dataDir, "config.json");
  const config = JSON.parse(await readFile(file, "utf8")) as object;
  await writeFile(file, JSON.stringify({ ...config, mode: "light" }));
}
