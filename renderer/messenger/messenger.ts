// The messenger as the interface sees it. No React in here: every store is an Observable for useSyncExternalStore.
//
//   const messenger = createMessenger(dependencies);        // create-messenger.ts; nothing happens yet
//   await messenger.start();                                // takes the lock, opens the store, fetches mail, resumes the outbox
//   const list = useSyncExternalStore(messenger.subscribe, messenger.getSnapshot).conversations;
//   const view = messenger.openConversation(peer);          // keep it in state; view.close() when the chat is left
//   const chat = useSyncExternalStore(view.subscribe, view.getSnapshot);
//   await view.loadOlder();                                 // at the top of the scroll area
//   view.setVisible(true);                                  // while the chat is on screen and the window has focus
//   await messenger.sendText(peer, "Hello");                // resolves once the message is stored, long before it is relayed
import type { AttachmentBody, MessageReference } from "#shared/content/content.ts";
import type { ErrorCode } from "#shared/errors/codes.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import type { AmountUt } from "#shared/protocol/amount.ts";
import type { X25519KeyHex } from "#shared/protocol/envelope.ts";
import type { HandoverInput } from "./handover.ts";
import type { Observable } from "./observable.ts";

/**
 * A conversation: the peer's master key in hex, one's own for notes to self, `group:<id>` for a group, or `unknown:<x25519>` for a
 * sender nobody vouches for.
 */
export type ConversationId = string;

/** Local key of a message: stable, unique, for lists and for retry. */
export type MessageKey = string;

/** An error in code and words. The words are the node's or the engine's English; the code finds the words of the catalogue. */
export interface MessengerProblem {
  readonly code: ErrorCode;
  readonly message: string;
}

/**
 * - `idle`: not started, or stopped.
 * - `starting`: opening the local store.
 * - `running`: sending and receiving.
 * - `otherTab`: another tab of this browser runs the messenger; this one takes over by itself when that one closes.
 * - `failed`: the local store cannot be used; `problem` says why. Nothing was reset.
 */
export type MessengerPhase = "idle" | "starting" | "running" | "otherTab" | "failed";

/**
 * State of one's own message: `queued` (stored, waiting for the node), `relayed` (in a mailbox of the recipient), `delivered`, `read`,
 * `failed` (kept, with an error; `retry` tries again), `nobody` (nobody else is in the group, or those it was written to left before
 * it was sent).
 */
export type OutgoingState = "queued" | "relayed" | "delivered" | "read" | "failed" | "nobody";

/** What a message says. */
export type MessageBody =
  | { readonly kind: "text"; readonly text: string }
  /** Answers a message; the quote is what the author saw of it. */
  | { readonly kind: "reply"; readonly text: string; readonly to: MessageReference; readonly quote: string }
  | { readonly kind: "pay.request"; readonly amountUt: AmountUt; readonly note: string }
  /** The author says they paid: whether they did, the chain says. */
  | { readonly kind: "pay.receipt"; readonly txId: string; readonly amountUt: AmountUt; readonly request: string | null }
  | { readonly kind: "contact.accept" }
  /** A file; `text` stands below it. Key and digest are for reading it by {@link Messenger.readFile}. */
  | StoredAttachment
  /** What happened to the group. */
  | GroupNote
  /** From here on messages disappear so long after reading; 0: no more. */
  | { readonly kind: "timer"; readonly seconds: number }
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
  /** `made` by a person, `named` so, a person `added`, `removed` or `left`, or the group is `kept` by a person from now on. */
  readonly event: "made" | "named" | "added" | "removed" | "left" | "kept";
  /** Whom it is about, null for a name. */
  readonly person: PublicKeyHex | null;
  /** The new name, else "". */
  readonly name: string;
}

/** A file as it is announced, in a form that can be stored. */
export interface StoredAttachment extends Omit<AttachmentBody, "image"> {
  /** The small picture in base64. */
  readonly image: { readonly width: number; readonly height: number; readonly preview: string } | null;
}

/** A file to be sent. Whoever hands it over has stripped what it says about its origin. */
export interface OutgoingFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  readonly caption: string;
  readonly image: AttachmentBody["image"];
}

