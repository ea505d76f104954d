// Connections that take the room of others, and peers that claim heights.
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Stream } from "@libp2p/interface";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { readFrames, writeFrame } from "#node/network/wire/frames.ts";
import { blocksRequestCodec } from "#node/network/wire/wire-codec.ts";
import { createNodeClient } from "#shared/api/client.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { plainFetch } from "../../support/nodes/connect-to-node.ts";
import { connectRudePeer, type RudePeer } from "../../support/nodes/rude-peer.ts";
import { type Attack, type Target, type Turn, victimOf } from "../attack.ts";
import { besiege, ONE_ADDRESS, untilSentAway } from "./swarm.ts";

const SOCKETS = 128;
const SLOT_PEERS = NETWORK_LIMITS.inboundConnections + 8;
const CLAIMED_HEIGHT = 1_000_000;
const CLAIMANTS = 3;
const REOPEN_MS = 50;
const LATE_MS = 30;

function portOf(address: string): number {
  return Number(/\/tcp\/(\d+)/.exec(address)?.[1]);
}

/** Sockets that say nothing; one that is closed is opened again. */
async function holdSilent(target: Target, turn: Turn): Promise<void> {
  const port = portOf(victimOf(target).p2pAddress);
  await turn.begin();
  const one = async (): Promise<void> => {
    while (!turn.signal.aborted) {
      const socket: Socket = connect({ port, host: "127.0.0.1", localAddress: ONE_ADDRESS });
      turn.count("sockets");
      socket.on("error", () => undefined);
      await Promise.race([
        new Promise((resolve) => socket.once("close", resolve)),
        new Promise((resolve) => turn.signal.addEventListener("abort", resolve, { once: true })),
      ]);
      socket.destroy();
      await delay(REOPEN_MS);
    }
  };
  await Promise.all(Array.from({ length: SOCKETS }, one));
}

/** Peers of one address that behave, and stay: more than there are slots. */
async function fillSlots(target: Target, turn: Turn): Promise<void> {
  await turn.begin();
  const assault = async (peer: RudePeer): Promise<void> => {
    turn.count("slots");
    await untilSentAway(peer, turn);
  };
  await besiege(target, turn, { peers: SLOT_PEERS, from: ONE_ADDRESS, assault });
}

/** Peers that claim a height far above, and deliver each block a little after it exists. */
async function claimHeights(target: Target, turn: Turn): Promise<void> {
  const [, other] = target.nodes;
  if (other === undefined) throw new Error("The blocks come from a second node");
  const client = createNodeClient({ baseUrl: `http://127.0.0.1:${other.port}`, fetch: plainFetch });
  const { chainId, genesisHash } = target;
  const source = await connectRudePeer(99, other.p2pAddress, { network: chainId, genesisHash });
  await turn.begin();
  const assault = async (peer: RudePeer): Promise<void> => {
    turn.count("claims");
    await peer.libp2p.handle(peer.names.blocks, (stream) =>
      readFrames(stream, {
        maxBytes: 1_024,
        onFrame: (frame) => void answerLate(stream, frame),
        onEnd: () => undefined,
      }),
    );
    await untilSentAway(peer, turn);
  };
  const answerLate = async (stream: Stream, frame: Uint8Array): Promise<void> => {
    try {
      for (const block of await serveLate(frame)) writeFrame(stream, block);
      await stream.close();
    } catch {
      // The victim gave up waiting.
      turn.count("late responses in vain");
    }
  };
  const serveLate = async (frame: Uint8Array): Promise<readonly Uint8Array[]> => {
    const { from = 1 } = tryDecode(blocksRequestCodec, frame) ?? {};
    turn.count("requests of the victim");
    while (!turn.signal.aborted && (await client.getNetstats({})).height < from) await delay(LATE_MS);
    await delay(LATE_MS);
    return await blocksOf(source, from);
  };
  const status = { height: CLAIMED_HEIGHT, tipHash: "00".repeat(32), firstHeight: 1 };
  await besiege(target, turn, { peers: CLAIMANTS, status, assault });
}

/** One block, encoded, from a node that has it. */
async function blocksOf(source: RudePeer, from: number): Promise<readonly Uint8Array[]> {
  const stream = await source.open(source.names.blocks);
  const frames: Uint8Array[] = [];
  const { promise, resolve } = Promise.withResolvers<readonly Uint8Array[]>();
  readFrames(stream, { maxBytes: NETWORK_LIMITS.blocks.frameBytes, onFrame: (frame) => frames.push(frame), onEnd: () => resolve(frames) });
  writeFrame(stream, encode(blocksRequestCodec, { from, count: 1 }));
  return await promise;
}

export const CONNECTION_ATTACKS: readonly Attack[] = [
  {
    name: "silent-sockets",
    title: `${SOCKETS} silent sockets of one address`,
    work: "joins",
    network: { validators: 1 },
    attack: holdSilent,
  },
  {
    name: "full-slots",
    title: `${SLOT_PEERS} peers of one address in all inbound slots`,
    work: "joins",
    network: { validators: 1 },
    attack: fillSlots,
  },
  {
    name: "claims",
    title: "claims of heights, with late useful responses",
    work: "blocks",
    network: { validators: 4 },
    attack: claimHeights,
  },
];
