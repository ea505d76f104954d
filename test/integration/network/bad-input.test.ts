// Peers that send nonsense, too much or nothing: each pays with its score, and all others are served as before.
import type { GossipSub } from "@libp2p/gossipsub";
import { type PeerRouting, peerRoutingSymbol } from "@libp2p/interface";
import { describe, expect, it } from "vitest";
import { systemClock } from "#node/config/system-clock.ts";
import { encodeConsensusMessage } from "#node/engine/consensus-message-codec.ts";
import { DialPolicy } from "#node/network/addresses/dial-policy.ts";
import { createHost } from "#node/network/libp2p/libp2p-host.ts";
import { NETWORK_LIMITS, SCORE_LIMITS } from "#node/network/network-limits.ts";
import type { NetworkOptions } from "#node/network/network-options.ts";
import { KADEMLIA_LIMITS } from "#node/network/peer-limits.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import { FIRST_STATUS_PROTOCOL, protocolNames } from "#node/network/protocol-names.ts";
import { readFrames, writeFrame } from "#node/network/wire/frames.ts";
import { relayMessageCodec } from "#node/network/wire/relay-codec.ts";
import { encodeAnnouncement } from "#node/network/wire/version-announcement.ts";
import { encodeFinalBlock, firstStatusCodec, gossipedConsensusCodec, transactionsMessageCodec } from "#node/network/wire/wire-codec.ts";
import { encode } from "#shared/codec/codec.ts";
import { encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { otherValues } from "#test/support/host/other-values.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { connectRudePeer, type RudePeer } from "#test/support/nodes/rude-peer.ts";
import {
  encodedFinal,
  GENESIS_HASH,
  sampleBlock,
  sampleEnvelope,
  sampleVote,
  startNetwork,
  type TestNetwork,
  untilConnected,
  untilGossiping,
} from "#test/support/nodes/test-network.ts";
import { actor, alice, bob, CHAIN_ID, signed } from "#test/support/worlds/ledger-world.ts";

const transfer = (): ReturnType<typeof signed> => signed(alice, { type: "TRANSFER", to: bob.pub, amount: 5, payload: {} });
const { malformed, invalid, lie } = SCORE_LIMITS.costs;
/** How long a node waits here for what never comes, ms. */
const PATIENCE_MS = 2_000;

function scoreOf(node: TestNetwork, peer: RudePeer): number | undefined {
  return node.network.peers().find(({ name }) => name === peer.name)?.score;
}

async function untilScore(node: TestNetwork, peer: RudePeer, score: number): Promise<void> {
  // It fades by itself, by half in ten minutes.
  await pollUntil(() => Math.abs((scoreOf(node, peer) ?? 0) - score) < 1, { what: `a score of ${score}` });
}

/** A flood may last longer than the second in which it counts once. */
async function untilFlooded(node: TestNetwork, peer: RudePeer): Promise<void> {
  await pollUntil(() => (scoreOf(node, peer) ?? SCORE_LIMITS.lowest) < 0.1 - SCORE_LIMITS.costs.flood, { what: "a flood to cost score" });
}

async function untilKnown(node: TestNetwork, peer: RudePeer): Promise<void> {
  await pollUntil(() => scoreOf(node, peer) !== undefined, { what: "the rude peer to be known" });
}

async function untilGone(peer: RudePeer): Promise<void> {
  await pollUntil(() => !peer.isConnected, { what: "the rude peer to be sent away" });
}

describe("nonsense over gossip", () => {
  it.each([
    ["bytes that are no message", "tx", Uint8Array.of(1, 2, 3)],
    ["another version", "tx", encodeCbor([2, []])],
    ["a message of another topic", "blocks", encode(transactionsMessageCodec, { transactions: [transfer()], repeatedAtSec: null })],
    ["an envelope that is none", "relay", encodeCbor([1, 0, [[1, 2, 3]]])],
    ["an unsigned announcement", "version", encodeCbor([1, [new Uint8Array(32).fill(7), "1", "1", 5], new Uint8Array(64)])],
    ["a message larger than the topic allows", "version", new Uint8Array(NETWORK_LIMITS.topics.version.messageBytes + 1)],
    ["a message between validators that is none", "consensus", encodeCbor([1, 2, Uint8Array.of(1)])],
  ] as const)("%s costs score and reaches no node", async (_, topic, data) => {
    await using node = await startNetwork(1);
    await using rude = await connectRudePeer(66, node.address);
    await untilKnown(node, rude);
    await rude.shout(topic, data);
    await untilScore(node, rude, -malformed);
    expect(rude.isConnected).toBe(true);
    expect({ ...node.received, statuses: [] }).toMatchObject({ transactions: [], blocks: [], envelopes: [], consensus: [] });
  });

  it("twice ends the connection, again and again keeps the peer away", async () => {
    await using node = await startNetwork(1);
    await using rude = await connectRudePeer(66, node.address);
    await untilKnown(node, rude);
    for (let n = 0; n < 2; n += 1) await rude.shout("tx", Uint8Array.of(n));
    await untilGone(rude);
    for (let n = 0; n < 4; n += 1) node.network.report(rude.name, "malformed");
    await expect(rude.dial().then((connection) => rude.open(FIRST_STATUS_PROTOCOL).finally(() => connection.status))).rejects.toThrow();
  });

  it("that only the node can recognise costs what the handler says", async () => {
    await using node = await startNetwork(1, {
      handlers: { block: () => Promise.resolve("reject"), envelopes: () => Promise.resolve("ignore") },
    });
    await using rude = await connectRudePeer(66, node.address);
    await untilKnown(node, rude);
    await rude.shout("relay", encode(relayMessageCodec, { type: "envelopes", envelopes: [sampleEnvelope(1)] }));
    await rude.shout("blocks", encodeFinalBlock(sampleBlock(1)));
    await untilScore(node, rude, -invalid);
  });

  it("is not forwarded, and neither is a message that was received before", async () => {
    await using far = await startNetwork(3);
    await using node = await startNetwork(1, { bootstrap: [far.address] });
    await untilGossiping(node, far);
    await using rude = await connectRudePeer(66, node.address);
    await untilKnown(node, rude);
    await rude.shout("tx", encodeCbor([1, "malformed"]));
    const message = encode(transactionsMessageCodec, { transactions: [transfer()], repeatedAtSec: null });
    await rude.shout("tx", message);
    await using other = await connectRudePeer(67, node.address);
    await untilKnown(node, other);
    await other.shout("tx", message);
    await other.shout("relay", encode(relayMessageCodec, { type: "envelopes", envelopes: [sampleEnvelope(1)] }));
    await pollUntil(() => far.received.envelopes.length > 0 && far.received.transactions.length > 0);
    expect([node.received.transactions.length, far.received.transactions.length]).toEqual([1, 1]);
    expect(far.network.peers().find(({ name }) => name === node.network.name)?.score).toBe(0);
    expect(scoreOf(node, other)).toBe(0);
  });

  it("in the name of validators is refused, what they signed is passed on", async () => {
    await using far = await startNetwork(3);
    await using node = await startNetwork(1, { bootstrap: [far.address] });
    await untilGossiping(node, far);
    const keys = [actor(40).pub, actor(41).pub].sort();
    for (const { network } of [far, node]) network.setValidators(keys);
    await using rude = await connectRudePeer(66, node.address);
    await untilKnown(node, rude);
    const height = node.status.height + 1;
    far.status = { ...far.status, height: node.status.height };
    await rude.shout(
      "consensus",
      encode(gossipedConsensusCodec, { atSec: 1, message: sampleVote(40, keys.indexOf(actor(40).pub), height) }),
    );
    await pollUntil(() => node.received.consensus.length === 1 && far.received.consensus.length === 1);
    await rude.shout("consensus", encode(gossipedConsensusCodec, { atSec: 2, message: sampleVote(66, 0, height) }));
    await untilScore(node, rude, -invalid);
    expect([node.received.consensus.length, far.received.consensus.length]).toEqual([1, 1]);
    expect(far.network.peers()[0]?.score).toBe(0);
  });
});

describe("a flood", () => {
  it("on one topic is cut off, and the other topics continue", async () => {
    await using node = await startNetwork(1);
    await using rude = await connectRudePeer(66, node.address);
    await untilKnown(node, rude);
    // Well signed, but of long ago: each is ignored and costs nothing by itself.
    const announcements = Array.from({ length: 600 }, (_, index) => {
      const announcement = { nodeKey: actor(66).pub, version: "1".repeat(800), apiVersion: "1", atSec: index + 1 };
      return encodeAnnouncement(CHAIN_ID, announcement, actor(66).seed);
    });
    for (const announcement of announcements) await rude.shout("version", announcement);
    await untilFlooded(node, rude);
    await using honest = await startNetwork(2, { bootstrap: [node.address] });
    await untilGossiping(node, honest);
    honest.network.publishTransactions([transfer()]);
    await pollUntil(() => node.received.transactions.length === 1);
  });

  it("of status messages costs score", async () => {
    await using node = await startNetwork(1);
    await using rude = await connectRudePeer(66, node.address);
    await untilKnown(node, rude);
    const stream = await rude.open(FIRST_STATUS_PROTOCOL);
    const frame = encode(firstStatusCodec, {
      chainId: "parley-test",
      genesisHash: "ab".repeat(32),
      height: 1,
      tipHash: "ab".repeat(32),
      firstHeight: 0,
    });
    const { burst, perSecond } = NETWORK_LIMITS.statuses;
    const startMs = performance.now();
    for (let n = 0; n < 10 * burst; n += 1) writeFrame(stream, frame);
    await untilFlooded(node, rude);
    // One came with the connection. What the time since then allows again was let in as well.
    const seconds = (performance.now() - startMs) / 1_000;
    expect(node.received.statuses.length).toBeLessThanOrEqual(1 + burst + Math.ceil(seconds * perSecond));
  });
});

describe("a node of another chain", () => {
  it.each([{ chainId: "other-chain" }, { genesisHash: "cd".repeat(32) }])("is sent away and kept away: %o", async (options) => {
    await using node = await startNetwork(1);
    await using rude = await connectRudePeer(66, node.address, options);
    await untilGone(rude);
    expect(node.network.peers()).toEqual([]);
    expect(node.received.statuses).toEqual([]);
    await rude.dial().catch(() => undefined);
    await untilGone(rude);
  });
});

describe("streams", () => {
  it("of a peer that tells no status end after a while", async () => {
    using _patience = otherValues(NETWORK_LIMITS, { statusTimeoutMs: PATIENCE_MS });
    await using node = await startNetwork(1);
    await using rude = await connectRudePeer(66, node.address, { tellsStatus: false });
    await untilGone(rude);
    expect(node.network.peers()).toEqual([]);
    expect(node.received.statuses).toEqual([]);
  });

  it("with a status that is none, or a frame that is too long, cost score", async () => {
    await using node = await startNetwork(1);
    await using rude = await connectRudePeer(66, node.address);
    await untilKnown(node, rude);
    writeFrame(await rude.open(FIRST_STATUS_PROTOCOL), Uint8Array.of(1));
    await untilScore(node, rude, -malformed);
    (await rude.open(rude.names.blocks)).send(Uint8Array.of(0xff, 0xff, 0xff, 0xff));
    await untilGone(rude);
  });

  it("between validators are open to validators only", async () => {
    await using node = await startNetwork(1);
    await using rude = await connectRudePeer(66, node.address);
    await untilKnown(node, rude);
    const refused = await rude.open(rude.names.consensus);
    await pollUntil(() => refused.status !== "open");
    expect(scoreOf(node, rude)).toBe(0);
    node.network.setValidators([actor(1).pub, actor(66).pub]);
    const stream = await rude.open(rude.names.consensus);
    writeFrame(stream, Uint8Array.of(1, 2, 3));
    await untilScore(node, rude, -malformed);
    await pollUntil(() => stream.status !== "open");
  });

  it("between validators end with a message that the engine rejects, and are refused for a while", async () => {
    const rejected: string[] = [];
    await using node = await startNetwork(1, {
      handlers: {
        consensus: (_message, from, sender): void => {
          rejected.push(`${from} ${sender.publicKey}`);
          sender.reject();
        },
      },
    });
    await using rude = await connectRudePeer(66, node.address);
    await untilKnown(node, rude);
    node.network.setValidators([actor(1).pub, actor(66).pub]);
    const stream = await rude.open(rude.names.consensus);
    const vote = encodeConsensusMessage(sampleVote(66, 0, 2));
    for (let n = 0; n < 20; n += 1) writeFrame(stream, vote);
    await untilScore(node, rude, -invalid);
    await pollUntil(() => stream.status !== "open");
    expect(rejected).toEqual([`${rude.name} ${actor(66).pub}`]);
    const again = await rude.open(rude.names.consensus);
    await pollUntil(() => again.status !== "open");
    expect(rejected).toHaveLength(1);
    expect(scoreOf(node, rude)).toBeCloseTo(-invalid, 1);
  });

  it("between validators carry a reply to the one that sent a message, and to no other", async () => {
    const reply = sampleVote(1, 0, 3);
    await using node = await startNetwork(1, { handlers: { consensus: (_message, _from, sender) => sender.reply(reply) } });
    await using second = await startNetwork(2, { bootstrap: [node.address] });
    await using third = await startNetwork(3, { bootstrap: [node.address] });
    await untilConnected(node, second);
    await untilConnected(node, third);
    const keys = [actor(1).pub, actor(2).pub, actor(3).pub];
    for (const { network } of [node, second, third]) network.setValidators(keys);
    second.network.sendConsensus(sampleVote(2, 1, 2));
    await pollUntil(() => second.received.consensus.some(({ from }) => from === node.network.name));
    expect(second.received.consensus).toContainEqual({ message: reply, from: node.network.name });
    expect(third.received.consensus.filter(({ from }) => from === node.network.name)).toEqual([]);
  });

  it("with malformed requests cost score, good ones get a response", async () => {
    await using node = await startNetwork(1, { handlers: { blocks: (from) => [encodedFinal(sampleBlock(from))] } });
    await using rude = await connectRudePeer(66, node.address);
    await untilKnown(node, rude);
    const frames: Uint8Array[] = [];
    const stream = await rude.open(rude.names.blocks);
    readFrames(stream, { maxBytes: 1e6, onFrame: (frame) => frames.push(frame), onEnd: () => undefined });
    writeFrame(stream, encodeCbor([1, 3, 1]));
    await pollUntil(() => frames.length === 1);
    expect(Buffer.from(frames[0] ?? []).equals(encodeFinalBlock(sampleBlock(3)))).toBe(true);
    writeFrame(await rude.open(rude.names.blocks), encodeCbor([1, -3, 1]));
    await untilScore(node, rude, -malformed);
  });
});

describe("responses", () => {
  const lies = [
    ["of other heights", [sampleBlock(7)]],
    ["with a gap", [sampleBlock(1), sampleBlock(3)]],
    ["of more blocks than asked", [sampleBlock(1), sampleBlock(2), sampleBlock(3)]],
  ] as const;

  it.each(lies)("%s are refused and cost score", async (_, blocks) => {
    await using node = await startNetwork(1);
    await using rude = await connectRudePeer(66, node.address);
    await rude.libp2p.handle(rude.names.blocks, (stream) =>
      readFrames(stream, {
        maxBytes: 1_024,
        onFrame: () => {
          for (const block of blocks) writeFrame(stream, encodeFinalBlock(block));
          void stream.close();
        },
        onEnd: () => undefined,
      }),
    );
    await untilKnown(node, rude);
    await expect(node.network.requestBlocks(rude.name, 1, 2, AbortSignal.timeout(20_000))).rejects.toThrow("malformed");
    expect(scoreOf(node, rude)).toBeCloseTo(-malformed, 1);
  });

  it("that never come cost score after a while, and nothing when the asker gave up", async () => {
    using _patience = otherValues(NETWORK_LIMITS.blocks, { silenceMs: PATIENCE_MS });
    await using node = await startNetwork(1);
    await using rude = await connectRudePeer(66, node.address);
    await rude.libp2p.handle(rude.names.blocks, () => undefined);
    await untilKnown(node, rude);
    const aborter = new AbortController();
    const givenUp = node.network.requestBlocks(rude.name, 1, 2, aborter.signal);
    aborter.abort();
    await expect(givenUp).rejects.toThrow("given up");
    expect(scoreOf(node, rude)).toBe(0);
    await expect(node.network.requestBlocks(rude.name, 1, 2, AbortSignal.timeout(60_000))).rejects.toThrow("did not answer");
    expect(scoreOf(node, rude)).toBeCloseTo(-SCORE_LIMITS.costs.unresponsive, 1);
  });

  it("about a height that is a lie are recognised by the node, which reports them", async () => {
    await using node = await startNetwork(1);
    const status = { height: 1_000_000, tipHash: "00".repeat(32), firstHeight: 0 };
    await using rude = await connectRudePeer(66, node.address, { status });
    await untilKnown(node, rude);
    expect(node.received.statuses).toEqual([{ status, from: rude.name }]);
    node.network.report(rude.name, "lie");
    expect(scoreOf(node, rude)).toBeCloseTo(-lie, 1);
    for (let n = 0; n < 2; n += 1) node.network.report(rude.name, "lie");
    await untilGone(rude);
    await pollUntil(() => node.received.gone.includes(rude.name));
  });
});

describe("a slow validator", () => {
  it("does not hold up the others", async () => {
    await using node = await startNetwork(1);
    let received = 0;
    const count = (): void => {
      received += 1;
    };
    await using quick = await startNetwork(2, { bootstrap: [node.address], handlers: { consensus: count } });
    await untilConnected(node, quick);
    await using slow = await connectRudePeer(66, node.address);
    await slow.libp2p.handle(slow.names.consensus, (stream) => stream.pause());
    await untilKnown(node, slow);
    const keys = [actor(1).pub, actor(2).pub, actor(66).pub];
    for (const { network } of [node, quick]) network.setValidators(keys);
    const { block } = sampleBlock(2);
    const large = { ...block, evidence: [new Uint8Array(1_048_576)] };
    const proposal = {
      height: 2,
      round: 0,
      validRound: -1,
      blockHash: GENESIS_HASH,
      validatorIndex: 0,
      signature: new Uint8Array(64),
    } as const;
    for (let n = 1; n <= 60; n += 1) {
      node.network.sendConsensus({ type: "proposal", proposal: { ...proposal, round: n }, block: large });
      await pollUntil(() => received > n - 8, { intervalMs: 1 });
    }
    await pollUntil(() => received === 60);
    expect(node.network.peers().map(({ name }) => name)).toContain(peerNameOf(actor(66).pub));
  });
});

describe("a peer that does not read its gossip", () => {
  it("is disconnected once too much waits for it", async () => {
    await using node = await startNetwork(1);
    await using rude = await connectRudePeer(66, node.address);
    await untilKnown(node, rude);
    const pubsub = rude.libp2p.services.pubsub as GossipSub;
    let received = 0;
    pubsub.addEventListener("message", () => {
      received += 1;
    });
    pubsub.subscribe(rude.names.topics.relay);
    await pollUntil(() => {
      node.network.publishEnvelopes([sampleEnvelope(1_000 + received + Math.floor(performance.now()))]);
      return received > 0;
    });
    for (const stream of rude.libp2p.getConnections().flatMap(({ streams }) => streams))
      if (stream.protocol.startsWith("/meshsub/") && stream.direction === "inbound") stream.pause();
    const large = NETWORK_LIMITS.gossipBufferBytes / 100;
    for (let n = 0; n < 160; n += 1) node.network.publishEnvelopes([sampleEnvelope(n, 7, large)]);
    await pollUntil(() => !rude.isConnected, { timeoutMs: 60_000 });
    await pollUntil(() => node.received.gone.includes(rude.name));
  });
});

describe("the table of addresses", () => {
  /** A host that is not started. */
  async function hostOf(): ReturnType<typeof createHost> {
    const options = {
      chainId: CHAIN_ID,
      relay: "offer",
      listen: undefined,
      announce: [],
      usesMdns: false,
      versions: { version: "1", apiVersion: "1" },
      clock: systemClock,
    };
    const key = { publicKey: actor(1).pub, secret: actor(1).seed };
    return await createHost({
      options: { ...options, nodeKey: key } as unknown as NetworkOptions,
      names: protocolNames(CHAIN_ID),
      gate: {},
      policy: new DialPolicy({ configured: [], listenHost: undefined, announce: [], dialsPrivate: undefined }),
      memory: { learn: () => undefined },
      scoreOf: () => 0,
    });
  }

  it("looks for random peers a few times at once, and then at a slow pace", async () => {
    const { libp2p } = await hostOf();
    const { kademlia } = libp2p.services as unknown as { readonly kademlia: { readonly [peerRoutingSymbol]: PeerRouting } };
    const look = async (signal: AbortSignal): Promise<void> => {
      for await (const _ of kademlia[peerRoutingSymbol].getClosestPeers(new Uint8Array(32), { signal }));
    };
    const controller = new AbortController();
    // Before the start there is no table to look into.
    for (let n = 0; n < KADEMLIA_LIMITS.walks.burst; n += 1) await expect(look(controller.signal)).rejects.toThrow("not started");
    const waiting = look(controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
  });

  it("keeps no records of a peer", async () => {
    const host = await hostOf();
    const { kademlia } = host.libp2p.services as unknown as {
      readonly kademlia: { readonly providers: Providers; readonly validators: Validators };
    };
    await kademlia.providers.addProvider({ multihash: { bytes: new Uint8Array(34) } }, host.libp2p.peerId);
    expect(await kademlia.providers.getProviders({ multihash: { bytes: new Uint8Array(34) } })).toEqual([]);
    expect(Object.keys(kademlia.validators)).toEqual(["pk"]);
    expect(() => kademlia.validators.pk?.()).toThrow("no records");
  });
});

type Validators = Readonly<Record<string, () => void>>;

interface Providers {
  addProvider(cid: object, peer: object): Promise<void>;
  getProviders(cid: object): Promise<readonly unknown[]>;
}

describe("a port that is taken", () => {
  it("is reported in words", async () => {
    await using node = await startNetwork(1);
    const port = Number(/tcp\/(\d+)/.exec(node.address)?.[1]);
    await expect(startNetwork(2, { listen: { host: "127.0.0.1", port } })).rejects.toMatchObject({ code: "ADDRESS_IN_USE" });
    await expect(startNetwork(2, { listen: { host: "127.0.0.1", port }, relay: "use" })).rejects.toMatchObject({ code: "ADDRESS_IN_USE" });
    await expect(startNetwork(2, { bootstrap: ["/ip4/127.0.0.1/tcp/1"] })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(startNetwork(2, { bootstrap: ["malformed"] })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });
});
