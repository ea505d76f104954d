// What is inside an envelope. A message is identified by its author's master key and a random id, never by time. The fields from,
// fromDevice, to and chainId bind it to its envelope: a NaCl box has no associated data, so they are inside and compared after opening.

import type { Checkpoint } from "#shared/protocol/chain/checkpoint.ts";
import type { SignedPrekey } from "#shared/protocol/mail/device-certificate.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { ShownCard } from "#shared/protocol/pairs/pair-card.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { CallAnswerBody, CallEndBody, CallOfferBody } from "./chat/call-content.ts";
import type { SyncFoldersBody } from "./chat/folder-content.ts";
import type { WrittenText } from "./chat/link-preview.ts";
import type { SyncNotesBody } from "./chat/note-content.ts";
import type { ProfilePicture } from "./chat/picture-content.ts";
import type { PinBody } from "./chat/pin-content.ts";
import type { PollBody, PollCloseBody, PollVoteBody } from "./chat/poll-content.ts";
import type { SyncStarBody } from "./chat/star-content.ts";
import type { SyncStickerBody } from "./chat/sticker-content.ts";
import type { Voice } from "./chat/voice-content.ts";
import type {
  GroupAskBody,
  GroupJoinBody,
  GroupLeaveBody,
  GroupReference,
  GroupRefusedBody,
  GroupStateBody,
  SyncLinkBody,
} from "./group-content.ts";
import type { PayCloseBody, PayReceiptBody, PayRequestBody, PayShareBody, PaySplitBody } from "./pay-content.ts";

/** Hex of the 16 random bytes of a message. */
export type MessageId = string;

/** Longest text of a message, UTF-8 bytes. */
export const MAX_TEXT_BYTES = 16_384;
/** Most message ids in one receipt or read mark. */
export const MAX_RECEIPT_IDS = 256;
/** Longest plain fallback of a kind, UTF-8 bytes. */
export const MAX_FALLBACK_BYTES = 1_024;
/** Longest name of a kind, characters. */
export const MAX_KIND_CHARS = 32;
/** Longest quotation of the message that a reply answers, UTF-8 bytes. */
export const MAX_QUOTE_BYTES = 512;
/** Longest reaction, UTF-8 bytes: one emoji with everything that can be joined to it. */
export const MAX_EMOJI_BYTES = 64;
/** Most versions of a text after the first. */
export const MAX_REVISIONS = 100;
/** Longest time until a message disappears, seconds: a year. */
export const MAX_EXPIRY_S = 31_536_000;
/** Largest file, bytes. */
export const MAX_FILE_BYTES = 100_000_000;
/** Largest file that is sent without being asked for, bytes; and the largest one that programs know which know no kind `file`. */
export const MAX_PUSHED_FILE_BYTES = 8_388_608;
/** Bytes of a file in one chunk; the last one may be shorter. */
export const CHUNK_BYTES = 170_000;
/** Most chunks of a file. */
export const MAX_CHUNKS = Math.ceil(MAX_FILE_BYTES / CHUNK_BYTES);
/** Most chunks of a file that is sent without being asked for. */
export const MAX_PUSHED_CHUNKS = Math.ceil(MAX_PUSHED_FILE_BYTES / CHUNK_BYTES);
/** Most chunks that one content asks for, and that wait for one device. */
export const MAX_ASKED_CHUNKS = 16;
/** Chunks of a file that is stored once in one mailbox: with what lies around them a mailbox holds so many, and room for as many again. */
export const CHUNKS_A_BOX = 200;
/** Most mailboxes of one file. */
export const MAX_FILE_BOXES = Math.ceil(MAX_CHUNKS / CHUNKS_A_BOX);
/** Bytes that the encryption adds to a chunk. */
export const CHUNK_OVERHEAD_BYTES = 16;
/** Longest name of a file, UTF-8 bytes. */
export const MAX_FILE_NAME_BYTES = 255;
/** Longest media type of a file, UTF-8 bytes. */
export const MAX_MEDIA_TYPE_BYTES = 127;
/** Largest small picture of an image, bytes. */
export const MAX_PREVIEW_BYTES = 12_288;
/** Largest side of an image, pixels. */
export const MAX_IMAGE_SIDE = 16_384;
/** Most positions that one request for sending again names. */
export const MAX_RESEND_POSITIONS = 64;

/** A message that another content speaks of. */
export interface MessageReference {
  readonly author: PublicKeyHex;
  readonly id: MessageId;
}

