// Conversations and groups as the interface sees them.

import { type EmojiChoices, NO_EMOJI_CHOICES } from "#shared/content/chat/emoji-choices.ts";
import type { ChatFolder } from "#shared/content/chat/folder-content.ts";
import { NO_NOTES, type NotesRecord } from "#shared/content/chat/note-content.ts";
import type { Pin } from "#shared/content/chat/pin-content.ts";
import type { PayRequestBody } from "#shared/content/pay-content.ts";
import type { Checkpoint } from "#shared/protocol/chain/checkpoint.ts";
import type { HashHex } from "#shared/protocol/chain/header.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Observable } from "#shared/util/value-store.ts";
import type { AskedLink } from "./asked-links.ts";
import type { DeviceTransferView, UnfinishedLink } from "./device-transfer.ts";
import type { InviteLinkRecord } from "./group-state.ts";
import type { ChatMessage, ConversationId, MessageBody, MessageKey, MessengerProblem, ScheduledMessage } from "./message.ts";

/** A group as it is shown. */
export interface GroupSummary {
  readonly name: string;
  /** Names its picture; "" for none, while its bytes have not come, and in a request. */
  readonly picture: string;
  /** Its owner; once they have left, the admin who joined first. */
  readonly admin: PublicKeyHex;
  /** Who alone names admins; null once they have left. */
  readonly owner: PublicKeyHex | null;
  /** Whom its owner makes the next one, once the chain has it, and since when, milliseconds since 1970; null for no one. */
  readonly successor: { readonly person: PublicKeyHex; readonly at: number } | null;
  /** Members who may change it besides the owner. */
  readonly admins: readonly PublicKeyHex[];
  /** Those who came first first. */
  readonly members: readonly PublicKeyHex[];
  /** False once one has left or was removed. */
  readonly isMember: boolean;
  /** So many changes are stored that soon no further ones can be, unless its owner's device replaces them. */
  readonly hasLittleRoom: boolean;
  /** Invite links that were not withdrawn, by key; {@link isLinkOpen} says which of them let people in. */
  readonly links: readonly InviteLink[];
}

/** An invite link of a group as it is shown. */
export interface InviteLink extends InviteLinkRecord {
  /** The link itself, on devices of who made it; else null. */
  readonly text: string | null;
}

/** A request for money, and the chat that it is in. */
export interface AskingMessage {
  readonly conversation: ConversationId;
  readonly message: ChatMessage;
  readonly body: PayRequestBody;
}

/** True for a link that lets people in: its time is not over, and not all have come. */
export function isLinkOpen({ until, uses, used }: InviteLinkRecord, nowMs: number): boolean {
  return nowMs <= until && used < uses;
}

/** One row of the conversation list. */
export interface ConversationSummary {
  readonly id: ConversationId;
  readonly kind: "person" | "self" | "group" | "unknown";
  /** Master key of the other person (one's own for `self`), null for a group and an unknown sender. */
  readonly peer: PublicKeyHex | null;
  /** Device key of an unknown sender, else null. */
  readonly devicePub: X25519KeyHex | null;
  /** The group, else null. */
  readonly group: GroupSummary | null;
  /** From a person (or a group of an admin) who is no accepted contact and to whom nothing was sent: shown apart, sends no receipts. */
  readonly isRequest: boolean;
  readonly isBlocked: boolean;
  readonly unread: number;
  readonly lastMessage:
    | (Pick<ChatMessage, "direction" | "author" | "at" | "body" | "state"> & Partial<Pick<ChatMessage, "expiresAt">>)
    | null;
  readonly draft: string;
  readonly isTyping: boolean;
  readonly isPinned: boolean;
  readonly isArchived: boolean;
  /** Milliseconds since 1970 until which it rings no bell; 0 for not muted. */
  readonly mutedUntil: number;
  /** True where mentions ring no bell either while it is muted. */
  readonly mutesMentions: boolean;
  /** Unread messages that name the person at this desk. */
  readonly mentions: number;
  /** The person has marked it as unread. */
  readonly isMarkedUnread: boolean;
  /** Ids of the folders that it is in; some may be gone. */
  readonly folders: readonly string[];
  /** Seconds from reading until messages disappear; 0: they stay. */
  readonly expiresInS: number;
  /** Messages that are pinned for everyone, in the order in which they were. */
  readonly pins: readonly Pin[];
  /** Requests of the other person for money that wait for an answer; none in a request of a stranger. */
  readonly asks: number;
  /** Time of the last message, or of the draft; the list is sorted by it, newest first. */
  readonly updatedAt: number;
}

