// Records of the local store, decrypted. Records are authenticated by the store's key, so their shape is what this program wrote.
import type { CallRecord } from "#shared/content/chat/call-content.ts";
import type { ChatFolder } from "#shared/content/chat/folder-content.ts";
import { mentioningText } from "#shared/content/chat/mention-content.ts";
import type { Note } from "#shared/content/chat/note-content.ts";
import type { Pin, PinState } from "#shared/content/chat/pin-content.ts";
import { type PollVotes, pollResult } from "#shared/content/chat/poll-content.ts";
import type { Star, StarState, SyncStarBody } from "#shared/content/chat/star-content.ts";
import type { SyncStickerBody } from "#shared/content/chat/sticker-content.ts";
import type { AmendmentBody, BodyOf, MessageId, MessageRole, SyncChatBody } from "#shared/content/content.ts";
import type { GroupReference } from "#shared/content/group-content.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import { groupOf } from "./conversation-id.ts";
import type { GroupRecord } from "./group-state.ts";
import type {
  ChatMessage,
  ConversationId,
  MessageBody,
  MessageKey,
  MessageWording,
  MessengerProblem,
  OutgoingState,
  Reaction,
  Transfer,
} from "./message.ts";
import { type PaymentFields, storedPaymentOf } from "./payments.ts";

/** Key of the transfer between own devices; null in the store once it is over. */
export const DEVICE_TRANSFER_KEY = "handover";
/** Name of the record of own stickers. */
export const STICKERS_KEY = "stickers";

/** A picture that people give themselves, and when they chose it. */
export interface ChosenPicture {
  /** Names the bytes: the first 16 hex digits of their SHA-256; "" when the picture was taken back. */
  readonly mark: string;
  /** Milliseconds since 1970, the author's clock. */
  readonly at: number;
}

export interface MessageRecord extends PaymentFields {
  readonly conversation: ConversationId;
  readonly id: MessageId;
  readonly direction: "in" | "out";
  /** Who wrote it, for messages of others in a group. */
  readonly author?: PublicKeyHex;
  readonly at: number;
  readonly body: MessageBody;
  /** In a group that of the member with whom it is least far. */
  readonly state: OutgoingState | null;
  /** One's own message in a group: how far it is with each of those it was written to. */
  readonly deliveries?: Readonly<Record<PublicKeyHex, OutgoingState>>;
  /** One's own message between two: when this device learned how far it is, milliseconds since 1970. */
  readonly reached?: ChatMessage["reached"];
  readonly problem: MessengerProblem | null;
  readonly isUnread: boolean;
  /** True for messages whose author knows this id, so that a receipt for it means something to them. */
  readonly hasReceipts: boolean;
  /** Hex of the body of a kind that this version does not know, for a later one. */
  readonly raw: string | null;
  /**
   * Of an answer that repeats no words: what it answers is gone here (`gone`), or too many others repeat them (`none`). Absent where it may:
   * then what it repeats goes with the message that it answers.
   */
  readonly quoted?: "gone" | "none";
  /** An answer that stays, to a message that is not here and may be one that disappears: what it repeats lies apart until that is known. */
  readonly isQuoteApart?: true;
  /** Number of the wording that is shown; absent for the first. */
  readonly revision?: number;
  /** When the wording that is shown came here; absent for the first. */
  readonly revisedAt?: number;
  /** Wordings before the one that is shown, the first one first. They go with the message and with its deletion. */
  readonly earlier?: readonly MessageWording[];
  /** The latest reaction of each author; "" where it was taken back. */
  readonly reactions?: Readonly<Record<PublicKeyHex, { readonly emoji: string; readonly at: number }>>;
  readonly expiry?: MessageExpiry;
  readonly transfer?: Transfer;
  /** Whether it is pinned for everyone in the chat, once anyone has done so. */
  readonly pin?: PinState;
  /** Whether the person at this desk starred it, once they have done so. */
  readonly star?: StarState;
  /** Of a poll: how people have voted. */
  readonly poll?: PollVotes;
  /** Of a call: who answered and how it ended, once it has. */
  readonly call?: CallRecord;
  /** When a message of another person came, milliseconds since 1970. */
  readonly arrivedAt?: number;
  /** It came later than its author's clock says. */
  readonly isLate?: true;
  /** Of another person: it came with the history of an own device, and not by itself so far. */
  readonly isRestored?: true;
  /** One's own message that a program ordered: its connection, and the hash of the order in hex. */
  readonly program?: { readonly connection: string; readonly order: string };
  /** One's own message that another own device is to send; it was transferred while it waited there. */
  readonly isElsewhere?: true;
  /** A large file, or one that is stored once: the device of its author that sent it, which is asked for chunks. */
  readonly holder?: X25519KeyHex;
  /** One's own message: the other own device that sent it, where this one learned of it by that. */
  readonly sentBy?: X25519KeyHex;
  /** One's own message: something of it left this device for one without a card, so a later thief of that one can open what was recorded. */
  readonly isOpenToTheft?: true;
}

