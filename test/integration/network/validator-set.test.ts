// The validator set of real processes changes under load: a node is let in, another leaves, and one that signs two things is reported
// by the others, pays and is out.
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataFolderPaths } from "#node/config/data-folder.ts";
import { readKey, type StoredKey } from "#node/config/key-store.ts";
import { P2P_PORT_OFFSET } from "#node/config/network-folders.ts";
import { encodeGossipedConsensus } from "#node/network/wire-codec.ts";
import type { Output } from "#shared/api/api.ts";
import { genesisHash } from "#shared/protocol/genesis.ts";
import { signEd25519 } from "#shared/protocol/signature.ts";
import { voteSignBytes } from "#shared/protocol/vote.ts";
import { NetworkLoad } from "#test/support/network-load.ts";
import { findBroken, settle } from "#test/support/network-state.ts";
import { pollUntil } from "#test/support/poll-until.ts";
import { ProcessNetwork, type ProcessNode } from "#test/support/process-network.ts";
import { connectRudePeer } from "#test/support/rude-peer.ts";
import { runParley } from "#test/support/run-program.ts";

const [CANDIDATE, LEAVING, OFFENDER] = [4, 1, 3];
/** One gift pays fees, two of them the bond as well. */
const GIFT_UT = 600_000_000;
const BOND_UT = 1_000_000_000;
const WAIT = { timeoutMs: 60_000, intervalMs: 100 };

let network: ProcessNetwork;
let load: NetworkLoad;

const heightOf = async (node: ProcessNode): Promise<number> => (await node.client.getStatus({})).sync.height;
const modeOf = async (node: ProcessNode): Promise<string> => (await node.client.getStatus({})).mode;
const statsOf = (node: ProcessNode): Promise<Output<"getNodeStats">> =>
  network.node(0).client.getNodeStats({ pubkey: keyOf(node).publicKey });

function keyOf(node: ProcessNode): StoredKey {
  const key = readKey(dataFolderPaths(node.dataDir).nodeKey, "ed25519");
  if (key === undefined) throw new Error(`node ${node.index} has no key`);
  return key;
}

/** Waits until every node has exactly these members in its set. */
async function haveSet(...members: readonly number[]): Promise<void> {
  const expected = members.map((index) => keyOf(network.node(index)).publicKey).sort();
  const isSo = async (node: ProcessNode): Promise<boolean> => {
    const { validators } = await node.client.listValidators({});
    return (
      validators
        .map(({ pub_key }) => pub_key)
        .sort()
        .join() === expected.join()
    );
  };
  const what = `the validators ${members.join(", ")}`;
  await Promise.all(network.nodes.map((node) => pollUntil(() => isSo(node), { ...WAIT, what: `${what} on node ${node.index}` })));
}

async function grows(blocks: number): Promise<void> {
  const start = await heightOf(network.node(0));
  await pollUntil(async () => (await heightOf(network.node(0))) >= start + blocks, { ...WAIT, what: `${blocks} blocks after ${start}` });
}

/** `parley validator …` with the key of a node, at that node, until it is in a block. */
async function runValidator(node: ProcessNode, ...args: readonly string[]): Promise<void> {
  const key = join(node.dataDir, "keys", "node-key.json");
  const ended = await runParley(["validator", ...args, "--key", key, "--node", node.baseUrl, "--wait", "--json"]);
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
}

beforeAll(async () => {
  network = await ProcessNetwork.create({ validators: 4, nodes: 2, isDirect: true });
  await network.start();
  load = new NetworkLoad(network);
  await Promise.all(network.nodes.map((node) => node.client.listInbox({ pub: load.recipient })));
  await load.start();
  for (const index of [0, LEAVING, 2, CANDIDATE, CANDIDATE]) {
    const { id } = await network.node(0).client.requestFaucet({ body: { to: keyOf(network.node(index)).publicKey, amount_ut: GIFT_UT } });
    await pollUntil(() => network.node(0).client.getTransaction({ txid: id }), { what: `funds of node ${index}` });
  }
}, 120_000);
afterAll(async () => {
  await load?.stop();
  await network?.[Symbol.asyncDispose]();
});