/** A message to read. */
export interface TextBody extends WrittenText {
  readonly kind: "text";
}

/** A text that answers a message. */
export interface ReplyBody extends WrittenText {
  readonly kind: "reply";
  readonly to: MessageReference;
  /** Beginning of the message that is answered, for those who do not have it; may be "". */
  readonly quote: string;
}

/** An emoji on a message, or taken back. The latest of one author holds. */
export interface ReactionBody {
  readonly kind: "reaction";
  readonly to: MessageReference;
  /** "" takes the reaction back. */
  readonly emoji: string;
}

/** A new wording of the author's own message; the highest revision holds. */
export interface EditBody extends WrittenText {
  readonly kind: "edit";
  readonly id: MessageId;
  /** From 1. */
  readonly revision: number;
}

/** The author takes a message back, for everyone. */
export interface DeleteBody {
  readonly kind: "delete";
  readonly id: MessageId;
}

/** Messages of this conversation disappear so long after they were read; 0 switches that off. */
export interface TimerBody {
  readonly kind: "timer";
  readonly seconds: number;
}

/** Says that a contact request was accepted. A hint, too. */
export interface ContactAcceptBody {
  readonly kind: "contact.accept";
}

/** A file. Its chunks come as contents of their own, under the id of this message. */
export interface AttachmentBody {
  readonly kind: "attachment";
  readonly name: string;
  /** Claimed media type. */
  readonly mediaType: string;
  /** Bytes, at least 1. */
  readonly size: number;
  /** Hex of the 32-byte key of this file alone. */
  readonly key: string;
  /** Hex of SHA-256 over the file. */
  readonly digest: string;
  /** Text below it; may be "". */
  readonly caption: string;
  /** For images: sides in pixels and a small picture. */
  readonly image: { readonly width: number; readonly height: number; readonly preview: Uint8Array } | null;
  /** For what was spoken into the program: how long it is, and how loud along the way. */
  readonly voice?: Voice;
  /** For a picture that is shown as a sticker: its emoji. */
  readonly sticker?: string;
  /** Where its chunks are stored once for all, {@link CHUNKS_A_BOX} in each mailbox; absent where each device is sent its own. */
  readonly boxes?: readonly X25519KeyHex[];
}

/** A file that is larger than {@link MAX_PUSHED_FILE_BYTES}: a device gets the chunks that it asks the author's device for. */
export interface LargeFileBody extends Omit<AttachmentBody, "kind" | "image" | "voice" | "sticker"> {
  readonly kind: "file";
}

/** Asks a device of the author for chunks of a large file. */
export interface FileAskBody {
  readonly kind: "file.ask";
  /** Id of the message with the file. */
  readonly id: MessageId;
  /** 1 to {@link MAX_ASKED_CHUNKS} numbers of chunks, from 0. */
  readonly chunks: readonly number[];
  /** The device that asks reads the mailboxes that the message names: the chunks may be stored there. */
  readonly stored?: boolean;
}

/** A device has the whole file of a message that is stored once: it needs that no more. */
export interface FileGotBody {
  readonly kind: "file.got";
  readonly id: MessageId;
}

/** The device that was asked does not have the file any more. */
export interface FileGoneBody {
  readonly kind: "file.gone";
  readonly id: MessageId;
}

/** The name that the author goes by. It shows nothing in the chat; the latest by the author's clock holds. */
export interface ProfileBody {
  readonly kind: "profile";
  /** "" takes it back. */
  readonly name: string;
  /** Where absent, nothing is said of it. */
  readonly picture?: ProfilePicture;
}

/** A part of a file, encrypted under the file's key. */
export interface ChunkBody {
  readonly kind: "attachment.chunk";
  /** Id of the message with the file. */
  readonly id: MessageId;
  /** From 0. */
  readonly index: number;
  readonly data: Uint8Array;
}

/** What happened to messages of the recipient of the receipt. */
export interface ReceiptBody {
  readonly kind: "receipt";
  readonly status: "delivered" | "read";
  readonly ids: readonly MessageId[];
}

/** Asks a device for contents that it sent to this one and that did not arrive. */
export interface ResendBody {
  readonly kind: "resend";
  /** Hex of the 8 bytes that identify the sender chain. */
  readonly stream: string;
  readonly positions: readonly number[];
}

