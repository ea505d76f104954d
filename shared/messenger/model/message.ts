// A message as the interface sees it.

import type { CallRecord } from "#shared/content/chat/call-content.ts";
import type { WrittenText } from "#shared/content/chat/link-preview.ts";
import type { MentioningText } from "#shared/content/chat/mention-content.ts";
import type { PollResult } from "#shared/content/chat/poll-content.ts";
import type { Voice } from "#shared/content/chat/voice-content.ts";
import type { AttachmentBody, BodyOf, LargeFileBody, MessageId, MessageRole } from "#shared/content/content.ts";
import type { ErrorCode } from "#shared/errors/codes.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { ByteSource } from "#shared/util/byte-source.ts";

/**
 * A conversation: the peer's master key in hex, one's own for notes to self, `group:<id>` for a group, or `unknown:<x25519>` for a
 * sender without a proven identity.
 */
export type ConversationId = string;

/** Local key of a message: stable, unique, for lists and for retry. */
export type MessageKey = string;

/** Messages that wait for their time on one device, at most. */
export const MAX_SCHEDULED = 100;
/** UTF-8 bytes of their texts and previews, at most. */
export const MAX_SCHEDULED_BYTES = 262_144;
/** How far ahead a time may lie, ms. */
export const MAX_SCHEDULED_AHEAD_MS = 366 * 86_400_000;

/** Sealed copies of a scheduled message at the own node, which sends them where no program of the person does. */
export interface HeldCopies {
  /** Names them at the node: 32 random bytes in hex that no one else knows. */
  readonly name: string;
  /** X25519 key of the node that has them; "" while no node has confirmed that. */
  readonly relayPub: string;
  /** Some of them are for devices that had shown no card. */
  readonly isOpenToTheft?: true;
}

/** A message that waits for its time on this device. */
export interface ScheduledMessage extends WrittenText {
  /** The message has it when it leaves, whichever way that is. */
  readonly id: MessageId;
  readonly conversation: ConversationId;
  /** What it answers. */
  readonly replyTo?: MessageKey;
  /** Milliseconds since 1970, by this device's clock. */
  readonly dueAt: number;
  readonly writtenAt: number;
  /** A node has copies of it, or may have. */
  readonly held?: HeldCopies;
  /** It was deleted, and the node that has copies has not said yet that they are gone. */
  readonly isTakenBack?: true;
  /** Why it did not leave at its time: it waits for the person. */
  readonly problem: MessengerProblem | null;
}

/** What became of copies that are taken back: they left before, or the node that has them cannot be asked. */
export type TakenBack = "gone" | "left" | "unsure";

/** A device and whose it is. */
export interface DeviceOfPerson {
  readonly person: PublicKeyHex;
  readonly device: X25519KeyHex;
}

/** An error in code and words. The words are the node's or the engine's English; the code finds the words of the catalogue. */
export interface MessengerProblem {
  readonly code: ErrorCode;
  readonly message: string;
  /** The device that it is about, where it is about one of several. */
  readonly device?: DeviceOfPerson;
}

/** Words of a state and of two group events, as they are stored. */
export const NO_RECIPIENT = "nobody";
export const GROUP_CREATED = "made";
export const ADMIN_CHANGED = "kept";

/**
 * State of one's own message: `queued` (stored, waiting for the node), `relayed` (in a mailbox of the recipient), `delivered`, `read`,
 * `failed` (stored, with an error; `retry` tries again), `NO_RECIPIENT` (none of those it was written to is in the group any more).
 */
export type OutgoingState = "queued" | "relayed" | "delivered" | "read" | "failed" | typeof NO_RECIPIENT;