describe("a validator set under load", () => {
  it("takes in a follower that asked and that the others approved, which votes and proposes by itself", async () => {
    const candidate = network.node(CANDIDATE);
    expect(await modeOf(candidate)).toBe("full");
    await runValidator(candidate, "request");
    for (const index of [0, 1]) await runValidator(network.node(index), "approve", keyOf(candidate).publicKey);
    await haveSet(0, 1, 2, 3);
    await runValidator(network.node(2), "approve", keyOf(candidate).publicKey);
    await haveSet(0, 1, 2, 3, CANDIDATE);
    await pollUntil(async () => (await modeOf(candidate)) === "validator", { ...WAIT, what: "the node to be a validator" });
    const isAtWork = ({ validator, blocks_produced }: Output<"getNodeStats">): boolean =>
      (validator?.commits_signed ?? 0) > 5 && blocks_produced > 0;
    await pollUntil(async () => isAtWork(await statsOf(candidate)), { ...WAIT, what: "votes and blocks of the new validator" });
  });

  it("lets one leave that wants to, which follows from then on", async () => {
    const leaving = network.node(LEAVING);
    await runValidator(leaving, "remove", keyOf(leaving).publicKey);
    await haveSet(0, 2, 3, CANDIDATE);
    await pollUntil(async () => (await modeOf(leaving)) === "full", { ...WAIT, what: "the node to be none" });
    await grows(5);
  });

  it("reports one whose key signs two votes at one place, takes its place and some of its bond, and goes on", async () => {
    const offender = network.node(OFFENDER);
    const before = await heightOf(network.node(0));
    // Its own process would hear the two votes as well, and report itself as soon as the others do.
    await offender.end("SIGKILL");
    await signTwice(offender);
    await offender.start();
    await haveSet(0, 2, CANDIDATE);
    const stats = await statsOf(offender);
    expect(stats.slash_count).toBeGreaterThan(0);
    expect(stats.validator?.in_set).toBe(false);
    expect(stats.validator?.bond_ut).toBeLessThan(BOND_UT);
    const others = network.nodes.filter((node) => node !== offender).map((node) => keyOf(node).publicKey);
    const reporters = await reportersSince(before);
    expect(reporters.length).toBeGreaterThan(0);
    for (const reporter of reporters) expect(others).toContain(reporter);
    await grows(5);
  });

  it("has lost nothing and agrees on everything afterwards", async () => {
    await load.stop();
    const height = await settle(network);
    expect(load.placed.size).toBeGreaterThan(100);
    expect(await findBroken(network, load, height)).toEqual([]);
    expect(await Promise.all(network.nodes.map(modeOf))).toEqual(["validator", "full", "validator", "full", "validator", "full"]);
  });
});

/** A stranger that has a copy of the key tells the network two votes for a height to come, until the validators have heard. */
async function signTwice(offender: ProcessNode): Promise<void> {
  const { chain_id: chainId } = network.genesis;
  const key = keyOf(offender);
  const entry = network.node(0);
  const ownStatus = { height: 0, tipHash: genesisHash(network.genesis), firstHeight: 0 };
  const address = `/ip4/127.0.0.1/tcp/${entry.port + P2P_PORT_OFFSET}`;
  await using stranger = await connectRudePeer(66, address, {
    network: chainId,
    genesisHash: genesisHash(network.genesis),
    status: ownStatus,
  });
  const members = async (): Promise<readonly string[]> =>
    (await entry.client.listValidators({})).validators.map(({ pub_key }) => pub_key).sort();
  const deadlineMs = performance.now() + WAIT.timeoutMs;
  for (let set = await members(); set.includes(key.publicKey); set = await members()) {
    if (performance.now() > deadlineMs) throw new Error("Nobody noticed the two votes");
    const height = (await heightOf(entry)) + 2;
    for (const blockHash of ["aa".repeat(32), "bb".repeat(32)]) {
      const vote = { type: "prevote", height, round: 0, blockHash } as const;
      const signature = signEd25519(voteSignBytes(chainId, vote), key.secret);
      const message = { type: "vote", vote: { ...vote, validatorIndex: set.indexOf(key.publicKey), signature } } as const;
      await stranger.shout("consensus", encodeGossipedConsensus({ atSec: Math.floor(Date.now() / 1_000), message }));
    }
    await delay(100);
  }
}

/** Who sent the reports in the blocks after a height. */
async function reportersSince(height: number): Promise<readonly string[]> {
  const reporters: string[] = [];
  const { client } = network.node(0);
  const tip = await heightOf(network.node(0));
  for (let index = height + 1; index <= tip; index += 1)
    for (const { type, from } of (await client.getBlock({ index })).transactions) if (type === "SLASH") reporters.push(from);
  return reporters;
}
