// An open chat for the view: its loaded messages, what is unread in it, and whether it counts as read.
import { useEffect, useState, useSyncExternalStore } from "react";
import { useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationSnapshot, ConversationSummary, ConversationView } from "#shared/messenger/model/conversation.ts";
import type { ConversationId, MessageKey } from "#shared/messenger/model/message.ts";
import { firstUnreadOf, hasAllUnread } from "../messages/rows/chat-rows.ts";
import { useInboxStore } from "../model/inbox-store.ts";
import { useWindowActive } from "./use-window-active.ts";

const NOTHING: ConversationSnapshot = { messages: [], hasOlder: true, isLoading: true };
/** Pages read at most to come back to where the chat was left, or to the first of what is unread. */
const MAX_PAGES_BACK = 40;

/** State of an open chat. */
export interface ChatState {
  readonly snapshot: ConversationSnapshot;
  /** The row of the list; undefined while nothing was said. */
  readonly summary: ConversationSummary | undefined;
  /** True once enough is loaded to show the chat where it was left. */
  readonly isReady: boolean;
  /** The first message that was unread when the chat came into view. */
  readonly firstUnread: MessageKey | undefined;
  readonly loadOlder: () => void;
  /** Loads back to a time. */
  readonly loadBack: (at: number) => void;
  /** The newest message has come into view, or has left it: only what is seen counts as read. */
  readonly setAtEnd: (isAtEnd: boolean) => void;
  readonly isAtEnd: boolean;
  /** Takes the unread mark away: one has answered. */
  readonly clearUnreadMark: () => void;
}

/** Opens a chat while the component is shown. */
export function useChat(messenger: Messenger, id: ConversationId): ChatState {
  const view = useView(messenger, id);
  const snapshot = useSyncExternalStore(view?.subscribe ?? subscribeToNothing, view?.getSnapshot ?? nothing);
  const summary = useMessengerSnapshot().conversations.find((conversation) => conversation.id === id);
  const isReady = useReady(view, snapshot, { id, unread: summary?.unread ?? 0 });
  const isActive = useWindowActive();
  const [isAtEnd, setAtEnd] = useState(false);
  const [firstUnread, setFirstUnread] = useState<MessageKey>();
  const isSeen = isReady && isActive && isAtEnd;
  const unread = summary?.unread ?? 0;
  const { messages } = snapshot;
  useEffect(() => {
    if (view !== undefined && !isSeen && unread > 0) setFirstUnread(firstUnreadOf(messages));
  }, [view, isSeen, unread, messages]);
  useEffect(() => view?.setVisible(isSeen), [view, isSeen]);
  return {
    snapshot,
    summary,
    isReady,
    firstUnread,
    loadOlder: (): void => void view?.loadOlder(),
    loadBack: (at): void => void view?.loadBack(at),
    setAtEnd,
    isAtEnd,
    clearUnreadMark: () => setFirstUnread(undefined),
  };
}

function useView(messenger: Messenger, id: ConversationId): ConversationView | undefined {
  const [view, setView] = useState<ConversationView>();
  useEffect(() => {
    const opened = messenger.openConversation(id);
    setView(opened);
    return (): void => {
      opened.close();
      setView(undefined);
    };
  }, [messenger, id]);
  return view;
}

/** Loads back to the remembered position, or to the first unread message, so that the chat does not jump there later. */
function useReady(
  view: ConversationView | undefined,
  snapshot: ConversationSnapshot,
  { id, unread }: { readonly id: ConversationId; readonly unread: number },
): boolean {
  const [position] = useState(() => useInboxStore.getState().places[id]);
  const [pages, setPages] = useState(0);
  const [isReady, setReady] = useState(false);
  const { messages, hasOlder, isLoading } = snapshot;
  const isFound = position === undefined ? hasAllUnread(messages, unread) : messages.some(({ key }) => key === position);
  const mayLookFurther = hasOlder && pages < MAX_PAGES_BACK;
  useEffect(() => {
    if (view === undefined || isLoading || isReady) return;
    if (isFound || !mayLookFurther) {
      setReady(true);
      return;
    }
    setPages((count) => count + 1);
    void view.loadOlder();
  }, [view, isLoading, isReady, isFound, mayLookFurther]);
  return isReady;
}

function subscribeToNothing(): () => void {
  return () => undefined;
}

function nothing(): ConversationSnapshot {
  return NOTHING;
}