/** Chunks of a file that are here, or that were sent from here. */
export interface Transfer {
  readonly done: number;
  readonly total: number;
  /** While some are missing: they come from another own device, which sends the file or sent it; or with a history, which may lack them. */
  readonly from?: "device" | "history";
}

/** One emoji on a message. */
export interface Reaction {
  readonly emoji: string;
  readonly count: number;
  readonly isMine: boolean;
}

/** One message of a chat. */
export interface ChatMessage {
  readonly key: MessageKey;
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
  readonly isEdited: boolean;
  readonly reactions: readonly Reaction[];
  /** When it disappears, milliseconds since 1970; null while the time does not run. */
  readonly expiresAt: number | null;
  /** Seconds from reading until it disappears; null when it stays. */
  readonly expiresInS: number | null;
  /** One's own message in a group: how far it is with each member; null elsewhere. */
  readonly deliveries: readonly MemberDelivery[] | null;
  /** How much of its file has arrived or was sent; null without a file, and where none of it has come with the history. */
  readonly transfer: Transfer | null;
  /** It waits on another own device, which alone can send it. */
  readonly isElsewhere: boolean;
}

/** How far a message is with one member of a group. */
export interface MemberDelivery {
  readonly person: PublicKeyHex;
  readonly state: OutgoingState;
}

/** A group as it is shown. */
export interface GroupSummary {
  readonly name: string;
  /** Who may change it. */
  readonly keeper: PublicKeyHex;
  /** Those who came first first. */
  readonly members: readonly PublicKeyHex[];
  /** False once one has left or was removed. */
  readonly isMember: boolean;
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
  /** From somebody (or kept by somebody) who is no accepted contact and to whom nothing was sent: shown apart, sends no receipts. */
  readonly isRequest: boolean;
  readonly isBlocked: boolean;
  readonly unread: number;
  readonly lastMessage: Pick<ChatMessage, "direction" | "author" | "at" | "body" | "state"> | null;
  readonly draft: string;
  readonly isTyping: boolean;
  readonly isPinned: boolean;
  readonly isArchived: boolean;
  /** Milliseconds since 1970 until which it rings no bell; 0 for not muted. */
  readonly mutedUntil: number;
  /** Seconds from reading until messages disappear; 0: they stay. */
  readonly expiresInS: number;
  /** Time of the last message, or of the draft; the list is sorted by it, newest first. */
  readonly updatedAt: number;
}

/** Handing history over between two own devices. */
export interface HandoverView {
  readonly role: "sending" | "receiving";
  readonly phase: "running" | "done" | "cancelled";
  /** The new device, where this one sends. */
  readonly deviceName: string | null;
  /** Messages and chunks of files; the total is 0 while it is unknown, and where only notes are handed over. */
  readonly done: number;
  readonly total: number;
  /** Why the last attempt did not work; it goes on by itself. */
  readonly problem: MessengerProblem | null;
}

/** A device that was let in and then left its linking before it had a password. */
export interface UnfinishedLink {
  readonly devicePub: X25519KeyHex;
  readonly name: string;
}

/** Whole state of the messenger. */
export interface MessengerSnapshot {
  readonly phase: MessengerPhase;
  readonly problem: MessengerProblem | null;
  readonly isOnline: boolean;
  /** Whether the chain lists this device, so that others can verify its messages; null until known. Sending waits for it. */
  readonly isDevicePublished: boolean | null;
  readonly conversations: readonly ConversationSummary[];
  /** Unread messages outside requests, muted and blocked conversations. */
  readonly totalUnread: number;
  /** Requests with unread messages. */
  readonly unreadRequests: number;
  /** Messages waiting in the outbox. */
  readonly queued: number;
  /** The name that one goes by among contacts; "" for none. */
  readonly profileName: string;
  /** Names that people one is in touch with go by, as they told. Anybody may choose any name: the address says who it is. */
  readonly profileNames: Readonly<Record<PublicKeyHex, string>>;
  /** What is handed over to or from another own device, or was since the start. */
  readonly handover: HandoverView | null;
  /** Devices that this one has linked and that were never heard of: their keys are probably lost. */
  readonly unfinishedLinks: readonly UnfinishedLink[];
  /** Local records that could not be decrypted; they are kept as they are. */
  readonly damagedRecords: number;
  /** Envelopes dropped since start: not openable, or naming another sender, recipient or network than they came with. */
  readonly droppedEnvelopes: number;
}