/** What a message says. */
export type MessageBody =
  /** What people write: the kinds that are messages, as they came. */
  | Exclude<BodyOf<MessageRole>, AttachmentBody | LargeFileBody>
  /** A file, large or small; `text` is shown below it. Key and digest are for reading it by {@link Messenger.readFile}. */
  | StoredAttachment
  /** What happened to the group. */
  | GroupNote
  /**
   * The devices of the person of this chat changed; `refused`: a node lists one that the person has not signed; `copied`: secrets of one
   * are in two places, or were set back; `unlisted`: mail of one was not taken, as it was not listed while that waited; `older`: as it was
   * in a form that this device does not write any more.
   */
  | { readonly kind: "device.note"; readonly event: "added" | "removed" | "refused" | "copied" | "unlisted" | "older" }
  /** Its author took it back. */
  | { readonly kind: "deleted" }
  /** So many contents of the sender's device never arrived, and it no longer has them. */
  | { readonly kind: "missing"; readonly count: number }
  /** Plain text of another program. */
  | { readonly kind: "plain"; readonly text: string }
  /** A kind that this version does not know; the fallback may be "". */
  | { readonly kind: "unsupported"; readonly name: string; readonly fallback: string }
  /** The local record cannot be decrypted. */
  | { readonly kind: "damaged" };

/** A change of a group. */
export interface GroupNote {
  readonly kind: "group.note";
  readonly event:
    | typeof GROUP_CREATED
    | "named"
    | "pictured"
    | "unpictured"
    | "added"
    | "removed"
    | "left"
    | typeof ADMIN_CHANGED
    | "adminNamed"
    | "adminEnded"
    /** The chain has it that the owner passed the group on. */
    | "ownerNamed"
    /** Came in by an invite link; is out again, as that did not hold any more. */
    | "joined"
    | "unadmitted"
    | "linkMade"
    | "linkWithdrawn"
    /** A change does not count: its author did not have the right to it any more. */
    | "void"
    /** The owner replaced earlier changes by a state of the group that is not what this device knows: it is not followed. */
    | "forked"
    /** This device has missed changes, and begins at a state of the group on the word of its owner. */
    | "moved"
    /** The invite link by which one came in called the group by another name. */
    | "claimed"
    /** Someone wrote who did not know of a removal: who was removed may have got it. */
    | "unaware";
  /**
   * Who created it, owns it now, is its admin now or no longer, was added or removed, joined, left, made or withdrew a link, or changed its
   * picture; else who wrote. Null for a name.
   */
  readonly person: PublicKeyHex | null;
  /** The new name, else "". */
  readonly name: string;
}

/** A file as it is announced, in a form that can be stored. */
export interface StoredAttachment extends Omit<AttachmentBody, "image"> {
  /** The small picture in base64. */
  readonly image: { readonly width: number; readonly height: number; readonly preview: string } | null;
}

/** A file to be sent, its bytes in memory or read part by part. The caller has stripped what it says about its origin. */
export interface OutgoingFile<Bytes extends Uint8Array | ByteSource = Uint8Array> {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Bytes;
  readonly caption: string;
  readonly image: AttachmentBody["image"];
  readonly voice?: Voice;
  /** For a picture that is to be shown as a sticker: its emoji. */
  readonly sticker?: string;
}

/** Chunks of a file that are here, or that were sent from here. */
export interface Transfer {
  readonly done: number;
  readonly total: number;
  /**
   * While some are missing, where they come from: another own device, which sends the file or sent it; a history, which may lack them; the
   * chosen file, which is copied into the store before anything of it is sent; the device that sent a large file, which is asked for them,
   * or which has said that the file is gone there.
   */
  readonly from?: "device" | "history" | "copy" | "sender" | "gone";
  /** Of a large file: the person wants it, and its chunks are asked for. */
  readonly isAsked?: true;
  /** Of one's own large file: someone downloads it, and the node takes no more of files today. */
  readonly isHeldUp?: true;
}

/** A file that is read part by part. */
export interface FileParts {
  /** Bytes. */
  readonly size: number;
  readonly parts: AsyncIterable<Uint8Array>;
}

/** One emoji on a message. */
export interface Reaction {
  readonly emoji: string;
  readonly count: number;
  readonly isMine: boolean;
}

/** One wording of a message. */
export interface MessageWording extends MentioningText {
  /** 0 for the first. */
  readonly revision: number;
  /** When it came to this device, or was written on an own one, milliseconds since 1970. */
  readonly at: number;
}

/**
 * What is known of a signed payment before a node took it: `unsent` (no node was given it), `handed` (given to a node, which has not
 * answered: only the same payment may be tried again), `refused` (no node has it), `expired` (it can no longer enter a block).
 */