/** Unread messages of which one is notified: of a muted chat those that name the person at this desk, unless that is muted too. */
export function ringingIn(
  { unread, mentions, mutedUntil, mutesMentions }: Pick<ConversationSummary, "unread" | "mentions" | "mutedUntil" | "mutesMentions">,
  nowMs: number,
): number {
  if (mutedUntil <= nowMs) return unread;
  return mutesMentions ? 0 : mentions;
}

/** What a chat adds to the count of all: the messages that ring, or one where it is marked as unread. */
export function countedIn(conversation: ConversationSummary, nowMs: number): number {
  const { isRequest, isMarkedUnread, mutedUntil } = conversation;
  if (isRequest) return 0;
  return Math.max(ringingIn(conversation, nowMs), Number(isMarkedUnread && mutedUntil <= nowMs));
}

/** Loaded part of one chat. */
export interface ConversationSnapshot {
  /** Oldest first, without gaps. */
  readonly messages: readonly ChatMessage[];
  /** Let go of, but still known: the newest ones, receipts of payments, what is unread or held. Oldest first, none of `messages`. */
  readonly apart: readonly ChatMessage[];
  /** The newest message of the chat, also while it is not among `messages`. */
  readonly newest: ChatMessage | undefined;
  readonly hasOlder: boolean;
  /** Newer ones were let go of. */
  readonly hasNewer: boolean;
  readonly isLoading: boolean;
}

/** An open chat. */
export interface ConversationView extends Observable<ConversationSnapshot> {
  readonly id: ConversationId;
  /** Loads one more page of older messages. With `keep`, at most so many stay then, and the newest are let go of. */
  loadOlder(keep?: number): Promise<void>;
  /** Loads one more page of newer messages that were let go of. With `keep`, at most so many stay then, and the oldest are let go of. */
  loadNewer(keep?: number): Promise<void>;
  /** Loads back to a time, milliseconds since 1970, from the newest where the time is beyond what is loaded; `keep` as above. */
  loadBack(at: number, keep?: number): Promise<void>;
  /** Returns to the newest messages, and lets go of what was loaded in between. */
  loadNewest(): Promise<void>;
  /** These stay known when they are let go of, until others are named. */
  hold(keys: ReadonlySet<MessageKey>): void;
  /** While visible, arriving messages count as read and read receipts are sent. */
  setVisible(isVisible: boolean): void;
  close(): void;
}

export interface FoundMessage {
  readonly key: MessageKey;
  readonly conversation: ConversationId;
  readonly direction: "in" | "out";
  readonly author: PublicKeyHex | null;
  readonly at: number;
  readonly body: MessageBody;
}

/** The message that names a payment. */
export interface PaymentReceipt extends Pick<ChatMessage, "key" | "at"> {
  readonly conversation: ConversationId;
  /** Words of the payer, which are not on the chain; "" for none. */
  readonly note: string;
}

/** A message that the person at this desk has starred. */
export interface StarredMessage {
  readonly conversation: ConversationId;
  readonly message: ChatMessage;
}

export interface SharedFiles {
  /** Newest first. */
  readonly messages: readonly ChatMessage[];
  /** Where the search continues; null at the beginning of the conversation. */
  readonly next: Pick<ChatMessage, "at" | "key"> | null;
}

/** Settings that the person chooses. */
export interface MessengerSettings {
  readonly sendReadReceipts: boolean;
  /** Opt-in: send and show typing. */
  readonly typing: boolean;
}

/**
 * - `idle`: not started, or stopped.
 * - `starting`: opening the local store.
 * - `running`: sending and receiving.
 * - `otherTab`: another tab of this browser runs the messenger; this one takes over by itself when that one closes.
 * - `failed`: the local store cannot be used; `problem` says why. Nothing was reset.
 */
export type MessengerPhase = "idle" | "starting" | "running" | "otherTab" | "failed";

/** A block that a contact's node knows: a witness of the chain that the own node's peers did not choose. */
export interface BlockReport extends Checkpoint {
  readonly person: PublicKeyHex;
  /** When it arrived, milliseconds since 1970 by this device's clock. */
  readonly at: number;
  /** Hash of the own node's block of that height; null while it has none. */
  readonly ownHash: HashHex | null;
}

/** Key of such reports in the store. */
export const BLOCK_REPORTS_KEY = "block reports";