/** Loaded part of one chat. */
export interface ConversationSnapshot {
  /** Oldest first. */
  readonly messages: readonly ChatMessage[];
  readonly hasOlder: boolean;
  readonly isLoading: boolean;
}

/** An open chat. */
export interface ConversationView extends Observable<ConversationSnapshot> {
  readonly id: ConversationId;
  /** Loads one more page of older messages. */
  loadOlder(): Promise<void>;
  /** Loads back to a time, milliseconds since 1970. */
  loadBack(at: number): Promise<void>;
  /** While visible, arriving messages count as read and read receipts are sent. */
  setVisible(isVisible: boolean): void;
  close(): void;
}

/** A message that was found. */
export interface FoundMessage {
  readonly key: MessageKey;
  readonly conversation: ConversationId;
  readonly direction: "in" | "out";
  readonly author: PublicKeyHex | null;
  readonly at: number;
  readonly body: MessageBody;
}

/** Files of a conversation. */
export interface SharedFiles {
  /** Newest first. */
  readonly messages: readonly ChatMessage[];
  /** Where to go on looking; null at the beginning of the conversation. */
  readonly next: Pick<ChatMessage, "at" | "key"> | null;
}

/** What goes into a backup besides conversations and messages. */
export interface BackupContents {
  readonly withFiles: boolean;
  /** Whatever the app wants to have back, as JSON holds it. */
  readonly app: unknown;
}

/** What came from a backup. */
export interface RestoredBackup {
  /** Messages that were added. */
  readonly messages: number;
  /** Parts of attached files that were added. */
  readonly chunks: number;
  /** What the app had put in; undefined when it had not. */
  readonly app: unknown;
}

/** Settings that the person chooses. */
export interface MessengerSettings {
  readonly sendReadReceipts: boolean;
  /** Opt-in: send and show typing. */
  readonly typing: boolean;
  /** Seal with a key used once, so that relays do not see who writes. */
  readonly hideSender: boolean;
}

