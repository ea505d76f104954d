// Four validators and a follower as real processes, over wires that can be cut: killed, paused, split, wiped and restarted under
// load. `npm run soak` does the same for longer and at random.

import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { extent, WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { NetworkLoad } from "#test/support/nodes/network-load.ts";
import { findBroken, readMailboxes, untilIdle } from "#test/support/nodes/network-state.ts";
import { loadAccount, signedTransfer } from "#test/support/nodes/node-load.ts";
import { ProcessNetwork, type ProcessNode } from "#test/support/nodes/process-network.ts";

const FOLLOWER = 4;
const PAUSE_MS = 3_000;

let network: ProcessNetwork;
let load: NetworkLoad;

const heightOf = async (node: ProcessNode): Promise<number> => (await node.client.getStatus({})).sync.height;

/** Waits until the node has so many blocks more than now. */
async function grows(node: ProcessNode, blocks = 3): Promise<void> {
  const start = await heightOf(node);
  await pollUntil(async () => (await heightOf(node)) >= start + blocks, {
    timeoutMs: 120_000,
    intervalMs: 100,
    what: `node ${node.index} to get ${blocks} blocks after ${start}`,
  });
}

/** Waits until the node has caught up with another one. */
async function follows(node: ProcessNode, other: ProcessNode): Promise<void> {
  const target = await heightOf(other);
  await pollUntil(async () => (await heightOf(node)) >= target, {
    timeoutMs: 120_000,
    intervalMs: 100,
    what: `node ${node.index} to reach height ${target}`,
  });
}

beforeAll(async () => {
  network = await ProcessNetwork.create({ validators: 4, nodes: 1 });
  await network.start();
  load = new NetworkLoad(network);
  await Promise.all(network.nodes.map((node) => readMailboxes(node, load)));
  // Forty transfers a second are in every block; `npm run soak` sends more.
  await load.start(100);
});
afterAll(async () => {
  await load?.stop();
  await network?.[Symbol.asyncDispose]();
});

describe("a network under load", () => {
  it("makes blocks that every node follows", async () => {
    await grows(network.node(0));
    await Promise.all(network.nodes.map((node) => follows(node, network.node(0))));
  });

  it("continues without a validator that was killed, which comes back", async () => {
    const victim = network.node(1);
    await victim.end("SIGKILL");
    await grows(network.node(0));
    await victim.start();
    await follows(victim, network.node(0));
  });

  it("takes back a validator that stood still", async () => {
    const victim = network.node(2);
    victim.pause(true);
    await delay(PAUSE_MS);
    victim.pause(false);
    await follows(victim, network.node(0));
  });

  it("stalls when no side of a split has a quorum, reports it, and continues when it heals", async () => {
    network.partition([0, 1, FOLLOWER], [2, 3]);
    try {
      await pollUntil(async () => (await network.node(0).client.listPeers({})).count <= 2, { what: "the wires to be cut" });
      const heights = await Promise.all(network.nodes.map(heightOf));
      await delay(PAUSE_MS);
      const later = await Promise.all(network.nodes.map(heightOf));
      // What was decided as the wires were cut may still arrive.
      for (const height of later) expect(height).toBeLessThanOrEqual(Math.max(...heights) + 1);
    } finally {
      network.heal();
    }
    await grows(network.node(0));
    await Promise.all(network.nodes.map((node) => follows(node, network.node(3))));
  });

  it("makes blocks of what a follower was given while it was alone", async () => {
    const lonely = network.node(FOLLOWER);
    const payer = loadAccount(new Uint8Array(randomBytes(32)));
    const { id: giftId } = await lonely.client.requestFaucet({ body: { to: payer.publicKey, amount_ut: 10_000 } });
    await pollUntil(() => readCommitted(lonely.client, giftId), { what: "the gift on the follower" });
    network.partition([0, 1, 2, 3], [FOLLOWER]);
    // A connection that stood still under load when its wire was cut is found dead by its silence.
    const patience = { timeoutMs: 120_000, what: "the follower to be alone" };
    const alone = pollUntil(async () => (await lonely.client.listPeers({})).count === 0, patience);
    await alone.catch(() => network.heal());
    await alone;
    const { id } = await lonely.client.submitTransaction({ body: signedTransfer(payer, payer.publicKey, network.genesis.chain_id) });
    network.heal();
    await pollUntil(() => readCommitted(network.node(0).client, id), { timeoutMs: 60_000, what: "the transfer in a block" });
  });

  it("fills a follower that lost everything, also when it is killed meanwhile", WHOLE_ONLY, async () => {
    const victim = network.node(FOLLOWER);
    await victim.end("SIGTERM");
    await victim.wipe();
    await victim.start();
    await pollUntil(async () => (await heightOf(victim)) > 0, { timeoutMs: 120_000, intervalMs: 5, what: "the first blocks" });
    await victim.end("SIGKILL");
    await victim.start();
    await readMailboxes(victim, load);
    await follows(victim, network.node(0));
  });

  it("continues while every validator is restarted, one after the other", WHOLE_ONLY, async () => {
    const before = await heightOf(network.node(0));
    for (const node of network.nodes.filter(({ isValidator }) => isValidator)) {
      expect(await node.end("SIGTERM")).toBe(0);
      await node.start();
    }
    await grows(network.node(0));
    await Promise.all(network.nodes.map((node) => follows(node, network.node(0))));
    expect(await heightOf(network.node(0))).toBeGreaterThan(before);
  });

  it("has lost nothing and agrees on everything afterwards", async () => {
    await load.stop();
    const height = await untilIdle(network);
    expect(height).toBeGreaterThan(extent(10, 20));
    expect(load.placements.size).toBeGreaterThan(extent(50, 100));
    expect(load.envelopes.size).toBeGreaterThan(extent(10, 20));
    expect(await findBroken(network, load, height)).toEqual([]);
  });
});
