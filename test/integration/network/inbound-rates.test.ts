// What strangers send is read at a bounded rate, over real sockets; what this node requested, and what is of use, comes as fast as it can.
import type { GossipSub } from "@libp2p/gossipsub";
import { describe, expect, it } from "vitest";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { encodeFinalBlock } from "#node/network/wire/wire-codec.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { connectRudePeer, type RudePeer } from "#test/support/nodes/rude-peer.ts";
import { encodedFinal, sampleBlock, startNetwork, untilConnected } from "#test/support/nodes/test-network.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

const { inboundBytes } = NETWORK_LIMITS;
const MIB = 1_048_576;
const ATTACKERS = 4;
const MESSAGES_EACH = 96;
/** What the systems of both sides may hold of a connection that is not read. */
const SYSTEM_BYTES = 12 * MIB;
const WINDOW_UPDATE = 1;
const FRAMES_AT_ONCE = 500;
/** In bytes far below what is read at once. */
const MOST_FRAMES = 300_000;
const WAIT = { timeoutMs: 60_000, intervalMs: 20 };

interface Outbound {
  push(data: Uint8Array): void;
}

interface Layers {
  readonly maConn: { readonly socket: { readonly bytesWritten: number; readonly writableLength: number } };
  readonly muxer: { sendFrame(frame: object): void };
}

/** Repeats one message, which is dropped as a repetition and costs nothing. */
async function floodRepetitions(peer: RudePeer, to: string): Promise<void> {
  const { streamsOutbound } = peer.libp2p.services.pubsub as GossipSub & { readonly streamsOutbound: ReadonlyMap<string, Outbound> };
  const stream = await pollUntil(() => streamsOutbound.get(to), { ...WAIT, what: "a stream for gossip" });
  const push = stream.push.bind(stream);
  let message = new Uint8Array(0);
  stream.push = (data): void => {
    if (data.length > message.length) message = new Uint8Array(data);
    push(data);
  };
  const { block, commit } = sampleBlock(3);
  await peer.shout("blocks", encodeFinalBlock({ block: { ...block, evidence: [new Uint8Array(MIB)] }, commit }));
  for (let sent = 1; sent < MESSAGES_EACH; sent += 1) push(message);
}

/** Bytes of a peer that have left its program. */
function sentBytes({ libp2p }: RudePeer): number {
  return libp2p.getConnections().reduce((sum, connection) => {
    const { socket } = (connection as unknown as Layers).maConn;
    return sum + socket.bytesWritten - socket.writableLength;
  }, 0);
}

describe("bytes that come in", () => {
  it("are read of strangers at the rate for all of them, and of validators as they come", async () => {
    await using node = await startNetwork(1, { limitsLocal: true, handlers: { block: () => Promise.resolve("ignore") } });
    await using validator = await startNetwork(2, { bootstrap: [node.address] });
    await untilConnected(node, validator);
    const keys = [actor(1).pub, actor(2).pub];
    for (const { network } of [node, validator]) network.setValidators(keys);
    const rude: RudePeer[] = [];
    try {
      for (let n = 0; n < ATTACKERS; n += 1) rude.push(await connectRudePeer(20 + n, node.address, { from: `127.${66 + n}.0.1` }));
      const startedMs = performance.now();
      await Promise.all(rude.map((peer) => floodRepetitions(peer, node.network.name)));
      await pollUntil(() => node.network.figures().connections.unread === ATTACKERS, { ...WAIT, what: "the node to stop reading them" });
      // Beside them a validator is read, and so is a stranger who comes now.
      for (let height = 10; height < 40; height += 1) {
        validator.status = { ...validator.status, height };
        validator.network.publishStatus(validator.status);
        await pollUntil(() => node.network.peers().some(({ status }) => status?.height === height), WAIT);
      }
      await using newcomer = await connectRudePeer(40, node.address, {
        from: "127.90.0.1",
        status: { height: 77, tipHash: "ab".repeat(32), firstHeight: 0 },
      });
      await pollUntil(() => node.network.peers().some(({ status }) => status?.height === 77), { ...WAIT, what: "the newcomer's status" });
      expect(newcomer.isConnected).toBe(true);
      const passedSec = (performance.now() - startedMs) / 1_000;
      const { burst, perSecond } = inboundBytes.strangers;
      const bytes = rude.reduce((sum, peer) => sum + sentBytes(peer), 0);
      expect(bytes).toBeLessThan(burst + perSecond * passedSec + ATTACKERS * SYSTEM_BYTES);
      expect(rude.every(({ isConnected }) => isConnected)).toBe(true);
    } finally {
      await Promise.all(rude.map((peer) => peer[Symbol.asyncDispose]()));
    }
  });

  it("count with the time that they take, when they are tiny frames", async () => {
    // How long frames take on this machine must not matter here.
    let [nowMs, chunkMs] = [0, 0];
    const workedMs = (): number => {
      nowMs += chunkMs;
      return nowMs;
    };
    await using node = await startNetwork(1, { limitsLocal: true, workedMs });
    await using peer = await connectRudePeer(20, node.address, { from: "127.66.0.1" });
    await pollUntil(() => node.network.peers().length === 1);
    const [connection] = peer.libp2p.getConnections();
    const { muxer } = connection as unknown as Layers;
    const { streamId } = (await peer.open(peer.names.blocks)) as unknown as { readonly streamId: number };
    const isUnread = (): boolean => node.network.figures().connections.unread === 1;
    chunkMs = 1_000;
    let sent = 0;
    for (; sent < MOST_FRAMES && !isUnread(); sent += FRAMES_AT_ONCE) {
      for (let n = 0; n < FRAMES_AT_ONCE; n += 1) muxer.sendFrame({ type: WINDOW_UPDATE, flag: 0, streamID: streamId, length: 1 });
      await new Promise(setImmediate);
    }
    expect(isUnread()).toBe(true);
    expect(sentBytes(peer)).toBeLessThan(inboundBytes.strangers.burst);
  });

  it("do not count when this node requested them", async () => {
    const blocks = function* (from: number, count: number): Iterable<ReturnType<typeof encodedFinal>> {
      for (let height = from; height < from + count; height += 1) {
        const { block, commit } = sampleBlock(1);
        const header = { ...block.header, height };
        yield encodedFinal({ block: { ...block, header, evidence: [new Uint8Array(3 * MIB)] }, commit: { ...commit, height } });
      }
    };
    // Bytes alone: on a slow machine the time that a chunk takes counts for more than them.
    await using node = await startNetwork(1, { limitsLocal: true, workedMs: () => 0 });
    await using server = await startNetwork(4, { bootstrap: [node.address], handlers: { blocks } });
    await untilConnected(node, server);
    let bytes = 0;
    let unread = 0;
    const watch = setInterval(() => {
      unread = Math.max(unread, node.network.figures().connections.unread);
    }, 1);
    try {
      while (bytes < 3 * inboundBytes.strangers.burst) {
        const received = await node.network.requestBlocks(server.network.name, 1, 4, AbortSignal.timeout(60_000));
        bytes += received.reduce((sum, { encoded }) => sum + encoded.length, 0);
        unread = Math.max(unread, node.network.figures().connections.unread);
      }
    } finally {
      clearInterval(watch);
    }
    expect(unread).toBe(0);
  });
});
