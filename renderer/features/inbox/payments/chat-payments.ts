// Which payments of a chat are claimed for which request. Pure. A receipt only points to the chain: what it says counts once the chain
// shows it.
import type { ChatMessage, MessageKey } from "#shared/messenger/model/message.ts";

/** A receipt among the messages of a chat. */
export type Receipt = ChatMessage & { readonly body: Extract<ChatMessage["body"], { readonly kind: "pay.receipt" }> };

export interface ChatPayments {
  /** Receipts for a request by the key of the request, the first one first. */
  readonly claims: ReadonlyMap<MessageKey, readonly Receipt[]>;
  /** Receipts of a payment that an earlier one names already: one payment answers once. */
  readonly repeated: ReadonlySet<MessageKey>;
}

/** Most receipts of one request that are compared with the chain: the newest. */
const MAX_CLAIMS = 8;

/** Payments of messages, in any order. */
export function chatPayments(messages: readonly ChatMessage[]): ChatPayments {
  const requests = new Map<string, ChatMessage>();
  const named = new Set<string>();
  const repeated = new Set<MessageKey>();
  const claims = new Map<MessageKey, Receipt[]>();
  for (const message of messages) if (message.body.kind === "pay.request") requests.set(nameOf(message.id, message), message);
  for (const receipt of messages.filter(isReceipt).sort(compareReceipts)) {
    const { txId, request } = receipt.body;
    // What the other person names takes nothing from an own payment.
    const payment = nameOf(txId, receipt);
    if (named.has(payment)) {
      repeated.add(receipt.key);
      continue;
    }
    named.add(payment);
    const asked = request === null ? undefined : requests.get(nameOf(request, { direction: receipt.direction === "in" ? "out" : "in" }));
    if (asked === undefined || !answers(asked, receipt)) continue;
    claims.set(asked.key, [...(claims.get(asked.key) ?? []), receipt].slice(-MAX_CLAIMS));
  }
  return { claims, repeated };
}

/** Ids are chosen by their authors: the same one of two people is not the same. */
function nameOf(id: string, { direction }: Pick<ChatMessage, "direction">): string {
  return `${direction} ${id}`;
}

function isReceipt(message: ChatMessage): message is Receipt {
  return message.body.kind === "pay.receipt";
}

/** By their authors' clocks and ids, which are the same on all devices; keys are not. */
function compareReceipts(a: Receipt, b: Receipt): number {
  if (a.at !== b.at) return a.at - b.at;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

/** It comes from the person who was asked, and is not about less. */
function answers({ body, direction }: ChatMessage, receipt: Receipt): boolean {
  return body.kind === "pay.request" && receipt.direction !== direction && receipt.body.amountUt >= body.amountUt;
}
