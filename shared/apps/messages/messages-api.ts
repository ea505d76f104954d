// The port "messages": the messaging engine as the gateway reaches it, in the page or in an agent. What a connection may is judged in the
// gateway; that a message is sent once, however often its order comes, the engine sees to with the message itself.
import { bytes, exactly, listOf, matching, nothing, optional, type Shape, text, whole } from "#shared/keyring/shapes.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { MAX_TX_ID_CHARS } from "#shared/protocol/primitives/limits.ts";
import { MAX_ARRIVALS_PAGE, MAX_CHOSEN, MAX_KEY_CHARS, MIN_KEY_CHARS } from "../app-limits.ts";

/** A message that a program orders. */
export interface MessageOrder {
  /** Id of the connection. */
  readonly connection: string;
  /** The same order under the same key happens once. */
  readonly idempotencyKey: string;
  /** Master key of a person, or `group:` and the id of a group. */
  readonly to: string;
  /** The text, or what is said beside a file. */
  readonly text: string;
  readonly file?: { readonly name: string; readonly bytes: Uint8Array };
  /** Id of the message that is answered. */
  readonly replyTo?: string;
  readonly mode: MessageMode;
}

/**
 * What the keyring's journal says of an order.
 * - `open`: it is sent unless it is known. `late`: only what is known is answered: the program's own time is over.
 * - `sent`: it was sent, even if the engine does not know it any more; it is answered and never sent.
 */
export const MESSAGE_MODES = ["open", "late", "sent"] as const;
export type MessageMode = (typeof MESSAGE_MODES)[number];

/** A message of the local store. */
export interface MessageEntry {
  /** Id on this device. */
  readonly id: string;
  /** Who wrote it; empty for a sender whose identity is not proven. */
  readonly from: PublicKeyHex | "";
  /** Master key of the person, or `group:` and the id of the group. */
  readonly conversation: string;
  readonly isOwn: boolean;
  /** When it was written, unix ms. */
  readonly atMs: number;
  /** When it came, unix ms; null for one's own, and for what came before this was noted. */
  readonly arrivedAtMs: number | null;
  /** Null for other kinds than texts and files. */
  readonly text: string | null;
  readonly file: { readonly name: string; readonly size: number } | null;
  /** Of one's own: `queued`, `relayed`, `delivered`, `read`, `failed`, or `gone` when it was deleted since. */
  readonly state: string | null;
}

/** What came of an order. */
export interface SentMessageEntry extends MessageEntry {
  /** The key was used before, with the same order. */
  readonly isReplayed: boolean;
}

/** A message that came, in the order of arrival. */
export interface Arrival {
  /** 1 or more, ascending, never used twice. */
  readonly seq: number;
  readonly id: string;
  readonly atMs: number;
}

/** Some arrivals after a number. */
export interface ArrivalsPage {
  readonly arrivals: readonly Arrival[];
  /** Everything up to this number was looked at. */
  readonly readTo: number;
  /** Number of the oldest that is still known; 0 without any. */
  readonly firstSeq: number;
  readonly hasMore: boolean;
}

/** A contact. */
export interface MessageContact {
  readonly publicKey: PublicKeyHex;
  /** The name that the person gave themselves, null without one. */
  readonly name: string | null;
}

/** A payment of a program that is in a block. */
export interface OrderedPayment {
  /** Id of the connection; empty where it is forgotten. */
  readonly connection: string;
  readonly txId: string;
  readonly to: PublicKeyHex;
  readonly amountUt: AmountUt;
}

/** Calls of the gateway. All reject with a CodedError. */
export interface MessagesApi {
  /** Stores a message and queues it. @throws CodedError BAD_REQUEST, NOT_FOUND for the message to answer, APP_KEY_REUSED, APP_TOO_LATE, MESSENGER_UNAVAILABLE. */
  send(input: MessageOrder): Promise<SentMessageEntry>;
  /** @throws CodedError NOT_FOUND, MESSENGER_UNAVAILABLE. */
  read(input: { readonly id: string }): Promise<MessageEntry>;
  /** Arrivals in some conversations, oldest first. */
  arrivals(input: { readonly after: number; readonly limit: number; readonly conversations: readonly string[] }): Promise<ArrivalsPage>;
  /** Number of the last arrival of a time or before; 0 without one. */
  lastArrival(input: { readonly untilMs: number }): Promise<number>;
  /** Accepted contacts that are not blocked. */
  contacts(): Promise<readonly MessageContact[]>;
  /** Leaves the receipt of a payment in the chat with whom it paid, where there is one: once for each transaction. @throws CodedError MESSENGER_UNAVAILABLE. */
  leaveReceipt(input: OrderedPayment): Promise<void>;
}

/** What the engine tells the gateway. */
export interface MessagesEvent {
  readonly event: "arrived";
}

/** The engine as the gateway has it, in another process or in its own. */
export interface MessagesLink {
  readonly api: MessagesApi;
  /** Calls back when a message has come, or the engine is there again; returns the way to stop that. */
  onEvent(listener: (event: MessagesEvent) => void): () => void;
}

/** 8 MiB, as files of people have. */
const MAX_FILE_BYTES = 8_388_608;
const MessageKey = matching(/^[0-9a-f]{32}$/);
/** Master key of a person, or id of a group. */
export const Conversation = matching(/^(?:[0-9a-f]{64}|group:[0-9a-f]{32})$/);
const Key: Shape = (value) => typeof value === "string" && value.length >= MIN_KEY_CHARS && value.length <= MAX_KEY_CHARS;

/** Methods of the port. */
export const MESSAGES_METHODS = {
  send: exactly({
    connection: text(64, 1),
    idempotencyKey: Key,
    to: Conversation,
    text: text(16_384),
    file: optional(exactly({ name: text(255, 1), bytes: bytes(MAX_FILE_BYTES) })),
    replyTo: optional(MessageKey),
    mode: (value) => MESSAGE_MODES.some((mode) => mode === value),
  }),
  read: exactly({ id: MessageKey }),
  arrivals: exactly({ after: whole(0), limit: whole(1, MAX_ARRIVALS_PAGE), conversations: listOf(Conversation, MAX_CHOSEN) }),
  lastArrival: exactly({ untilMs: whole(0) }),
  contacts: nothing,
  leaveReceipt: exactly({ connection: text(64), txId: text(MAX_TX_ID_CHARS, 1), to: matching(/^[0-9a-f]{64}$/), amountUt: whole(1) }),
} as const satisfies Record<keyof MessagesApi, Shape>;
