// Bytes that are no messages, from one address and under ever new identities.
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { STATUS_PROTOCOL, type Topic } from "#node/network/protocol-names.ts";
import { writeFrame } from "#node/network/wire/frames.ts";
import { concatBytes } from "#shared/util/bytes.ts";
import type { RudePeer } from "../../support/nodes/rude-peer.ts";
import type { Attack, Target, Turn } from "../attack.ts";
import { besiege, ONE_ADDRESS } from "./swarm.ts";

const PEERS = 4;
const PAUSE_MS = 50;
const ROOM_BYTES = 64;
const ARRAY_OF_ONE = 0x81;
const EMPTY_ARRAY = 0x80;
const ARRAY_32 = 0x9a;

/** Lists inside each other down to the last byte. */
function deep(bytes: number): Uint8Array {
  return new Uint8Array(bytes).fill(ARRAY_OF_ONE);
}

/** [1, [[], [] …]] */
function wide(bytes: number): Uint8Array {
  const head = new Uint8Array(7);
  head.set([0x82, 1, ARRAY_32]);
  new DataView(head.buffer).setUint32(3, bytes - head.length);
  return concatBytes(head, new Uint8Array(bytes - head.length).fill(EMPTY_ARRAY));
}

const SHAPES = [
  deep,
  wide,
  (bytes: number): Uint8Array => new Uint8Array(randomBytes(bytes)),
  (bytes: number): Uint8Array => deep(bytes + 1),
];

/** Messages of the greatest length, less what makes each of them another one. */
export function malformedMessages(topic: Topic, most = Number.POSITIVE_INFINITY): readonly Uint8Array[] {
  const bytes = Math.min(most, NETWORK_LIMITS.topics[topic].messageBytes) - ROOM_BYTES;
  return [deep(bytes), wide(bytes), new Uint8Array(randomBytes(bytes))];
}

async function shoutMalformed(target: Target, turn: Turn): Promise<void> {
  const shapes = (["blocks", "consensus", "tx", "relay"] as const).flatMap((topic) =>
    malformedMessages(topic).map((bytes) => ({ topic, bytes })),
  );
  await turn.begin();
  let next = 0;
  const assault = async (peer: RudePeer): Promise<void> => {
    while (peer.isConnected && !turn.signal.aborted) {
      const { topic, bytes } = shapes[next++ % shapes.length] ?? { topic: "tx", bytes: new Uint8Array() };
      await peer.shout(topic, concatBytes(bytes, randomBytes(16)));
      turn.count("messages");
      turn.count("KiB", Math.round(bytes.length / 1_024));
      await delay(PAUSE_MS);
    }
  };
  await besiege(target, turn, { peers: PEERS, from: ONE_ADDRESS, assault });
}

async function requestMalformed(target: Target, turn: Turn): Promise<void> {
  await turn.begin();
  const assault = async (peer: RudePeer): Promise<void> => {
    const { blocks, mailbox, light, consensus, mail, cards, carry, digests, watches, snapshot } = peer.names;
    const sizes: readonly (readonly [string, number])[] = [
      [STATUS_PROTOCOL, NETWORK_LIMITS.statusBytes],
      [blocks, NETWORK_LIMITS.blocks.requestBytes],
      [mailbox, NETWORK_LIMITS.mailbox.requestBytes],
      [light, NETWORK_LIMITS.light.requestBytes],
      [consensus, NETWORK_LIMITS.consensus.frameBytes],
      [mail, NETWORK_LIMITS.mail.requestBytes],
      [cards, NETWORK_LIMITS.cards.requestBytes],
      [carry, NETWORK_LIMITS.carry.requestBytes],
      [digests, NETWORK_LIMITS.digests.requestBytes],
      [watches, NETWORK_LIMITS.watches.requestBytes],
      [snapshot, NETWORK_LIMITS.snapshot.requestBytes],
    ];
    for (let n = 0; peer.isConnected && !turn.signal.aborted; n += 1) {
      const [protocol, bytes] = sizes[n % sizes.length] ?? [STATUS_PROTOCOL, 1];
      const stream = await peer.open(protocol);
      // Every fourth is longer than what is taken by a byte.
      writeFrame(stream, SHAPES[n % SHAPES.length]?.(bytes) ?? deep(bytes));
      turn.count("requests");
      await delay(PAUSE_MS);
    }
  };
  await besiege(target, turn, { peers: PEERS, from: ONE_ADDRESS, assault });
}

export const MALFORMED_ATTACKS: readonly Attack[] = [
  {
    name: "malformed-gossip",
    title: "deep and wide CBOR in gossip, one address, fresh peer ids",
    work: "transfers",
    network: { validators: 4 },
    attack: shoutMalformed,
  },
  {
    name: "malformed-mail",
    title: "the same beside envelopes that are delivered",
    work: "deliveries",
    network: { validators: 2 },
    attack: shoutMalformed,
  },
  {
    name: "malformed-requests",
    title: "malformed requests and frames, one address, fresh peer ids",
    work: "transfers",
    network: { validators: 4 },
    attack: requestMalformed,
  },
];
