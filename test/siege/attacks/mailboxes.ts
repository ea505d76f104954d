// Envelopes without a recipient who reads them: to fresh keys, by HTTP from many addresses and by gossip, while others wait for theirs.
import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { relayMessageCodec } from "#node/network/wire/relay-codec.ts";
import { encode } from "#shared/codec/codec.ts";
import { boxKeyPair, type Envelope, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { NONCE_BYTES } from "#shared/protocol/primitives/limits.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { type Attack, type Target, type Turn, victimOf } from "../attack.ts";
import { besiege, shoutAll } from "./swarm.ts";

const ENVELOPES = 1_500;
const PER_MESSAGE = 32;
const PEERS = 3;
const ADDRESSES = 16;
const PAUSE_MS = 50;
const REFUSED_PAUSE_MS = 20;

/** An envelope to a key that no one reads, of about so many bytes. */
export function strayEnvelope(bytes = 1): Envelope {
  const fresh = (): ReturnType<typeof boxKeyPair> => boxKeyPair(new Uint8Array(randomBytes(32)));
  const nonce = new Uint8Array(randomBytes(NONCE_BYTES));
  const parties = { recipientPub: toHex(fresh().publicKey), sender: fresh(), senderMasterPub: "" };
  return sealEnvelope({ ...parties, plaintext: utf8("x".repeat(bytes)), nonce, sentAt: 0 });
}

/** Hands an envelope to the victim from one address. @returns the status, 0 without a response */
function post(port: number, from: string, envelope: Envelope): Promise<number> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json" };
    const options = { port, host: "127.0.0.1", localAddress: from, method: "POST", path: "/relay/broadcast", headers };
    const posting = request(options, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
    });
    posting.once("error", () => resolve(0));
    posting.end(JSON.stringify({ envelope }));
  });
}

async function floodMailboxes(target: Target, turn: Turn): Promise<void> {
  const envelopes = Array.from({ length: ENVELOPES }, () => strayEnvelope());
  const half = ENVELOPES / 2;
  const messages = Array.from({ length: Math.floor(half / PER_MESSAGE) }, (_, n) =>
    encode(relayMessageCodec, { type: "envelopes", envelopes: envelopes.slice(n * PER_MESSAGE, (n + 1) * PER_MESSAGE) }),
  );
  const { port } = victimOf(target);
  let sent = half;
  const postFrom = async (from: string): Promise<void> => {
    while (!turn.signal.aborted) {
      const envelope = envelopes[half + (sent++ % half)];
      const status = envelope === undefined ? 0 : await post(port, from, envelope);
      turn.count(`status ${status}`);
      if (status !== 200) await delay(REFUSED_PAUSE_MS);
    }
  };
  await turn.begin();
  let shouted = 0;
  const shouting = besiege(target, turn, {
    peers: PEERS,
    assault: (peer) =>
      shoutAll(peer, turn, {
        topic: "relay",
        messages: () => messages[shouted++ % messages.length] ?? new Uint8Array(0),
        pauseMs: PAUSE_MS,
      }),
  });
  await Promise.all([shouting, ...Array.from({ length: ADDRESSES }, (_, n) => postFrom(`127.67.0.${1 + n}`))]);
}

export const MAILBOX_ATTACKS: readonly Attack[] = [
  {
    name: "stray-envelopes",
    title: "envelopes to fresh keys, from 16 addresses and by gossip",
    work: "deliveries",
    network: { validators: 2, limitsLoopback: true },
    attack: floodMailboxes,
  },
];
