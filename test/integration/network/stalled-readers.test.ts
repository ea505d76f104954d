// Peers that ask and do not read: a bounded part of memory is theirs, for a bounded time, and others are served meanwhile.
import type { Stream } from "@libp2p/interface";
import { describe, expect, it } from "vitest";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import type { EncodedFinalBlock } from "#node/network/peer-network.ts";
import { writeFrame } from "#node/network/wire/frames.ts";
import { blocksRequestCodec } from "#node/network/wire/wire-codec.ts";
import { encode } from "#shared/codec/codec.ts";
import { otherValues } from "#test/support/host/other-values.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { connectRudePeer, type RudePeer } from "#test/support/nodes/rude-peer.ts";
import { encodedFinal, sampleBlock, startNetwork, untilConnected } from "#test/support/nodes/test-network.ts";

const LARGE = new Uint8Array(3_500_000);
/** How long a node waits here for a reader that stands still, ms: far more than its check of connections is apart. */
const PATIENCE_MS = 5_000;
/** Greatest window that a peer can open, bytes. */
const WINDOW = 2 ** 31;
const WINDOW_UPDATE = 1;
/** Responses of large blocks to one peer for which a node has room at a time. */
const AT_ONCE = Math.min(NETWORK_LIMITS.requestStreams, Math.floor(NETWORK_LIMITS.served.perPeer / NETWORK_LIMITS.blocks.heldBytes));

interface Layers {
  readonly maConn: { readonly socket: { pause(): void } };
  readonly muxer: { sendFrame(frame: object): void };
}

/** Large blocks, and how many of them were read. */
function largeBlocks(): { readonly count: () => number; blocks(from: number, count: number): Iterable<EncodedFinalBlock> } {
  let read = 0;
  return {
    count: () => read,
    *blocks(from, count): Iterable<EncodedFinalBlock> {
      if (count === 1) {
        yield encodedFinal(sampleBlock(from));
        return;
      }
      for (let n = 0; n < count; n += 1) {
        read += 1;
        yield { block: LARGE, commit: Uint8Array.of(0) };
      }
    },
  };
}

async function askAndWait(rude: RudePeer, streams: number): Promise<readonly Stream[]> {
  const opened: Stream[] = [];
  for (let n = 0; n < streams; n += 1) {
    const stream = await rude.open(rude.names.blocks);
    stream.pause();
    writeFrame(stream, encode(blocksRequestCodec, { from: 1, count: 4 }));
    opened.push(stream);
  }
  return opened;
}

describe("readers that stand still", () => {
  it("make a node read no more than it sends, and are dropped", async () => {
    using _patience = otherValues(NETWORK_LIMITS.served, { stallMs: PATIENCE_MS });
    const stock = largeBlocks();
    await using node = await startNetwork(1, { handlers: { blocks: stock.blocks } });
    await using rude = await connectRudePeer(2, node.address);
    const streams = await askAndWait(rude, AT_ONCE);
    await pollUntil(() => stock.count() === streams.length, { what: "the node to begin with every response" });
    // One frame of each: the next is read when this one has left.
    await pollUntil(() => streams.every(({ status }) => status !== "open"), { timeoutMs: 40_000, what: "the streams to end" });
    expect(stock.count()).toBe(streams.length);
    expect(rude.isConnected).toBe(true);
  });

  it("leave room for others, however many they are", async () => {
    const stock = largeBlocks();
    await using node = await startNetwork(1, { handlers: { blocks: stock.blocks } });
    await using honest = await startNetwork(3, { bootstrap: [node.address] });
    await untilConnected(node, honest);
    const { total } = NETWORK_LIMITS.served;
    const peers = Math.ceil(total / NETWORK_LIMITS.served.perPeer) + 1;
    const rude: RudePeer[] = [];
    try {
      for (let n = 0; n < peers; n += 1) rude.push(await connectRudePeer(20 + n, node.address));
      const streams = (await Promise.all(rude.map((peer) => askAndWait(peer, NETWORK_LIMITS.requestStreams)))).flat();
      await pollUntil(() => stock.count() >= total / NETWORK_LIMITS.blocks.heldBytes, { what: "all room to be taken" });
      const [final] = await honest.network.requestBlocks(node.network.name, 7, 1, AbortSignal.timeout(30_000));
      expect(final?.header.height).toBe(7);
      // Some had to give way, and no more were let in than fit.
      await pollUntil(() => streams.some(({ status }) => status !== "open"), { what: "some to give way" });
    } finally {
      await Promise.all(rude.map((peer) => peer[Symbol.asyncDispose]()));
    }
  });

  it("cannot have the node fill its buffers by opening windows that they do not read", async () => {
    using _patience = otherValues(NETWORK_LIMITS.served, { stallMs: PATIENCE_MS });
    const stock = largeBlocks();
    await using node = await startNetwork(1, { handlers: { blocks: stock.blocks } });
    await using rude = await connectRudePeer(4, node.address);
    const streams = await askAndWait(rude, AT_ONCE);
    await pollUntil(() => stock.count() === streams.length);
    const [connection] = rude.libp2p.getConnections();
    const { maConn, muxer } = connection as unknown as Layers;
    maConn.socket.pause();
    const open = (): void => {
      for (const stream of streams)
        muxer.sendFrame({
          type: WINDOW_UPDATE,
          flag: 0,
          streamID: (stream as unknown as { readonly streamId: number }).streamId,
          length: WINDOW,
        });
    };
    const gone = async (): Promise<boolean> => {
      if (connection?.status === "open") open();
      return node.received.gone.includes(rude.name);
    };
    await pollUntil(gone, { timeoutMs: 60_000, intervalMs: 100, what: "the node to hang up" });
    expect(stock.count()).toBeLessThanOrEqual(2 * streams.length);
  });
});
