// Changes of the validator set of a process network: who is let in, removed, or caught signing two things.

import { setTimeout as delay } from "node:timers/promises";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { readKey, type StoredKey } from "#node/config/files/key-store.ts";
import { P2P_PORT_OFFSET } from "#node/config/files/network-folders.ts";
import { systemRandom } from "#node/config/system-clock.ts";
import { gossipedConsensusCodec } from "#node/network/wire/wire-codec.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { encode } from "#shared/codec/codec.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { buildTransaction, signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import { pollUntil } from "../host/poll-until.ts";
import type { ProcessNetwork, ProcessNode } from "./process-network.ts";
import { connectRudePeer } from "./rude-peer.ts";

/** One gift pays fees, two of them the bond as well. */
const GIFT_UT = 600_000_000;
const WAIT = { timeoutMs: 60_000, intervalMs: 100 };

/** Key of a node. @throws Error when it has none. */
export function keyOf(node: ProcessNode): StoredKey {
  const key = readKey(dataFolderPaths(node.dataDir).nodeKey, "ed25519");
  if (key === undefined) throw new Error(`node ${node.index} has no key`);
  return key;
}

/** Keys of the set as a node knows it, in order. */
export async function membersOf(node: ProcessNode): Promise<readonly string[]> {
  return (await node.client.listValidators({})).validators.map(({ pub_key }) => pub_key).sort();
}

/** Waits until every node has exactly these members in its set. */
export async function haveSet(network: ProcessNetwork, indices: readonly number[]): Promise<void> {
  const expected = indices
    .map((index) => keyOf(network.node(index)).publicKey)
    .sort()
    .join();
  const isSo = async (node: ProcessNode): Promise<boolean> => (await membersOf(node)).join() === expected;
  const what = `the validators ${indices.join(", ")}`;
  await Promise.all(network.nodes.map((node) => pollUntil(() => isSo(node), { ...WAIT, what: `${what} on node ${node.index}` })));
}

/** Gives a node's account money from the faucet of node 0. */
export async function fund(network: ProcessNetwork, node: ProcessNode, gifts: number): Promise<void> {
  const { client } = network.node(0);
  for (let count = 0; count < gifts; count += 1) {
    const { id } = await client.requestFaucet({ body: { to: keyOf(node).publicKey, amount_ut: GIFT_UT } });
    await pollUntil(() => readCommitted(client, id), { ...WAIT, what: `funds of node ${node.index}` });
  }
}

/** A node asks for a change, or approves it, at itself; returns once that is in a block. */
export async function approve(
  network: ProcessNetwork,
  { node, type, target }: { readonly node: ProcessNode; readonly type: "ADD_VALIDATOR" | "REMOVE_VALIDATOR"; readonly target: ProcessNode },
): Promise<void> {
  const key = keyOf(node);
  const submit = async (): Promise<string> => {
    const context = { chainId: network.genesis.chain_id, nowMs: Date.now(), random: systemRandom };
    const unsigned = buildTransaction({ type, from: key.publicKey, payload: { pub_key: keyOf(target).publicKey } }, context);
    return (await node.client.submitTransaction({ body: signTransaction(unsigned, key.secret) })).id;
  };
  // A validator may have to earn the fee first.
  const id = await pollUntil(submit, { ...WAIT, what: `node ${node.index} to approve of node ${target.index}` });
  const { error } = await pollUntil(() => readCommitted(node.client, id), { ...WAIT, what: "the approval in a block" });
  if (error !== undefined) throw new Error(`The approval failed: ${error}`);
}

/** A stranger that has a copy of a node's key sends the network two votes for a height to come, until the validators have received them. */
export async function signTwice(network: ProcessNetwork, offender: ProcessNode): Promise<void> {
  const { chain_id: chainId } = network.genesis;
  const key = keyOf(offender);
  const entry = network.node(0);
  const hash = genesisHash(network.genesis);
  const ownStatus = { height: 0, tipHash: hash, firstHeight: 0 };
  const address = `/ip4/127.0.0.1/tcp/${entry.port + P2P_PORT_OFFSET}`;
  await using stranger = await connectRudePeer(66, address, { network: chainId, genesisHash: hash, status: ownStatus });
  const deadlineMs = performance.now() + WAIT.timeoutMs;
  for (let set = await membersOf(entry); set.includes(key.publicKey); set = await membersOf(entry)) {
    if (performance.now() > deadlineMs) throw new Error("No validator noticed the two votes");
    const height = (await entry.client.getStatus({})).sync.height + 2;
    for (const blockHash of ["aa".repeat(32), "bb".repeat(32)]) {
      const vote = { type: "prevote", height, round: 0, blockHash } as const;
      const signature = signEd25519(voteSignBytes(chainId, vote), key.secret);
      const message = { type: "vote", vote: { ...vote, validatorIndex: set.indexOf(key.publicKey), signature } } as const;
      await stranger.shout("consensus", encode(gossipedConsensusCodec, { atSec: Math.floor(Date.now() / 1_000), message }));
    }
    await delay(100);
  }
}