/** When a message disappears. */
export interface MessageExpiry {
  readonly seconds: number;
  /** Milliseconds since 1970, the own clock: when it was read or, of one's own, handed in at mailboxes; null until then. */
  readonly startedAt: number | null;
  /** The same moment by the time of the chain, as this device knew it; earlier versions stored none. */
  readonly chainAt?: number;
}

/** Flags of a conversation, set by the person. */
export interface ChatFlags extends Omit<SyncChatBody, "kind" | "peer"> {
  /** When it was set: the latest holds, on all own devices. */
  readonly at: number;
}

/** A message with its key. */
export interface StoredMessage {
  readonly key: MessageKey;
  readonly record: MessageRecord;
}

/** A message that was removed, as it was. */
export interface RemovedMessage extends StoredMessage {
  record: MessageRecord;
  /** Answers that lost what they repeated of it: those that stay, and those that have come since. */
  readonly answers: StoredMessage[];
}

/** Position of a message in its conversation: by time, then by key. */
export interface MessagePosition {
  readonly at: number;
  readonly key: MessageKey;
}

/** The newest message of a conversation; `expiresAt`: when it disappears, by the own clock. */
export interface LastMessage extends Pick<ChatMessage, "key" | "direction" | "author" | "at" | "body" | "state"> {
  readonly expiresAt?: number;
  /** Of one that disappears; earlier versions stored none. */
  readonly expiry?: MessageExpiry;
}

export interface ConversationRecord {
  readonly id: ConversationId;
  readonly unread: number;
  readonly lastMessage: LastMessage | null;
  readonly draft: string;
  /** What is known of the group of this conversation. */
  readonly group?: GroupRecord;
  /** Something was sent to this peer, from any own device: no stranger any more. */
  readonly hasSent: boolean;
  readonly updatedAt: number;
  readonly flags?: ChatFlags;
  /** Messages that are pinned, in the order in which they were. */
  readonly pins?: readonly Pin[];
  /** Messages that are starred, the oldest first. */
  readonly stars?: readonly Star[];
  /** Unread messages that name the person at this desk, the latest {@link MAX_STORED_MENTIONS}. */
  readonly mentions?: readonly MessageKey[];
  /** Requests of the other person for money that were neither answered nor closed, the latest {@link MAX_STORED_ASKS}, the oldest first. */
  readonly asks?: readonly MessagePosition[];
  /** Time until messages disappear, and when that was chosen: the latest holds. */
  readonly timer?: { readonly seconds: number; readonly at: number };
}

/** Open requests for money of which a conversation knows. */
export const MAX_STORED_ASKS = 32;
/** Unread mentions of which a conversation knows. */
export const MAX_STORED_MENTIONS = 64;

/** Bodies that are shown in a chat as messages of one's own. */
export type MessageContent = Extract<MessageBody, Pick<BodyOf<MessageRole>, "kind">>;