/** True when the two nodes know different blocks of one height: one of them follows a false chain, or the contact's program lies. */
export function isContradiction({ hash, ownHash }: BlockReport): boolean {
  return ownHash !== null && ownHash !== hash;
}

/** Whole state of the messenger. */
export interface MessengerSnapshot {
  readonly phase: MessengerPhase;
  readonly problem: MessengerProblem | null;
  readonly isOnline: boolean;
  /** Whether the chain lists this device, so that others can verify its messages; null until known. Sending waits for it. */
  readonly isDevicePublished: boolean | null;
  readonly conversations: readonly ConversationSummary[];
  /** Folders of conversations, in their order. */
  readonly folders: readonly ChatFolder[];
  /** What the person has noted about others and own devices. */
  readonly notes: NotesRecord;
  /** Emoji used last on this device, and the skin tone. */
  readonly emoji: EmojiChoices;
  /** How often own stickers have changed since the messenger was started: they are read apart. */
  readonly stickerChanges: number;
  /** Unread messages outside requests, muted and blocked conversations. */
  readonly totalUnread: number;
  /** Messages that wait for their time, the earliest first. */
  readonly scheduled: readonly ScheduledMessage[];
  /** Invite links by which this person has asked to be let into groups. */
  readonly askedLinks: readonly AskedLink[];
  /** Messages waiting in the outbox. */
  readonly queued: number;
  /** The name that one goes by among contacts; "" for none. */
  readonly profileName: string;
  /** Names that people one is in touch with go by, as they say. Anyone may choose any name: the address says who it is. */
  readonly profileNames: Readonly<Record<PublicKeyHex, string>>;
  /** Names the own picture among contacts; "" for none. */
  readonly profilePicture: string;
  /** Names the pictures that people one is in touch with gave themselves; another text is another picture. */
  readonly profilePictures: Readonly<Record<PublicKeyHex, string>>;
  /** The transfer to or from another own device that is running, or ran since the start. */
  readonly deviceTransfer: DeviceTransferView | null;
  /** Devices that this one has linked and that never sent anything: their keys are probably lost. */
  readonly unfinishedLinks: readonly UnfinishedLink[];
  /** The newest block that the node of each contact reported, and whether it is one of the own node's chain. */
  readonly blockReports: readonly BlockReport[];
  /** People whose devices changed since their user last saw to it, and when that was noticed, milliseconds since 1970. */
  readonly deviceChanges: readonly { readonly person: PublicKeyHex; readonly at: number }[];
  /** People who have a device to which something was last sealed without any card: who steals that device later opens what was recorded. */
  readonly openToTheft: readonly PublicKeyHex[];
  /** People with a device that counts as theirs though nothing has proven it: neither the chain's history nor a signature that was shown. */
  readonly uncheckedDevices: readonly PublicKeyHex[];
  /** An own device, still listed, shows keys that it cannot have made: its secrets are in two places, or were set back. */
  readonly isOwnDeviceCopied: boolean;
  /** What was noticed of the store on this disk, until the person has seen to it: someone may have put an older state there. */
  readonly storeFindings: readonly ("records" | "store" | "vault" | "messages" | "device")[];
  /** Local records that could not be decrypted; they are left as they are. */
  readonly damagedRecords: number;
  /** Envelopes dropped since start: not openable, or naming another sender, recipient or network than they came with. */
  readonly droppedEnvelopes: number;
  /** Mail waits in mailboxes that a later version of the program reads. */
  readonly needsUpdate: boolean;
}

/** A messenger that does nothing: nothing is known, nothing waits. */
export const IDLE_SNAPSHOT: MessengerSnapshot = {
  phase: "idle",
  problem: null,
  isOnline: false,
  isDevicePublished: null,
  conversations: [],
  folders: [],
  notes: NO_NOTES,
  emoji: NO_EMOJI_CHOICES,
  stickerChanges: 0,
  totalUnread: 0,
  scheduled: [],
  askedLinks: [],
  queued: 0,
  profileName: "",
  profileNames: {},
  profilePicture: "",
  profilePictures: {},
  deviceTransfer: null,
  unfinishedLinks: [],
  blockReports: [],
  deviceChanges: [],
  openToTheft: [],
  uncheckedDevices: [],
  isOwnDeviceCopied: false,
  storeFindings: [],
  damagedRecords: 0,
  droppedEnvelopes: 0,
  needsUpdate: false,
};