/** Answers a request for contents that the device no longer has. */
export interface ResendGoneBody {
  readonly kind: "resend.gone";
  readonly stream: string;
  readonly positions: readonly number[];
  /** Between a pair: ids of those contents, without which the digest of what came cannot be continued. */
  readonly ids?: readonly MessageId[];
}

/** Nothing but what is around it: acknowledgements and cards of a pair of devices. Never answered. */
export interface MarkBody {
  readonly kind: "mark";
}

/** Something waits for the device until it shows a short-lived key that holds: everything in the sender chain up to a position. */
export interface ResendPromptBody {
  readonly kind: "knock";
  readonly stream: string;
  readonly upTo: number;
}

/** To one's own other devices: something that this device sent. */
export interface SyncSentBody {
  readonly kind: "sync.sent";
  /** Whom it was sent to; oneself for a note, and where the content names a group. */
  readonly peer: PublicKeyHex;
  readonly id: MessageId;
  readonly at: number;
  readonly body: SentBody | UnknownBody;
}

/** To one's own other devices: messages of the peer that were read here. */
export interface SyncReadBody {
  readonly kind: "sync.read";
  readonly peer: PublicKeyHex;
  readonly ids: readonly MessageId[];
}

/** To one's own other devices: flags of a conversation. The latest holds. */
export interface SyncChatBody {
  readonly kind: "sync.chat";
  readonly peer: PublicKeyHex;
  readonly isPinned: boolean;
  readonly isArchived: boolean;
  /** Milliseconds since 1970 until which it rings no bell; 0 for not muted. */
  readonly mutedUntil: number;
  /** Whether it rings none for mentions either while it is muted; absent from programs that do not know mentions. */
  readonly mutesMentions?: boolean;
  /** Whether the person marked it as unread; absent from programs that do not know that. */
  readonly isMarkedUnread?: boolean;
  /** Ids of the folders that it is in; absent from programs that do not know folders. */
  readonly folders?: readonly string[];
}

/** A kind of a later version: stored with its bytes, shown by its fallback. */
export interface UnknownBody {
  readonly kind: "unknown";
  readonly name: string;
  /** Plain text to show instead, or "". */
  readonly fallback: string;
  /** Deterministic CBOR of the body as it came. */
  readonly raw: Uint8Array;
}

/** Bodies that this version writes. */
export type KnownBody =
  | TextBody
  | ReplyBody
  | ReactionBody
  | EditBody
  | DeleteBody
  | TimerBody
  | PayRequestBody
  | PayReceiptBody
  | PayCloseBody
  | PaySplitBody
  | PayShareBody
  | PollBody
  | PollVoteBody
  | PollCloseBody
  | PinBody
  | CallOfferBody
  | CallAnswerBody
  | CallEndBody
  | ContactAcceptBody
  | AttachmentBody
  | LargeFileBody
  | ProfileBody
  | GroupStateBody
  | GroupLeaveBody
  | GroupAskBody
  | GroupJoinBody
  | GroupRefusedBody
  | ChunkBody
  | FileAskBody
  | FileGoneBody
  | FileGotBody
  | ReceiptBody
  | ResendBody
  | ResendGoneBody
  | ResendPromptBody
  | MarkBody
  | SyncSentBody
  | SyncReadBody
  | SyncChatBody
  | SyncStarBody
  | SyncFoldersBody
  | SyncNotesBody
  | SyncStickerBody
  | SyncLinkBody;

export type Kind = KnownBody["kind"];

/**
 * What each kind is for. Everything that is done with a kind hangs on its role here or on another record that names every kind, so that
 * one that is forgotten does not compile.
 * - `openMessage`: a message that is shown from anyone, also from a device that no identity lists.
 * - `message`: a message between two or in a group. `privateMessage`: between two only. `groupMessage`: in a group only.
 * - `amendment`: changes a message. `group`: changes a group.
 * - `resend`: about contents that did not arrive.
 */
