// The mailbox of a node of ours as the mailbox load sees it.
import { randomBytes } from "node:crypto";
import { type BoxKeyPair, boxKeyPair, boxSharedKey, type Envelope, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { RunningNode } from "../../support/nodes/start-node.ts";
import { processorTreeMs } from "../measure/process-figures.ts";
import { LIST_LENGTH, MAILBOXES, type MailboxClient, type MailboxServer } from "./mailbox-load.ts";
import { HttpConnection, httpRequest } from "./raw-http.ts";

/** Plaintext of a message; sealed and in JSON it is about twice as long. */
export const PLAINTEXT_BYTES = 512;

/** Envelopes for mailboxes 0 to {@link MAILBOXES} − 1 in turn. */
export function sealEnvelopes(count: number): readonly Envelope[] {
  const sender: BoxKeyPair = boxKeyPair(randomBytes(32));
  const recipients = Array.from({ length: MAILBOXES }, () => toHex(boxKeyPair(randomBytes(32)).publicKey));
  const sharedKeys = recipients.map((recipient) => boxSharedKey(sender.secretKey, recipient));
  const sentAt = Math.floor(Date.now() / 1_000);
  return Array.from({ length: count }, (_, n) => {
    const recipientPub = recipients[n % MAILBOXES] as string;
    const input = { plaintext: randomBytes(PLAINTEXT_BYTES), recipientPub, sender, senderMasterPub: "", nonce: randomBytes(24), sentAt };
    return sealEnvelope(input, sharedKeys[n % MAILBOXES]);
  });
}

/** Programs that serve the same mailboxes. */
export interface ServedMailboxes extends Pick<MailboxServer, "processorMs" | "settled"> {
  /** Clients go to these in turn; the first is where what is pushed is published. */
  readonly ports: readonly number[];
  readonly subscribedAt: number;
  stop(): Promise<void>;
}

/** Those of a node. */
export function mailboxesOf(node: RunningNode): ServedMailboxes {
  return {
    ports: [node.port],
    subscribedAt: node.port,
    processorMs: () => ({ node: processorTreeMs(node.child.pid ?? 0) }),
    stop: async (): Promise<void> => void (await node.stop()),
  };
}

/** Connections to programs, which are ended with them. */
export async function parleyMailbox(
  { ports, subscribedAt, stop, ...figures }: ServedMailboxes,
  envelopes: readonly Envelope[],
  clientCount: number,
): Promise<MailboxServer> {
  const recipients = envelopes.slice(0, MAILBOXES).map((envelope) => envelope.recipient_pub);
  const broadcasts = envelopes.map((envelope) => httpRequest("POST", "/relay/broadcast", JSON.stringify({ envelope })));
  const lists = recipients.map((pub) => httpRequest("GET", `/relay/inbox?pub=${pub}&limit=${LIST_LENGTH}`));
  const numbers = new Map(envelopes.map(({ id }, n) => [id, n]));
  const connections = await Promise.all(
    Array.from({ length: clientCount }, (_, n) => HttpConnection.open(ports[n % ports.length] as number)),
  );
  const sockets: WebSocket[] = [];
  return {
    ...figures,
    clients: connections.map((connection) => client(connection, broadcasts, lists)),
    subscribe: async (listener): Promise<void> => {
      sockets.push(await subscribe(subscribedAt, recipients, (id) => listener(numbers.get(id) ?? -1)));
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      for (const socket of sockets) socket.close();
      for (const connection of connections) connection.close();
      await stop();
    },
  };
}

function client(connection: HttpConnection, broadcasts: readonly Buffer[], lists: readonly Buffer[]): MailboxClient {
  return {
    async publish(n): Promise<void> {
      const { status, body } = await connection.send(broadcasts[n] as Buffer);
      if (status !== 200) throw new Error(`The node refused an envelope: ${status} ${body}`);
    },
    async list(n): Promise<void> {
      const { status, body } = await connection.send(lists[n] as Buffer);
      if (status !== 200 || !body.includes(`"count":${LIST_LENGTH}`))
        throw new Error(`The node gave another list: ${status} ${body.slice(0, 200)}`);
    },
  };
}

async function subscribe(port: number, recipients: readonly string[], onEnvelope: (id: string) => void): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws`);
  const ready = Promise.withResolvers<void>();
  let subscribed = 0;
  socket.addEventListener("error", () => ready.reject(new Error("The WebSocket failed")));
  socket.addEventListener("message", ({ data }) => {
    const frame = JSON.parse(String(data)) as { readonly type: string; readonly id?: string };
    if (frame.type === "hello") for (const pub of recipients) socket.send(JSON.stringify({ type: "subscribe", topic: `inbox:${pub}` }));
    else if (frame.type === "subscribed") subscribed += 1;
    else if (frame.type === "inbox" && frame.id !== undefined) onEnvelope(frame.id);
    if (subscribed === recipients.length) ready.resolve();
  });
  await ready.promise;
  return socket;
}
