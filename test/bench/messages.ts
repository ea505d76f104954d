// Sealed envelopes: broadcast until the push at a subscribed recipient.
import { randomBytes } from "node:crypto";
import { boxKeyPair, type Envelope, sealEnvelope } from "#shared/protocol/envelope.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { RunningNode } from "../support/start-node.ts";
import { HttpPool } from "./http-pool.ts";
import { LiveFeed } from "./live.ts";
import { type Percentiles, percentiles } from "./statistics.ts";

/** Result of one run: latency to the push, and stored messages a second. */
export interface MessageResult extends Percentiles {
  readonly perSecond: number;
  readonly count: number;
}

const PLAINTEXT_BYTES = 512;
const RECIPIENT_LIMIT = 1_500;

/** Each client broadcasts one envelope, waits for its push and goes on. */
export async function broadcastToPush(node: RunningNode, clients: number, total: number): Promise<MessageResult> {
  const recipients = Array.from({ length: Math.max(clients, Math.ceil(total / RECIPIENT_LIMIT)) }, () =>
    toHex(boxKeyPair(randomBytes(32)).publicKey),
  );
  const envelopes = Array.from({ length: total }, (_, i) => envelopeFor(recipients[i % recipients.length] as string));
  const feed = await LiveFeed.open(
    node.port,
    recipients.slice(0, 64).map((key) => `inbox:${key}`),
  );
  const pool = new HttpPool(node.port, clients);
  const samples: number[] = [];
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let envelope = envelopes[next++]; envelope !== undefined; envelope = envelopes[next++]) {
        const sent = performance.now();
        const answer = await pool.post("/relay/broadcast", JSON.stringify({ envelope }));
        if (answer.status !== 200) throw new Error(`The node refused an envelope: ${answer.status} ${answer.text}`);
        samples.push((await feed.arrived(envelope.id)) - sent);
      }
    }),
  );
  const elapsed = performance.now() - started;
  feed.close();
  pool.close();
  return { ...percentiles(samples), perSecond: (total / elapsed) * 1000, count: total };
}

const sender = boxKeyPair(randomBytes(32));

function envelopeFor(recipientPub: string): Envelope {
  const input = {
    plaintext: randomBytes(PLAINTEXT_BYTES),
    recipientPub,
    sender,
    senderMasterPub: "",
    nonce: randomBytes(24),
    sentAt: Math.floor(Date.now() / 1000),
  };
  return sealEnvelope(input);
}
