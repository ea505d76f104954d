// An open chat for the view: its loaded messages, what is unread in it, and whether it counts as read.
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationSnapshot, ConversationSummary, ConversationView } from "#shared/messenger/model/conversation.ts";
import type { ChatMessage, ConversationId, MessageKey } from "#shared/messenger/model/message.ts";
import { comparePositions } from "#shared/messenger/model/records.ts";
import { firstUnreadOf, hasAllUnread } from "../messages/rows/chat-rows.ts";
import { useSelection } from "../messages/selection/selection-store.ts";
import { useInboxStore } from "../model/inbox-store.ts";
import { useWindowActive } from "./use-window-active.ts";

const NOTHING: ConversationSnapshot = {
  messages: [],
  apart: [],
  newest: undefined,
  hasOlder: true,
  hasNewer: false,
  isLoading: true,
};
/** Pages read at most to come back to where the chat was left, or to the first of what is unread. */
const MAX_PAGES_BACK = 40;
const NO_KEYS: ReadonlySet<MessageKey> = new Set();
/** Messages of an open chat in the list; what is farther from where one reads is let go of. */
const MAX_LOADED = 600;
/** The same while text is selected, so that the selection stays while one scrolls on. */
const MAX_LOADED_SELECTED = 2_000;

/** State of an open chat. */
export interface ChatState {
  readonly snapshot: ConversationSnapshot;
  /** All that is known of the chat, oldest first: what is in the list, and what is apart. */
  readonly known: readonly ChatMessage[];
  /** The row of the list; undefined while nothing was said. */
  readonly summary: ConversationSummary | undefined;
  /** True once enough is loaded to show the chat where it was left. */
  readonly isReady: boolean;
  /** The first message that was unread when the chat came into view, or when one answered. */
  readonly firstUnread: MessageKey | undefined;
  readonly loadOlder: (isFar: boolean) => void;
  readonly loadNewer: (isFar: boolean) => void;
  /** Returns to the newest messages where these were let go of. */
  readonly loadNewest: () => void;
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
  const summary = useMessengerValue(({ conversations }) => conversations.find((conversation) => conversation.id === id));
  const isReady = useReady(view, snapshot, { id, unread: summary?.unread ?? 0 });
  const isActive = useWindowActive();
  const [isAtEnd, setAtEnd] = useState(false);
  const [firstUnread, setFirstUnread] = useState<MessageKey>();
  const [isAnswered, setAnswered] = useState(false);
  const isSeen = isReady && isActive && isAtEnd;
  const unread = summary?.unread ?? 0;
  const known = useKnown(snapshot);
  useEffect(() => {
    if (view !== undefined && !isSeen && unread > 0) setFirstUnread(firstUnreadOf(known, isAnswered));
  }, [view, isSeen, unread, known, isAnswered]);
  useEffect(() => view?.setVisible(isSeen), [view, isSeen]);
  const selected = useSelection(({ conversation, keys }) => (conversation === id ? keys : NO_KEYS));
  useEffect(() => view?.hold(selected), [view, selected]);
  const clearUnreadMark = useCallback(() => {
    setFirstUnread(undefined);
    setAnswered(true);
  }, []);
  return {
    snapshot,
    known,
    summary,
    isReady,
    firstUnread,
    loadOlder: (isFar): void => void view?.loadOlder(isFar ? MAX_LOADED_SELECTED : MAX_LOADED),
    loadNewer: (isFar): void => void view?.loadNewer(isFar ? MAX_LOADED_SELECTED : MAX_LOADED),
    loadNewest: (): void => void view?.loadNewest(),
    loadBack: (at): void => void view?.loadBack(at, MAX_LOADED),
    setAtEnd,
    isAtEnd,
    clearUnreadMark,
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
  const { messages, apart, hasOlder, isLoading } = snapshot;
  const isFound = position === undefined ? hasAllUnread([...apart, ...messages], unread) : messages.some(({ key }) => key === position);
  const mayLookFurther = hasOlder && pages < MAX_PAGES_BACK;
  useEffect(() => {
    if (view === undefined || isLoading || isReady) return;
    if (isFound || !mayLookFurther) {
      setReady(true);
      if (!isFound) void view.loadNewest();
      return;
    }
    setPages((count) => count + 1);
    void view.loadOlder(MAX_LOADED);
  }, [view, isLoading, isReady, isFound, mayLookFurther]);
  return isReady;
}

function useKnown({ messages, apart }: ConversationSnapshot): readonly ChatMessage[] {
  return useMemo(() => (apart.length === 0 ? messages : [...messages, ...apart].sort(comparePositions)), [messages, apart]);
}

function subscribeToNothing(): () => void {
  return () => undefined;
}

function nothing(): ConversationSnapshot {
  return NOTHING;
}
