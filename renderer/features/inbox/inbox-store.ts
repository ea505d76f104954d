// What the inbox remembers while one looks at other views: the open chat, the list in view, where each chat was scrolled to.
import { create } from "zustand";
import type { ConversationId, MessageKey } from "#renderer/messenger/messenger.ts";

/** Lists of conversations. */
export type InboxTab = "chats" | "requests";

/** A place in a chat: the message at the top of the view. */
export interface ScrollPlace {
  readonly rowKey: MessageKey;
}

interface InboxStore {
  /** The chat that was open last; undefined after it was closed. */
  readonly open: ConversationId | undefined;
  readonly tab: InboxTab;
  /** Chats that were left somewhere else than at their end. */
  readonly places: ReadonlyMap<ConversationId, ScrollPlace>;
}

/** State of the view. */
export const useInboxStore = create<InboxStore>()(() => ({ open: undefined, tab: "chats", places: new Map() }));

/** Remembers the open chat, or that it was closed. */
export function rememberOpen(open: ConversationId | undefined): void {
  useInboxStore.setState({ open });
}

/** Shows a list. */
export function showTab(tab: InboxTab): void {
  useInboxStore.setState({ tab });
}

/** Remembers where a chat was left; undefined is its end. */
export function rememberPlace(id: ConversationId, place: ScrollPlace | undefined): void {
  useInboxStore.setState(({ places }) => {
    const others = new Map([...places].filter(([other]) => other !== id));
    return { places: place === undefined ? others : others.set(id, place) };
  });
}
