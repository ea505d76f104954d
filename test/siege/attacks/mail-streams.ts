// Streams of protocols of mail and snapshots that never come to an end: without a request, with one that comes byte by byte, and with responses
// that are not read.
import { setTimeout as delay } from "node:timers/promises";
import type { Stream } from "@libp2p/interface";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import type { ProtocolNames } from "#node/network/protocol-names.ts";
import { writeFrame } from "#node/network/wire/frames.ts";
import { mailRequestCodec } from "#node/network/wire/mail-codec.ts";
import { encode } from "#shared/codec/codec.ts";
import type { RudePeer } from "../../support/nodes/rude-peer.ts";
import type { Attack, Target, Turn } from "../attack.ts";
import { KEPT_NETWORK } from "./mail-requests.ts";
import { besiege } from "./swarm.ts";

const PEERS = 32;
const REOPEN_MS = 100;
const BYTE_MS = 200;
/** Of a frame that every one of the protocols takes. */
const HEAD = Uint8Array.of(0, 0, 0, 120);
const PROTOCOLS = ["mail", "cards", "carry", "digests", "watches", "snapshot"] as const satisfies readonly (keyof ProtocolNames)[];

/** What a stream's opener does with it until it ends. */
const WAYS: readonly ((stream: Stream, turn: Turn) => void | Promise<void>)[] = [
  // Says nothing.
  (stream): void => stream.pause(),
  // The head of a frame, and no more.
  (stream): void => void stream.send(HEAD),
  // All of it, a byte at a time.
  async (stream, turn): Promise<void> => {
    stream.send(HEAD);
    while (stream.status === "open" && !turn.signal.aborted) {
      stream.send(Uint8Array.of(0x81));
      await delay(BYTE_MS);
    }
  },
];

async function holdStreams(target: Target, turn: Turn): Promise<void> {
  await turn.begin();
  const hold = async (peer: RudePeer, protocol: (typeof PROTOCOLS)[number], n: number): Promise<void> => {
    while (peer.isConnected && !turn.signal.aborted) {
      try {
        const stream = await peer.open(peer.names[protocol]);
        turn.count("streams");
        await WAYS[n % WAYS.length]?.(stream, turn);
        while (stream.status === "open" && peer.isConnected && !turn.signal.aborted) await delay(REOPEN_MS);
      } catch {
        turn.count("refused");
      }
      await delay(REOPEN_MS);
    }
  };
  const assault = async (peer: RudePeer): Promise<void> => {
    const { requestStreams } = NETWORK_LIMITS;
    const all = PROTOCOLS.flatMap((protocol) => Array.from({ length: requestStreams }, (_, n) => hold(peer, protocol, n)));
    await Promise.all(all);
  };
  await besiege(target, turn, { peers: PEERS, assault });
}

/** Pages of a mailbox with much in it, as many as a peer may have under way, none of which is read. */
async function stallPages(target: Target, turn: Turn): Promise<void> {
  const boxes = [{ box: target.keptBox ?? "", after: 0, afterDeletion: 0 }];
  const frame = encode(mailRequestCodec, { type: "get", scope: null, boxes, hasContent: true });
  await turn.begin();
  const stall = async (peer: RudePeer): Promise<void> => {
    while (peer.isConnected && !turn.signal.aborted) {
      try {
        const stream = await peer.open(peer.names.mail);
        stream.pause();
        writeFrame(stream, frame);
        turn.count("requests");
        while (stream.status === "open" && peer.isConnected && !turn.signal.aborted) await delay(REOPEN_MS);
      } catch {
        turn.count("refused");
      }
      await delay(REOPEN_MS);
    }
  };
  const assault = async (peer: RudePeer): Promise<void> => {
    await Promise.all(Array.from({ length: NETWORK_LIMITS.requestStreams }, () => stall(peer)));
  };
  await besiege(target, turn, { peers: PEERS, assault });
}

export const MAIL_STREAM_ATTACKS: readonly Attack[] = [
  {
    name: "half-open-mail",
    title: `${PEERS} peers with streams for mail that never bring a request`,
    work: "keptDeliveries",
    network: KEPT_NETWORK,
    attack: holdStreams,
  },
  {
    name: "stalled-mail",
    title: `${PEERS} peers that list a mailbox of 24 MiB at its keeper and do not read`,
    work: "keptDeliveries",
    history: "keptMailbox",
    network: KEPT_NETWORK,
    attack: stallPages,
  },
];
