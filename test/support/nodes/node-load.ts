// Traffic for a node process: signed transfers and sealed envelopes, until the node goes away. Remembers what the node vouched for.

import { createPrivateKey, type KeyObject, randomBytes, sign } from "node:crypto";
import type { NodeClient } from "#shared/api/client.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import type { TransactionDetail } from "#shared/api/schemas/chain.ts";
import type { NodeFrame } from "#shared/api/socket/frames.ts";
import { type BoxKeyPair, boxKeyPair, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { NONCE_BYTES } from "#shared/protocol/primitives/limits.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { buildTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { signedBytes } from "#shared/protocol/transactions/transaction-id.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { pollUntil } from "../host/poll-until.ts";

/** An account that signs natively. */
export interface LoadAccount {
  readonly publicKey: string;
  readonly key: KeyObject;
}

/** What the node said to be final or stored. */
export interface Acknowledged {
  /** Block by id of every transaction pushed as being in a block. */
  readonly transactions: Map<string, { readonly block: number; readonly blockHash: string }>;
  /** Ids of envelopes whose broadcast was answered with 200. */
  readonly envelopes: Set<string>;
}

const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** Account of a 32-byte seed. */
export function loadAccount(seed: Uint8Array): LoadAccount {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
  return { publicKey: toHex(ed25519PublicKey(seed)), key };
}

/** Signed transfer of 1 µT with the least fee. */
export function signedTransfer(from: LoadAccount, to: string, chainId: string): Transaction {
  const context = { chainId, nowMs: Date.now(), random: (length: number): Uint8Array => new Uint8Array(randomBytes(length)) };
  const unsigned = buildTransaction({ type: "TRANSFER", from: from.publicKey, to, amount: 1, payload: {} }, context);
  return { ...unsigned, signature: sign(null, signedBytes(unsigned), from.key).toString("base64") };
}

/** Notes every transaction that the node pushes as being in a block, until the returned connection closes. */
export async function watchTransactions(baseUrl: string, acknowledged: Acknowledged): Promise<WebSocket> {
  const socket = new WebSocket(`${baseUrl.replace("http", "ws")}/api/ws`);
  const subscribed = Promise.withResolvers<void>();
  socket.addEventListener("error", () => subscribed.reject(new Error("The WebSocket failed")));
  socket.addEventListener("message", ({ data }) => {
    const frame = JSON.parse(String(data)) as NodeFrame;
    if (frame.type === "hello") socket.send(JSON.stringify({ type: "subscribe", topic: "txs" }));
    else if (frame.type === "subscribed") subscribed.resolve();
    else if (frame.type === "tx") acknowledged.transactions.set(frame.id, { block: frame.block, blockHash: frame.block_hash });
  });
  await subscribed.promise;
  return socket;
}

/** Sends transfers between the accounts, one after the other, until a request fails because the node is gone. */
export async function sendTransfers(
  client: NodeClient,
  chainId: string,
  from: LoadAccount,
  accounts: readonly LoadAccount[],
): Promise<void> {
  for (let sent = 0; ; sent += 1) {
    const to = accounts[sent % accounts.length]?.publicKey ?? from.publicKey;
    const outcome = await client.submitTransaction({ body: signedTransfer(from, to, chainId) }).catch(goneOrThrow);
    if (outcome === "gone") return;
  }
}

/** Broadcasts envelopes to one mailbox until the node is gone. */
export async function sendEnvelopes(client: NodeClient, recipientPub: string, acknowledged: Acknowledged): Promise<void> {
  const sender: BoxKeyPair = boxKeyPair(new Uint8Array(randomBytes(32)));
  for (;;) {
    const nonce = new Uint8Array(randomBytes(NONCE_BYTES));
    const envelope = sealEnvelope({ plaintext: utf8("hello"), recipientPub, sender, senderMasterPub: "", nonce, sentAt: 0 });
    const outcome = await client.broadcastEnvelope({ body: { envelope } }).catch(goneOrThrow);
    if (outcome === "gone") return;
    acknowledged.envelopes.add(outcome.id);
  }
}

/** A transaction as a node has it in a block, undefined when it has none. A node that has no time to look is asked again. */
export async function findTransaction(client: NodeClient, txid: string): Promise<TransactionDetail | undefined> {
  const { found } = await pollUntil(
    () =>
      readCommitted(client, txid).then(
        (found) => ({ found }),
        (error: unknown) => {
          if (error instanceof Error && "httpStatus" in error && error.httpStatus === 404) return { found: undefined };
          throw error;
        },
      ),
    { what: `an answer about ${txid}` },
  );
  return found;
}

/** A refusal is a failure of the test; only a node that cannot be reached, or went away while it answered, is expected. */
function goneOrThrow(error: unknown): "gone" {
  if (error instanceof Error && "httpStatus" in error) throw error;
  return "gone";
}
