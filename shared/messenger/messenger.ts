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

import type { Observable } from "#shared/util/value-store.ts";
import type { MessengerSettings, MessengerSnapshot } from "./model/conversation.ts";
import type { CallListener } from "./receiving/call-signal.ts";
import type { RunningMessenger } from "./running/running-messenger.ts";

type Asynchronous<Part> = { [Name in keyof Part]: Part[Name] extends (...args: never) => Promise<unknown> ? Name : never }[keyof Part];

/** Commands by the part of the running messenger that declares them and carries them out. */
export const COMMANDS = {
  writing: [
    "sendText",
    "sendReply",
    "sendPayRequest",
    "sendPaySplit",
    "sendPoll",
    "votePoll",
    "closePoll",
    "pinMessage",
    "starMessage",
    "react",
    "editMessage",
    "deleteForEveryone",
    "setTimer",
    "setChat",
    "setFolders",
    "setProfileName",
    "setProfilePicture",
    "readPicture",
  ],
  groups: [
    "createGroup",
    "addToGroup",
    "removeFromGroup",
    "renameGroup",
    "setGroupPicture",
    "setGroupAdmin",
    "makeLink",
    "withdrawLink",
    "nextOwner",
    "passGroup",
    "leaveGroup",
  ],
  joining: ["askToJoin", "endAsking"],
  files: ["sendFile", "cancelCopy", "fileLimit", "downloadFile", "stopDownload"],
  scheduling: ["scheduleMessage", "changeScheduled", "sendScheduled", "deleteScheduled"],
  calls: ["offerCall", "answerCall", "endCall"],
  payments: ["holdPayment", "heldPayments", "releasePayment", "setPaymentFate", "discardPayment", "closePayRequest"],
  reading: ["markRead"],
  local: ["setDraft", "retry", "acknowledgeDevices", "noteEmoji", "setSkinTone"],
  removals: ["deleteMessage", "deleteMessages", "deleteConversation", "undoRemoval"],
  finder: [
    "search",
    "findMessage",
    "findPayments",
    "pinnedMessages",
    "starredMessages",
    "openAsks",
    "readFile",
    "readFileParts",
    "sharedFiles",
  ],
  stickers: ["ownStickers", "readSticker", "addSticker", "moveStickerFirst", "removeSticker"],
  storage: ["storageUse", "deleteFiles"],
  backups: ["exportBackup", "importBackup"],
  contacts: ["refreshContacts"],
  deviceTransfer: ["sendDeviceTransfer", "cancelDeviceTransfer"],
  noting: ["setNotes"],
  links: ["noteUnfinishedLink", "forgetUnfinishedLink"],
  programs: ["sendOrdered", "readEntry", "readArrivals", "lastArrival", "acceptedContacts", "leaveReceipt"],
} as const satisfies { readonly [Part in keyof RunningMessenger]?: readonly Asynchronous<Awaited<RunningMessenger[Part]>>[] };

type Part = keyof typeof COMMANDS;
type Owner<P extends Part> = Awaited<RunningMessenger[P]>;
type CommandsOf = { readonly [P in Part]: Pick<Owner<P>, Extract<(typeof COMMANDS)[P][number], keyof Owner<P>>> };
type All<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer Both) => void ? Both : never;

/** Commands reject with MESSENGER_UNAVAILABLE unless the phase is `running`. */
export type Commands = All<CommandsOf[Part]>;

/** The engine. */
export interface Messenger
  extends Observable<MessengerSnapshot>,
    Commands,
    Pick<RunningMessenger, "openConversation" | "acknowledgeStore">,
    Pick<RunningMessenger["typing"], "notifyTyping"> {
  start(): Promise<void>;
  /** Finishes what is being written and releases store and lock. The outbox resumes at the next start. */
  stop(): Promise<void>;
  setSettings(settings: MessengerSettings): void;
  /** Calls back with what is said about calls of contacts, in every run; returns the way to stop that. */
  subscribeCalls(listener: CallListener): () => void;
}
