// Nodes that cannot dial each other talk through a third, and find their way back after it restarted.
import { RELAY_V2_HOP_CODEC, RELAY_V2_STOP_CODEC } from "@libp2p/circuit-relay-v2";
import type { PeerId } from "@libp2p/interface";
import { describe, expect, it } from "vitest";
import { peerIdOf } from "#node/network/peer-name.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { connectRudePeer } from "#test/support/nodes/rude-peer.ts";
import { encodedFinal, finalOf, sampleBlock, sampleVote, startNetwork, type TestNetwork } from "#test/support/nodes/test-network.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

/** A node behind a router: it dials the relay only, and no peer dials it. */
function startHidden(n: number, relay: { readonly address: string }, blocks = false): Promise<TestNetwork> {
  const relayPort = /tcp\/(\d+)/.exec(relay.address)?.[1] ?? "";
  return startNetwork(n, {
    listen: undefined,
    relay: "use",
    bootstrap: [relay.address],
    mayDial: (address) => address.includes(`/tcp/${relayPort}/`) || address.endsWith(`/tcp/${relayPort}`),
    ...(blocks ? { handlers: { blocks: (from) => [encodedFinal(sampleBlock(from))] } } : {}),
  });
}

const circuitOf = (node: TestNetwork): string | undefined => node.network.addresses().find((address) => address.includes("/p2p-circuit"));

/** What a relay sends on behalf of a peer that wants a connection through it. */
function connectMessage(peer: PeerId): Uint8Array {
  const id = peer.toMultihash().bytes;
  const message = Uint8Array.of(0x08, 0, 0x12, id.length + 2, 0x0a, id.length, ...id);
  return Uint8Array.of(message.length, ...message);
}

describe("a peer that says that it relays", () => {
  it.each(["off", "offer", "use"] as const)("brings no connection to a node that did not ask it to (%s)", async (relay) => {
    await using node = await startNetwork(1, { relay });
    const asked: string[] = [];
    // It does not name the protocol of relays: a node that looks for one would ask it of its own accord.
    const unnamed = { [RELAY_V2_HOP_CODEC]: (): void => void asked.push("for a place") };
    await using rude = await connectRudePeer(2, node.address, { unnamed });
    const stream = await rude.open(RELAY_V2_STOP_CODEC);
    const answers: unknown[] = [];
    stream.addEventListener("message", ({ data }) => answers.push(data));
    if (stream.status === "open") stream.send(connectMessage(peerIdOf(actor(3).pub)));
    await pollUntil(() => stream.status !== "open" || answers.length > 0, { what: "an answer", timeoutMs: 30_000 });
    expect([answers, asked]).toEqual([[], []]);
    expect(circuitOf(node)).toBeUndefined();
  });
});

describe("nodes behind routers", () => {
  it("talk through a node that relays", async () => {
    await using relay = await startNetwork(1, { relay: "offer" });
    await using left = await startHidden(2, relay, true);
    await pollUntil(() => circuitOf(left) !== undefined, { what: "a place at the relay", timeoutMs: 60_000 });
    await using right = await startNetwork(3, {
      listen: undefined,
      relay: "use",
      bootstrap: [relay.address, circuitOf(left) ?? ""],
    });
    await pollUntil(() => right.network.peers().some(({ name }) => name === left.network.name), { timeoutMs: 60_000 });
    const peer = right.network.peers().find(({ name }) => name === left.network.name);
    expect(peer).toMatchObject({ isRelayed: true, nodeKey: actor(2).pub, status: { height: 2 } });
    const response = await right.network.requestBlocks(left.network.name, 4, 1, AbortSignal.timeout(20_000));
    expect(response.map(finalOf)).toEqual([sampleBlock(4)]);
    const keys = [actor(2).pub, actor(3).pub].sort();
    for (const { network } of [left, right]) network.setValidators(keys);
    const vote = sampleVote(3, keys.indexOf(actor(3).pub), 9);
    right.network.sendConsensus(vote);
    await pollUntil(() => left.received.consensus.length > 0);
    expect(left.received.consensus[0]).toEqual({ message: vote, from: right.network.name });
  });

  it("find each other, when they are validators, through a node that both know", async () => {
    await using relay = await startNetwork(1, { relay: "offer" });
    await using left = await startHidden(2, relay);
    await using right = await startHidden(3, relay);
    for (const node of [left, right])
      await pollUntil(() => circuitOf(node) !== undefined, { what: "a place at the relay", timeoutMs: 60_000 });
    const keys = [actor(2).pub, actor(3).pub].sort();
    for (const { network } of [left, right]) network.setValidators(keys);
    const meets = (node: TestNetwork, other: TestNetwork): boolean =>
      node.network.peers().some(({ name, isRelayed }) => name === other.network.name && isRelayed);
    await pollUntil(() => meets(left, right) && meets(right, left), { what: "two hidden validators to meet", timeoutMs: 60_000 });
  });

  it("get a new slot when the relay was away", async () => {
    const first = await startNetwork(1, { relay: "offer" });
    const address = first.address;
    const port = Number(/tcp\/(\d+)/.exec(address)?.[1]);
    await using hidden = await startHidden(2, { address });
    await pollUntil(() => circuitOf(hidden) !== undefined, { timeoutMs: 60_000 });
    await first.network.stop();
    await pollUntil(() => circuitOf(hidden) === undefined, { timeoutMs: 60_000 });
    await using again = await startNetwork(1, { relay: "offer", listen: { host: "127.0.0.1", port } });
    await pollUntil(() => circuitOf(hidden) !== undefined, { timeoutMs: 90_000, what: "a new place at the relay" });
    expect(again.network.peers().map(({ nodeKey }) => nodeKey)).toContain(actor(2).pub);
  });
});