export const KIND_ROLES = {
  text: "openMessage",
  reply: "openMessage",
  timer: "message",
  attachment: "message",
  file: "message",
  poll: "message",
  "pay.request": "privateMessage",
  "pay.receipt": "privateMessage",
  "pay.split": "groupMessage",
  "call.offer": "privateMessage",
  "contact.accept": "privateMessage",
  reaction: "amendment",
  edit: "amendment",
  delete: "amendment",
  "pay.close": "amendment",
  "pay.share": "amendment",
  "poll.vote": "amendment",
  "poll.close": "amendment",
  pin: "amendment",
  "call.answer": "amendment",
  "call.end": "amendment",
  "group.state": "group",
  "group.leave": "group",
  "group.ask": "groupRequest",
  "group.join": "join",
  "group.refused": "refusal",
  profile: "profile",
  "attachment.chunk": "chunk",
  "file.ask": "fileAsk",
  "file.gone": "fileGone",
  "file.got": "fileGot",
  receipt: "receipt",
  resend: "resend",
  "resend.gone": "resend",
  knock: "resend",
  mark: "mark",
  "sync.sent": "sent",
  "sync.read": "read",
  "sync.chat": "chat",
  "sync.star": "star",
  "sync.folders": "folders",
  "sync.notes": "notes",
  "sync.sticker": "sticker",
  "sync.link": "inviteLink",
} as const satisfies Readonly<Record<Kind, string>>;

export type KindRole = (typeof KIND_ROLES)[Kind];

/** Roles of what is shown in a chat as a message. */
export type MessageRole = "openMessage" | "message" | "privateMessage" | "groupMessage";

export type BodyOf<Role extends KindRole> = {
  readonly [K in Kind]: (typeof KIND_ROLES)[K] extends Role ? Extract<KnownBody, { readonly kind: K }> : never;
}[Kind];

/** Bodies that change a message. */
export type AmendmentBody = BodyOf<"amendment">;

/** Bodies that people send each other. */
export type ChatBody = BodyOf<MessageRole | "amendment">;

/** Bodies that change a group. */
export type GroupBody = BodyOf<"group">;

const SENT_ROLES = [
  "openMessage",
  "message",
  "privateMessage",
  "groupMessage",
  "amendment",
  "group",
  "profile",
] as const satisfies readonly KindRole[];

/** What is copied to one's own other devices when it was sent. */
export type SentBody = BodyOf<(typeof SENT_ROLES)[number]>;

/** Position of a content in the sender chain from one device to another: counted from 1 without gaps, so that a missing one is noticed. */
export interface StreamPosition {
  /** Hex of 8 random bytes: a device that lost its store begins another chain. */
  readonly stream: string;
  readonly position: number;
}

/** A card, and the instance of the device that drew it. */
export interface InstanceCard {
  /** Hex of 8 bytes. */
  readonly instance: string;
  readonly card: ShownCard;
}

/** Everything around a body. */
export interface ContentFrame {
  readonly id: MessageId;
  readonly from: PublicKeyHex;
  readonly fromDevice: X25519KeyHex;
  readonly to: PublicKeyHex;
  readonly chainId: string;
  /** Milliseconds since 1970, the sender's clock. */
  readonly at: number;
  /** Seconds from reading until the message disappears. */
  readonly expiresInS?: number;
  /** The conversation is this group; without it, the author and the recipient. */
  readonly group?: GroupReference;
  /** Of the log of that group, as far as the author knows it: hashes of its last entries. */
  readonly heads?: readonly string[];
  readonly place?: StreamPosition;
  /** The sending device's newest epoch key. */
  readonly card?: SignedPrekey;
  /** A card of the sending device for this recipient's device: from then on it may seal to that. */
  readonly pairCard?: InstanceCard;
  /** A block that the sender's node knows as final, for contacts: its height and hash are a checkpoint. */
  readonly block?: Checkpoint;
}

/** One content as it is written. */
export interface OutgoingContent extends ContentFrame {
  readonly body: KnownBody;
}

/** One content as it is read. */
export interface IncomingContent extends ContentFrame {
  readonly body: KnownBody | UnknownBody;
}

/** What a plaintext turned out to be. */
export type DecodedPlaintext =
  | { readonly form: "content"; readonly content: IncomingContent }
  /** No content of ours: plain text of another program. */
  | { readonly form: "plain"; readonly text: string }
  /** Content of a later version, of which nothing can be read. */
  | { readonly form: "newer"; readonly version: number }
  | { readonly form: "invalid" };

/** True for a body of one of the roles. */
export function hasRole<Role extends KindRole>(body: KnownBody | UnknownBody, ...roles: readonly Role[]): body is BodyOf<Role> {
  return body.kind !== "unknown" && (roles as readonly KindRole[]).includes(KIND_ROLES[body.kind]);
}

/** True for what `sync.sent` may carry. */
export function isSentBody(body: KnownBody): body is SentBody {
  return hasRole(body, ...SENT_ROLES);
}
