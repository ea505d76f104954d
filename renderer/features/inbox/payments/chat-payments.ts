// Which payments of a chat belong to which request. Pure. A receipt only points to the chain: what it says counts once the chain shows it.
import type { ChatMessage, MessageKey } from "#shared/messenger/model/message.ts";

/** A receipt among the messages of a chat. */
export type Receipt = ChatMessage & { readonly body: Extract<ChatMessage["body"], { readonly kind: "pay.receipt" }> };

export interface ChatPayments {
  /** The newest receipt for a request, by the key of the request. */
  readonly receipts: ReadonlyMap<MessageKey, Receipt>;
  /** Receipts of a payment that an earlier one names already: one payment answers once. */
  readonly repeated: ReadonlySet<MessageKey>;
}

/** Payments of messages, oldest first. */
export function chatPayments(messages: readonly ChatMessage[]): ChatPayments {
  const requests = new Map<string, ChatMessage>();
  const named = new Set<string>();
  const repeated = new Set<MessageKey>();
  const receipts = new Map<MessageKey, Receipt>();
  for (const message of messages) if (message.body.kind === "pay.request") requests.set(message.id, message);
  for (const message of messages) {
    if (!isReceipt(message)) continue;
    const { txId, request, amountUt } = message.body;
    if (named.has(txId)) {
      repeated.add(message.key);
      continue;
    }
    named.add(txId);
    const asked = request === null ? undefined : requests.get(request);
    if (asked !== undefined && answers(asked, message, amountUt)) receipts.set(asked.key, message);
  }
  return { receipts, repeated };
}

function isReceipt(message: ChatMessage): message is Receipt {
  return message.body.kind === "pay.receipt";
}

/** It comes from the person who was asked, and is not about less. */
function answers({ body, direction }: ChatMessage, receipt: Receipt, amountUt: number): boolean {
  return body.kind === "pay.request" && receipt.direction !== direction && amountUt >= body.amountUt;
}
