// What the cards of payments are made of.
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage, ConversationId, MessageBody } from "#shared/messenger/model/message.ts";
import type { ConversationHeader } from "../../model/conversation-header.tsx";
import type { Receipt } from "../chat-payments.ts";

/** A message about money, with what the chat knows of it. */
export interface CardProps<Kind extends "pay.request" | "pay.receipt" | "pay.split"> {
  readonly id: ConversationId;
  readonly message: ChatMessage;
  readonly body: Extract<MessageBody, { readonly kind: Kind }>;
  readonly header: ConversationHeader;
  readonly messenger: Messenger;
  /** For a request: the receipts that name it. */
  readonly claims: readonly Receipt[];
  /** For a receipt: an earlier one names the same payment. */
  readonly isRepeated: boolean;
}