/** What a device sends to one's peer and own other devices. */
export type SendTask =
  | {
      readonly kind: "message";
      readonly key: MessageKey;
      readonly id: MessageId;
      readonly at: number;
      readonly body: MessageContent;
      readonly expiresInS?: number;
      readonly group?: GroupReference;
    }
  /** A part of the file of a message; its bytes lie in the store. With `device` it is for that one alone, which asked for it. */
  | {
      readonly kind: "chunk";
      readonly key: MessageKey;
      readonly id: MessageId;
      readonly index: number;
      readonly group?: GroupReference;
      readonly device?: X25519KeyHex;
    }
  /** Asks a device for chunks of a large file. */
  | {
      readonly kind: "fileAsk";
      readonly device: X25519KeyHex;
      readonly id: MessageId;
      readonly chunks: readonly number[];
      readonly stored?: boolean;
    }
  /** The device that stored a file once learns that this one has it. */
  | { readonly kind: "fileGot"; readonly device: X25519KeyHex; readonly id: MessageId }
  /** A device that asked learns that the file is not here any more. */
  | { readonly kind: "fileGone"; readonly device: X25519KeyHex; readonly id: MessageId }
  | {
      readonly kind: "amendment";
      readonly id: MessageId;
      readonly at: number;
      readonly body: AmendmentBody;
      readonly group?: GroupReference;
      /** Of a message that disappears. */
      readonly isFading?: true;
    }
  /** About the group itself. */
  | {
      readonly kind: "group";
      readonly id: MessageId;
      readonly at: number;
      readonly body: BodyOf<"group" | "groupRequest">;
      readonly group: GroupReference;
      /** Hash of the picture that goes along, where it is still that of the group. */
      readonly picture?: string;
    }
  /** A request to be let into a group by an invite link, and the answer that it lets one in no more. */
  | { readonly kind: "join"; readonly id: MessageId; readonly at: number; readonly body: BodyOf<"join" | "refusal"> }
  /** To one's own other devices: an invite link with its secret. */
  | { readonly kind: "inviteLink"; readonly id: MessageId; readonly at: number; readonly text: string; readonly group: GroupReference }
  /** One's own name, and which picture: to a contact, or to one's own other devices alone. */
  | {
      readonly kind: "profile";
      readonly id: MessageId;
      readonly at: number;
      readonly name: string;
      readonly picture?: ChosenPicture;
    }
  | { readonly kind: "receipt"; readonly status: "delivered" | "read"; readonly ids: readonly MessageId[] }
  | { readonly kind: "readMark"; readonly ids: readonly MessageId[] }
  /** Up to which position a device was written to in version 1. */
  | { readonly kind: "prompt"; readonly device: X25519KeyHex; readonly stream: string; readonly upTo: number }
  | { readonly kind: "chatFlags"; readonly id: MessageId; readonly flags: ChatFlags; readonly group?: GroupReference }
  /** To one's own other devices. */
  | {
      readonly kind: "star";
      readonly id: MessageId;
      readonly at: number;
      readonly star: Pick<SyncStarBody, "to" | "isStarred">;
      readonly group?: GroupReference;
    }
  | { readonly kind: "folders"; readonly id: MessageId; readonly at: number; readonly folders: readonly ChatFolder[] }
  | { readonly kind: "notes"; readonly id: MessageId; readonly at: number; readonly notes: readonly Note[] }
  | { readonly kind: "sticker"; readonly id: MessageId; readonly at: number; readonly sticker: Omit<SyncStickerBody, "kind" | "data"> };

/** What all in a conversation get. */
export type SharedTask = Extract<SendTask, { readonly kind: "message" | "chunk" | "amendment" }>;

/** What is still to be sent. Tasks of sending again go to one device, outside of the chain or under their former sequence number. */
export type OutboxTask =
  | SendTask
  | { readonly kind: "again"; readonly device: X25519KeyHex; readonly position: number; readonly sent: SentRecord }
  | { readonly kind: "ask"; readonly device: X25519KeyHex; readonly stream: string; readonly positions: readonly number[] }
  | { readonly kind: "gone"; readonly device: X25519KeyHex; readonly stream: string; readonly positions: readonly number[] };

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
  /** Sequence numbers in the sender chains to the devices, once assigned. */
  readonly places?: Readonly<Record<X25519KeyHex, number>>;
  /** Positions in the chains of pairs with devices, once given: what has one there leaves under that, also where it has one among `places`. */
  readonly given?: Readonly<Record<X25519KeyHex, GivenPlace>>;
  /** Nothing of it leaves before, by the own clock: a receipt waits some random seconds. Only what is left of that counts after a restart. */
  readonly leavesAt?: number;
  /** Devices that get theirs some random seconds after the first one, and when, likewise. */
  readonly later?: Readonly<Record<X25519KeyHex, number>>;
  /** Why an earlier attempt reached no device of the peer, though others are still to get it. */
  readonly unreached?: { readonly isRefused: boolean; readonly problem: MessengerProblem };
}

/** Position of a content in the chain of a pair. Under another instance of this device it has another one, and the same id. */
export interface GivenPlace {
  readonly id: MessageId;
  readonly instance: string;
  readonly position: number;
}

/** Something that was sent, stored for a while in case a device asks for it again. */
export interface SentRecord {
  readonly peer: PublicKeyHex;
  readonly task: SendTask;
  /** Its words are those of the message in the store: a message that is gone there is gone here. Absent in records of earlier versions. */
  readonly isReference?: true;
  /** In the chain of a pair: the id of the content. */
  readonly id?: MessageId;
}

/** What has come in one sender chain of another device. */
export interface StreamRecord {
  readonly peer: PublicKeyHex;
  readonly device: X25519KeyHex;
  readonly stream: string;
  /** Acknowledged up to this position: everything before has come, or was given up. */
  readonly upTo: number;
  /** Positions beyond that have come, ascending. */
  readonly ahead: readonly number[];
  /** The last position that is known to be given, where its device said so. */
  readonly announced?: number;
  /** When the gap was first seen, and how often it was asked for; null without a gap. */
  readonly gap: { readonly since: number; readonly asks: number; readonly nextAskAt: number } | null;
  /** When it changed last, by the own clock; earlier versions stored none. */
  readonly seenAt?: number;
}

