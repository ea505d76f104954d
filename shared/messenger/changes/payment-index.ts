// Finds the receipt of a payment by the payment. One of the other person's receipts never stands for an own payment, nor the other way.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { groupOf } from "../model/conversation-id.ts";
import type { ConversationId, MessageKey } from "../model/message.ts";
import type { MessageRecord } from "../model/records.ts";
import type { LocalStore } from "../store/local-store.ts";
import type { Change } from "./change.ts";

/** A payment between this account and another one. */
export interface KnownPayment {
  readonly txId: string;
  /** The other person. */
  readonly peer: ConversationId;
  readonly direction: "in" | "out";
}

/** Notes a message that may be a receipt: the first one that names a payment is found by it. */
export async function indexPayment(store: LocalStore, change: Change, key: MessageKey, record: MessageRecord): Promise<void> {
  const { body, conversation: peer, direction } = record;
  if (body.kind !== "pay.receipt" || groupOf(peer) !== undefined) return;
  const payment = { txId: body.txId, peer, direction };
  const known = await receiptOf(store, payment);
  if (known === undefined) change.batch.putMeta(await store.paymentName(payment), key);
}

/** True where a payment of another person counts for a message: in all chats, the first one for which they named it has it. */
export async function claimPayment(
  store: LocalStore,
  change: Change,
  { payer, txId, key }: { readonly payer: PublicKeyHex; readonly txId: string; readonly key: MessageKey },
): Promise<boolean> {
  const name = await store.claimName(payer, txId);
  const known = await change.batch.meta<MessageKey>(name);
  if (known === undefined) change.batch.putMeta(name, key);
  return known === undefined || known === key;
}

/** The message that names a payment, and its key. */
export async function receiptOf(
  store: LocalStore,
  payment: KnownPayment,
): Promise<{ readonly key: MessageKey; readonly record: MessageRecord } | undefined> {
  const key = await store.readMeta<MessageKey>(await store.paymentName(payment));
  const record = key === undefined ? undefined : await store.readMessage(key);
  return key === undefined || record?.body.kind !== "pay.receipt" ? undefined : { key, record };
}
