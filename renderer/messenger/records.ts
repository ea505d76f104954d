// What the local store keeps, decrypted. Records are authenticated by the store's key, so their shape is what this program wrote.
import type { MessageId } from "#shared/content/content.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import type { X25519KeyHex } from "#shared/protocol/envelope.ts";
import type { ChatMessage, ConversationId, MessageBody, MessageKey, MessengerProblem, OutgoingState } from "./messenger.ts";

/** One message. */
export interface MessageRecord {
  readonly conversation: ConversationId;
  readonly id: MessageId;
  readonly direction: "in" | "out";
  readonly at: number;
  readonly body: MessageBody;
  readonly state: OutgoingState | null;
  readonly problem: MessengerProblem | null;
  readonly isUnread: boolean;
  /** True for messages whose author knows this id, so that a receipt for it means something to them. */
  readonly hasReceipts: boolean;
  /** Hex of the body of a kind that this version does not know, for a later one. */
  readonly raw: string | null;
}

/** A message with its key. */
export interface StoredMessage {
  readonly key: MessageKey;
  readonly record: MessageRecord;
}

/** Position of a message in its conversation: by time, then by key. */
export interface MessagePosition {
  readonly at: number;
  readonly key: MessageKey;
}

/** The newest message of a conversation. */
export interface LastMessage extends Pick<ChatMessage, "key" | "direction" | "at" | "body" | "state"> {}

/** One conversation. */
export interface ConversationRecord {
  readonly id: ConversationId;
  readonly unread: number;
  readonly lastMessage: LastMessage | null;
  readonly draft: string;
  /** Something was sent to this peer, from any own device: no stranger any more. */
  readonly hasSent: boolean;
  readonly updatedAt: number;
}

/** What is still to be sent. */
export type OutboxTask =
  | { readonly kind: "message"; readonly key: MessageKey; readonly id: MessageId; readonly at: number; readonly text: string }
  | { readonly kind: "receipt"; readonly status: "delivered" | "read"; readonly ids: readonly MessageId[] }
  | { readonly kind: "readMark"; readonly ids: readonly MessageId[] };

/** One entry of the outbox. */
export interface OutboxRecord {
  readonly seq: number;
  readonly peer: PublicKeyHex;
  readonly task: OutboxTask;
  /** When it was queued, or tried again by hand. */
  readonly queuedAt: number;
  /** Devices that are served, or will never be. */
  readonly done: readonly X25519KeyHex[];
  /** A device of the peer has it. */
  readonly isRelayed: boolean;
  /** Waits for the person to try again. */
  readonly isFailed: boolean;
}

/** Contact lists as last seen, so that blocks hold while the node cannot be reached. */
export interface ContactsRecord {
  readonly accepted: readonly PublicKeyHex[];
  readonly blocked: readonly PublicKeyHex[];
}

/** A message as the interface shows it. */
export function chatMessageOf({ key, record }: StoredMessage): ChatMessage {
  const { direction, at, body, state, problem } = record;
  return { key, direction, at, body, state, problem };
}

/** Negative when `a` stands before `b`. */
export function comparePositions(a: MessagePosition, b: MessagePosition): number {
  if (a.at !== b.at) return a.at - b.at;
  return a.key < b.key ? -1 : Number(a.key > b.key);
}