/** Contact lists as last seen, so that blocks hold while the node cannot be reached. */
export interface ContactsRecord {
  readonly accepted: readonly PublicKeyHex[];
  /** Requests to this identity that wait for an answer. */
  readonly pending?: readonly PublicKeyHex[];
  readonly blocked: readonly PublicKeyHex[];
}

/** A message as the interface shows it to `me`. */
export function chatMessageOf({ key, record }: StoredMessage, me: PublicKeyHex): ChatMessage {
  const {
    id,
    direction,
    author,
    at,
    body,
    state,
    problem,
    revision,
    expiry,
    transfer,
    deliveries,
    reached = NOT_REACHED,
    arrivedAt = null,
    isElsewhere: isOnOtherDevice = false,
    sentBy = null,
  } = record;
  const startedAt = expiry?.startedAt ?? null;
  return {
    key,
    id,
    direction,
    author: body.kind === "group.note" ? null : (author ?? null),
    at,
    body,
    state,
    problem,
    isEdited: revision !== undefined,
    wordings: wordingsOf(record),
    reached,
    arrivedAt,
    cameLateAt: record.isLate === true ? arrivedAt : null,
    reactions: reactionsOf(record, me),
    expiresAt: expiry === undefined || startedAt === null ? null : startedAt + expiry.seconds * 1000,
    expiresInS: expiry?.seconds ?? null,
    deliveries: deliveries === undefined ? null : Object.entries(deliveries).map(([person, state]) => ({ person, state })),
    isUnread: record.isUnread,
    transfer: transfer ?? null,
    payment: storedPaymentOf(record, authorOf(record, me), me),
    isPinned: record.pin?.isPinned === true,
    isStarred: record.star?.isStarred === true,
    poll: body.kind === "poll" ? pollResult(record.poll) : null,
    call: body.kind === "call.offer" ? (record.call ?? NO_CALL) : null,
    program: record.program?.connection ?? null,
    sentBy,
    isOpenToTheft: record.isOpenToTheft === true,
    isAnswerToGone: record.quoted === "gone",
    isOnOtherDevice: isOnOtherDevice && (state === "queued" || state === "failed"),
  };
}

/** Wordings of a message with the one that is shown. */
function wordingsOf({ at, arrivedAt, body, revision, revisedAt, earlier }: MessageRecord): readonly MessageWording[] | null {
  if (earlier === undefined || !("text" in body)) return null;
  const worded = "mentions" in body ? mentioningText(body.text, body.mentions) : { text: body.text };
  return [...earlier, { ...worded, revision: revision ?? 0, at: revisedAt ?? arrivedAt ?? at }];
}

/** Master key of the author of a message (for an unknown sender, the id of the conversation). */
export function authorOf(
  { direction, author, conversation }: Pick<MessageRecord, "direction" | "author" | "conversation">,
  me: PublicKeyHex,
): string {
  return author ?? (direction === "out" ? me : conversation);
}

/** True for a message of a group that names a person. */
export function namesPerson({ conversation, body }: Pick<MessageRecord, "conversation" | "body">, person: PublicKeyHex): boolean {
  if (groupOf(conversation) === undefined || !("mentions" in body)) return false;
  return body.mentions?.some((mention) => mention.person === person) === true;
}

const NOT_REACHED: ChatMessage["reached"] = {};
const NO_CALL: CallRecord = {};
const NO_REACTIONS: readonly Reaction[] = [];

/** Reactions by emoji, the most frequent first. */
function reactionsOf({ reactions }: MessageRecord, me: PublicKeyHex): readonly Reaction[] {
  if (reactions === undefined) return NO_REACTIONS;
  const counts = new Map<string, Reaction>();
  for (const [author, { emoji }] of Object.entries(reactions)) {
    if (emoji === "") continue;
    const { count, isMine } = counts.get(emoji) ?? { count: 0, isMine: false };
    counts.set(emoji, { emoji, count: count + 1, isMine: isMine || author === me });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
}

/** Bytes of the id of a message, and of a group. */
export const ID_BYTES = 16;

export function newId(random: RandomBytes): MessageId {
  return toHex(random(ID_BYTES));
}

const FRACTIONS = 4_096;

/**
 * Sort key of a message: what was written in the same millisecond is ordered by the id, so that all devices agree.
 * The fraction is as fine as a time in milliseconds leaves room for.
 */
export function orderedAt(at: number, id: MessageId): number {
  return Math.floor(at) + (Number.parseInt(id.slice(0, 8), 16) % FRACTIONS) / FRACTIONS;
}

/** Negative when `a` sorts before `b`. */
export function comparePositions(a: MessagePosition, b: MessagePosition): number {
  if (a.at !== b.at) return a.at - b.at;
  return a.key < b.key ? -1 : Number(a.key > b.key);
}
