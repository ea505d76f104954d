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
import type { MessageReference } from "#shared/content/content.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import type { AmountUt } from "#shared/protocol/amount.ts";
import type { X25519KeyHex } from "#shared/protocol/envelope.ts";
import type { ConversationSummary, ConversationView, FoundMessage, MessengerSettings, SharedFiles } from "./model/conversation.ts";
import type { BackupContents, HandoverInput, HandoverView, RestoredBackup, UnfinishedLink } from "./model/device-transfer.ts";
import type { ConversationId, MessageKey, MessengerProblem, OutgoingFile } from "./model/message.ts";
import type { Observable } from "./model/observable.ts";

/**
 * - `idle`: not started, or stopped.
 * - `starting`: opening the local store.
 * - `running`: sending and receiving.
 * - `otherTab`: another tab of this browser runs the messenger; this one takes over by itself when that one closes.
 * - `failed`: the local store cannot be used; `problem` says why. Nothing was reset.
 */
export type MessengerPhase = "idle" | "starting" | "running" | "otherTab" | "failed";

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
