// Peers that request much and read nothing.

import { setTimeout as delay } from "node:timers/promises";
import type { Stream } from "@libp2p/interface";
import { lightRequestCodec } from "#node/light/wire/light-requests.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { writeFrame } from "#node/network/wire/frames.ts";
import { mailboxRequestCodec } from "#node/network/wire/relay-codec.ts";
import { blocksRequestCodec } from "#node/network/wire/wire-codec.ts";
import { encode } from "#shared/codec/codec.ts";
import type { RudePeer } from "../../support/nodes/rude-peer.ts";
import type { Attack, Target, Turn } from "../attack.ts";
import { FULL_MAILBOX } from "../history.ts";
import { besiege } from "./swarm.ts";

/** One below the inbound slots: the honest reader has the last. */
const PEERS = NETWORK_LIMITS.inboundConnections - 8;
const REQUEST_PAUSE_MS = 250;
const RECORD_KEYS = 64;

async function stall(
  target: Target,
  turn: Turn,
  requestOf: (peer: RudePeer) => { readonly protocol: string; readonly frame: Uint8Array },
): Promise<void> {
  await turn.begin();
  const assault = async (peer: RudePeer): Promise<void> => {
    const open: Stream[] = [];
    while (peer.isConnected && !turn.signal.aborted) {
      const alive = open.filter(({ status }) => status === "open");
      if (alive.length < NETWORK_LIMITS.requestStreams) {
        const { protocol, frame } = requestOf(peer);
        const stream = await peer.open(protocol);
        stream.pause();
        writeFrame(stream, frame);
        turn.count("requests");
        alive.push(stream);
      }
      open.splice(0, open.length, ...alive);
      await delay(REQUEST_PAUSE_MS);
    }
  };
  await besiege(target, turn, { peers: PEERS, assault });
}

export const READER_ATTACKS: readonly Attack[] = [
  {
    name: "stalled-blocks",
    title: `${PEERS} peers that request blocks and do not read`,
    work: "sync",
    history: "transfers",
    network: { validators: 1 },
    attack: (target, turn) =>
      stall(target, turn, ({ names }) => ({
        protocol: names.blocks,
        frame: encode(blocksRequestCodec, { from: 1, count: NETWORK_LIMITS.blocksPerRequest }),
      })),
  },
  {
    name: "stalled-mailbox",
    title: `${PEERS} peers that request a mailbox of 24 MiB and do not read`,
    work: "sync",
    history: "mailbox",
    network: { validators: 1 },
    attack: (target, turn) =>
      stall(target, turn, ({ names }) => ({
        protocol: names.mailbox,
        frame: encode(mailboxRequestCodec, { recipients: [FULL_MAILBOX], since: 0, cursor: null }),
      })),
  },
  {
    name: "stalled-light",
    title: `${PEERS} peers that request records with proofs and do not read`,
    work: "sync",
    history: "transfers",
    network: { validators: 1 },
    attack: (target, turn) => {
      const keys = Array.from({ length: RECORD_KEYS }, (_, n) => ({ namespace: "account", key: new Uint8Array(32).fill(n) }) as const);
      return stall(target, turn, ({ names }) => ({ protocol: names.light, frame: encode(lightRequestCodec, { kind: "records", keys }) }));
    },
  },
];