export type PaymentFate =
  | { readonly kind: "unsent" | "handed" | "expired" }
  | { readonly kind: "refused"; readonly problem: MessengerProblem };

/** A payment that was signed in a chat; with its own receipt in the store until a node has it. */
export interface HeldPayment {
  readonly transaction: Transaction;
  /** Key of the request that it answers, or null. */
  readonly request: MessageKey | null;
  readonly fate: PaymentFate;
}

/** What the store knows of a request or a receipt. What the chain says of it is not here. */
export interface StoredPayment {
  /** Of a request: its author cancelled it, or the one who was asked declined. What both did is cancelled. */
  readonly closed: "cancelled" | "declined" | null;
  /** Of a request to oneself: id of the latest own payment for it, from any own device. */
  readonly ownTxId: string | null;
  /** When that was signed, milliseconds since 1970. */
  readonly ownPaidAt: number | null;
  /** Of an own receipt: the payment, while no node is known to have it. */
  readonly held: HeldPayment | null;
  /** Of a bill: payments that people name for their shares, by their keys, the first one first. */
  readonly shareClaims: Readonly<Record<PublicKeyHex, readonly { readonly txId: string; readonly at: number }[]>>;
}

export interface ChatMessage {
  readonly key: MessageKey;
  /** What other messages name it by. */
  readonly id: MessageId;
  readonly direction: "in" | "out";
  /** Who wrote it, in a group; null for one's own and in conversations of two. */
  readonly author: PublicKeyHex | null;
  /** Milliseconds since 1970 with a fraction, the author's clock; at most ten minutes after the moment of arrival. */
  readonly at: number;
  readonly body: MessageBody;
  /** Null for messages of others. */
  readonly state: OutgoingState | null;
  /** Why the last attempt did not work; set while `queued` after a failed attempt and while `failed`. */
  readonly problem: MessengerProblem | null;
  /** One's own message between two: when this device learned that it was in the mailbox, delivered and read. */
  readonly reached: Readonly<Partial<Record<"relayed" | "delivered" | "read", number>>>;
  /** When a message of another person came, milliseconds since 1970; null for one's own and where that is not known. */
  readonly arrivedAt: number | null;
  readonly isEdited: boolean;
  /** Of an answer: the message that it answers was here, and is gone. */
  readonly isAnswerToGone?: boolean;
  /** All wordings that are known, the shown one last; null for a message that was not changed. */
  readonly wordings: readonly MessageWording[] | null;
  /** When it came, milliseconds since 1970, where that was later than it claims; null otherwise. */
  readonly cameLateAt: number | null;
  readonly reactions: readonly Reaction[];
  /** When it disappears, milliseconds since 1970; null while the time does not run. */
  readonly expiresAt: number | null;
  /** Seconds from reading until it disappears; null when it stays. */
  readonly expiresInS: number | null;
  /** One's own message in a group: how far it is with each member; null otherwise. */
  readonly deliveries: readonly MemberDelivery[] | null;
  /** How much of its file has arrived or was sent; null without a file, and where none of it has come with the history. */
  readonly transfer: Transfer | null;
  /** Of a request for money and a receipt; null for others, and while nothing happened. */
  readonly payment: StoredPayment | null;
  /** Pinned for everyone in the chat. */
  readonly isPinned: boolean;
  /** Starred by the person at this desk, on all their devices. */
  readonly isStarred: boolean;
  /** Of a poll: who has chosen what. */
  readonly poll: PollResult | null;
  /** Of a call: what became of it. */
  readonly call: CallRecord | null;
  /** Id of the connection whose program wrote it on this device; null for what a person wrote. */
  readonly program: string | null;
  /** One's own message: the other own device that sent it, where that is known; null for what this device sent. */
  readonly sentBy: X25519KeyHex | null;
  /** One's own message: this device sealed it for one without a card, so a later thief of that one can open what was recorded. */
  readonly isOpenToTheft: boolean;
  /** It waits on another own device, which alone can send it. */
  readonly isOnOtherDevice: boolean;
  readonly isUnread: boolean;
}

/** How far a message is with one member of a group. */
export interface MemberDelivery {
  readonly person: PublicKeyHex;
  readonly state: OutgoingState;
}
