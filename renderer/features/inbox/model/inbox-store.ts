// What the inbox remembers while one looks at other views and over a reload: the open chat, the list in view, where each chat was
// scrolled to. Kept for the session only.
import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";
import type { ConversationId, MessageKey } from "#shared/messenger/model/message.ts";

/** Lists of conversations. Requests are answered at the contacts. */
export type InboxTab = "chats" | "archived" | FolderTab;

/** The chats of a folder. */
export type FolderTab = `folder:${string}`;

/** True for the list of a folder. */
export function isFolderTab(tab: InboxTab): tab is FolderTab {
  return tab.startsWith("folder:");
}

/** The list of a folder. */
export function folderTab(id: string): FolderTab {
  return `folder:${id}`;
}

interface InboxStore {
  /** The chat that was open last; null after it was closed. */
  readonly open: ConversationId | null;
  readonly tab: InboxTab;
  /** The message at the top of the view, for chats that were left somewhere else than at their end. */
  readonly places: Readonly<Record<ConversationId, MessageKey>>;
}

type Stored = Pick<InboxStore, "open" | "places"> & { readonly tab: InboxTab | "requests" };

/** Until version 2 there was a list of requests. */
export function currentInbox(stored: Stored): InboxStore {
  return { ...stored, tab: stored.tab === "requests" ? "chats" : stored.tab };
}

/** State of the view. */
export const useInboxStore = create<InboxStore>()(
  persist<InboxStore>(() => ({ open: null, tab: "chats", places: {} }), {
    name: "parley.inbox",
    version: 2,
    migrate: (stored) => currentInbox(stored as Stored),
    storage: createJSONStorage(() => sessionStorage),
  }),
);

/** Remembers the open chat, or that it was closed. */
export function rememberOpen(open: ConversationId | null): void {
  useInboxStore.setState({ open });
}

/** Shows a list. */
export function showTab(tab: InboxTab): void {
  useInboxStore.setState({ tab });
}

/** Remembers where a chat was left; undefined is its end. */
export function rememberPosition(id: ConversationId, key: MessageKey | undefined): void {
  useInboxStore.setState(({ places: { [id]: _, ...others } }) => ({ places: key === undefined ? others : { ...others, [id]: key } }));
}