/** The engine. Methods reject with MESSENGER_UNAVAILABLE unless the phase is `running`. */
export interface Messenger extends Observable<MessengerSnapshot> {
  start(): Promise<void>;
  /** Finishes what is being written and releases store and lock. The outbox resumes at the next start. */
  stop(): Promise<void>;
  /** Opens a chat, also one that has no message yet. @throws CodedError MESSENGER_UNAVAILABLE unless the phase is `running`. */
  openConversation(id: ConversationId): ConversationView;
  /**
   * Stores a text and queues it; resolves with its key. Clears the draft.
   * @throws CodedError BAD_REQUEST for an empty or too long text, or an unknown sender.
   */
  sendText(id: ConversationId, text: string): Promise<MessageKey>;
  /** Answers a message of the conversation. @throws CodedError like {@link sendText}, NOT_FOUND for a message that is not here. */
  sendReply(to: MessageKey, text: string): Promise<MessageKey>;
  /**
   * Makes a group of oneself and others; resolves with its conversation.
   * @throws CodedError BAD_REQUEST for a name or a number of people that is not possible.
   */
  createGroup(name: string, others: readonly PublicKeyHex[]): Promise<ConversationId>;
  /** Adds people to a group that one keeps. They see what is written from then on. @throws CodedError BAD_REQUEST. */
  addToGroup(id: ConversationId, people: readonly PublicKeyHex[]): Promise<void>;
  /** Removes somebody from a group that one keeps. @throws CodedError BAD_REQUEST. */
  removeFromGroup(id: ConversationId, person: PublicKeyHex): Promise<void>;
  /** Gives a group that one keeps another name. @throws CodedError BAD_REQUEST. */
  renameGroup(id: ConversationId, name: string): Promise<void>;
  /** Hands a group that one keeps to another member. @throws CodedError BAD_REQUEST. */
  handOverGroup(id: ConversationId, person: PublicKeyHex): Promise<void>;
  /** Leaves a group. Its keeper hands it to whoever has been in it longest. */
  leaveGroup(id: ConversationId): Promise<void>;
  /** Asks for a payment to oneself. */
  sendPayRequest(id: ConversationId, request: { readonly amountUt: AmountUt; readonly note: string }): Promise<MessageKey>;
  /** Says that one has paid, in answer to a request or by oneself. */
  sendPayReceipt(
    id: ConversationId,
    receipt: { readonly txId: string; readonly amountUt: AmountUt; readonly request: MessageKey | null },
  ): Promise<MessageKey>;
  /**
   * Sends a file of at most 8 MiB. It goes on after a restart; {@link deleteForEveryone} cancels it.
   * @throws CodedError BAD_REQUEST for an empty or large file.
   */
  sendFile(id: ConversationId, file: OutgoingFile): Promise<MessageKey>;
  /** The file of a message, or undefined while parts of it are missing. @throws CodedError LOCAL_STORE_FAILED when it is damaged. */
  readFile(key: MessageKey): Promise<Uint8Array | undefined>;
  /** Messages with files before a position (null: the newest), at most `limit`; fewer when it would take long to find more. */
  sharedFiles(id: ConversationId, from: { readonly before: SharedFiles["next"]; readonly limit: number }): Promise<SharedFiles>;
  /** Sets one's reaction; "" takes it back. */
  react(key: MessageKey, emoji: string): Promise<void>;
  /** Changes the text of an own message, up to 24 hours after it was sent. @throws CodedError BAD_REQUEST when that is not possible. */
  editMessage(key: MessageKey, text: string): Promise<void>;
  /** Takes an own message back for everybody, up to 24 hours after it was sent. @throws CodedError BAD_REQUEST when that is not possible. */
  deleteForEveryone(key: MessageKey): Promise<void>;
  /** Messages from here on disappear so many seconds after reading; 0 switches that off. The other side is told. */
  setTimer(id: ConversationId, seconds: number): Promise<void>;
  /** Pins, archives or mutes a conversation, on all own devices. */
  setChat(id: ConversationId, flags: Partial<Pick<ConversationSummary, "isPinned" | "isArchived" | "mutedUntil">>): Promise<void>;
  /** Messages with all words of the text, in one conversation or all, newest first. Case and accents do not matter. */
  search(text: string, options?: { readonly conversation?: ConversationId; readonly limit?: number }): Promise<readonly FoundMessage[]>;
  /** Key and time of a message that another one speaks of, or undefined when it is not here. */
  findMessage(reference: MessageReference): Promise<{ readonly key: MessageKey; readonly at: number } | undefined>;
  /** An encrypted file of all conversations, groups and messages, of what the app adds, and of attached files where wished. */
  exportBackup(password: string, contents: BackupContents): Promise<Uint8Array>;
  /**
   * Adds the messages and files of a backup that are not here.
   * @throws CodedError BACKUP_WRONG_PASSWORD, BACKUP_DAMAGED, BACKUP_FOREIGN; then nothing was changed.
   */
  importBackup(file: Uint8Array, password: string): Promise<RestoredBackup>;
  /** Hands keepsakes and messages over to a device that was just linked; goes on after a restart. */
  sendHandover(input: HandoverInput): Promise<void>;
  /** A device was let in, and its linking ended before it could be handed anything. */
  noteUnfinishedLink(link: UnfinishedLink): Promise<void>;
  /** It was unlinked, or the person knows that it is well. */
  forgetUnfinishedLink(devicePub: X25519KeyHex): Promise<void>;
  /** Ends handing over on both devices; once it is over, takes the note of it away. */
  cancelHandover(): Promise<void>;
  /** Tries a failed or waiting message again at once. */
  retry(key: MessageKey): Promise<void>;
  /** Marks everything in a conversation as read. */
  markRead(id: ConversationId): Promise<void>;
  setDraft(id: ConversationId, text: string): Promise<void>;
  /** Call on each keystroke; does nothing unless the setting is on. */
  notifyTyping(id: ConversationId): void;
  /** Changes the name that contacts are told with the next message; "" takes it back. @throws CodedError BAD_REQUEST. */
  setProfileName(name: string): Promise<void>;
  /** Removes a message here, and from the outbox. */
  deleteMessage(key: MessageKey): Promise<void>;
  /** Removes a conversation here. Others keep theirs. */
  deleteConversation(id: ConversationId): Promise<void>;
  /** Reads the contact lists again, and whether the chain lists this device: call when a transaction of either is in a block. */
  refreshContacts(): Promise<void>;
  setSettings(settings: MessengerSettings): void;
}
