// One chat: header, note about the person where one is due, messages, composer.
import { useNavigate } from "@tanstack/react-router";
import { memo, type ReactElement, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { NameWarning } from "#renderer/components/people/names/name-warning.tsx";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { useShortcut } from "#renderer/lib/commands/use-shortcut.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { closePaySheetOf, type PayOrder, usePaySheet } from "#renderer/lib/messenger/pay-order.ts";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";
import type { Pin } from "#shared/content/chat/pin-content.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import { hasTrait } from "#shared/messenger/model/body-traits.ts";
import type { ConversationSnapshot, ConversationSummary } from "#shared/messenger/model/conversation.ts";
import type { ChatMessage, ConversationId, MessageKey } from "#shared/messenger/model/message.ts";
import { Composer } from "../composer/composer.tsx";
import { GroupNotice } from "../groups/group-notice.tsx";
import styles from "../inbox.module.css";
import { canChange } from "../messages/message-actions.tsx";
import { MessageList } from "../messages/message-list.tsx";
import type { ChatRow } from "../messages/rows/chat-row.ts";
import { chatRows } from "../messages/rows/chat-rows.ts";
import { endSelection, useIsSelecting } from "../messages/selection/selection-store.ts";
import { markWords, setComposerMode, useChatIntents, viewPicture } from "../model/chat-intent-store.ts";
import { focusComposer, focusRow } from "../model/composer-focus.ts";
import { type ConversationHeader, mayPin, useConversationHeader } from "../model/conversation-header.tsx";
import { rememberOpen } from "../model/inbox-store.ts";
import { useMayWrite } from "../model/use-may-write.ts";
import { useAnnounceArrivals, useAnnounceSending } from "./aloud/use-announce-arrivals.ts";
import { ChatHeader } from "./chat-header.tsx";
import { MARK_UNREAD, useMarkUnread } from "./chat-settings.tsx";
import { ChatNotice } from "./notice/chat-notice.tsx";
import { PinnedBar } from "./pins/pinned-bar.tsx";
import { useChat } from "./use-chat.ts";

const NO_PINS: readonly Pin[] = [];

const PaySheet = lazyPart(async () => (await import("../payments/sheet/pay-sheet.tsx")).PaySheet);
const SplitSheet = lazyPart(async () => (await import("../payments/sheet/split-sheet.tsx")).SplitSheet);
const ScheduledBar = lazyPart(async () => (await import("../composer/later/scheduled-bar.tsx")).ScheduledBar);
const ChatInfo = lazyPart(async () => (await import("./chat-info.tsx")).ChatInfo);
const SelectionBar = lazyPart(async () => (await import("../messages/selection/selection-bar.tsx")).SelectionBar);
const ChatSearch = lazyPart(async () => (await import("./chat-search.tsx")).ChatSearch);
const AddToStickers = lazyPart(async () => (await import("../messages/parts/stickers/add-to-stickers.tsx")).AddToStickers);
const PictureViewer = lazyPart(async () => (await import("../viewer/picture-viewer.tsx")).PictureViewer);

/** Drawn again only for what they say themselves: pages of messages come while one scrolls. */
const SteadyHeader = memo(ChatHeader);
const SteadyComposer = memo(Composer);
const SteadyNotice = memo(ChatNotice);
const SteadyWarning = memo(NameWarning);

export interface ChatProps {
  readonly id: ConversationId;
  /** A running messenger. */
  readonly messenger: Messenger;
}

export function Chat({ id, messenger }: ChatProps): ReactElement {
  const navigate = useNavigate();
  const chat = useChat(messenger, id);
  const header = useConversationHeader(id);
  const showsTyping = useSettings((settings) => settings.sendTyping);
  const { snapshot, known, summary, firstUnread } = chat;
  const isTyping = showsTyping && summary?.isTyping === true;
  const rows = useRows(snapshot, firstUnread, isTyping);
  const newestOwn = known.findLast((message) => canChange(message) && hasTrait(message.body, "isEditable"));
  useAnnounceArrivals(header, snapshot);
  useAnnounceSending(snapshot);
  const close = useCallback((): void => {
    rememberOpen(null);
    void navigate({ to: "/inbox" }).then(() => focusRow(id));
  }, [navigate, id]);
  const [hasInfo, setInfo] = useState(false);
  const infoButton = useRef<HTMLElement>(null);
  const toggleInfo = useCallback((): void => setInfo((isShown) => !isShown), []);
  const whenSent = useWhenSent(id, chat.clearUnreadMark);
  const leave = hasInfo ? toggleInfo : close;
  useEscape(id, useIsSelecting(id) ? leaveSelection : leave);
  const [isSearching, setSearching] = useSearching();
  const search = useCallback((): void => setSearching(true), [setSearching]);
  const endSearch = (): void => {
    setSearching(false);
    focusComposer();
  };
  useUnreadShortcut(messenger, id);
  return (
    <div className={styles.beside}>
      <div className={styles.chat}>
        <SteadyHeader
          header={header}
          id={id}
          summary={summary}
          messenger={messenger}
          isTyping={isTyping}
          hasInfo={hasInfo}
          onInfo={toggleInfo}
          infoButton={infoButton}
          onSearch={search}
          onBack={close}
        />
        <Suspense fallback={null}>{isSearching && <ChatSearch id={id} onClose={endSearch} />}</Suspense>
        <Notes id={id} header={header} summary={summary} messages={known} messenger={messenger} />
        <div className={styles.messages}>
          {chat.isReady && (
            <MessageList
              id={id}
              rows={rows}
              header={header}
              messenger={messenger}
              newest={snapshot.newest}
              hasOlder={snapshot.hasOlder}
              hasNewer={snapshot.hasNewer}
              isLoading={snapshot.isLoading}
              unread={summary?.unread ?? 0}
              isAtEnd={chat.isAtEnd}
              onAtEnd={chat.setAtEnd}
              onLoadOlder={chat.loadOlder}
              onLoadNewer={chat.loadNewer}
              onLoadNewest={chat.loadNewest}
              onLoadBack={chat.loadBack}
            />
          )}
        </div>
        <Foot id={id} header={header} messages={known} messenger={messenger} newestOwn={newestOwn} onEscape={leave} onSent={whenSent} />
        <Overlays id={id} header={header} messages={snapshot.messages} messenger={messenger} />
      </div>
      <Suspense fallback={null}>
        {hasInfo && <ChatInfo id={id} header={header} summary={summary} messenger={messenger} opener={infoButton} onClose={toggleInfo} />}
      </Suspense>
    </div>
  );
}

/** What is no longer marked once one answers. */
function useWhenSent(id: ConversationId, clearUnreadMark: () => void): () => void {
  return useCallback(() => {
    clearUnreadMark();
    markWords(id, "");
  }, [id, clearUnreadMark]);
}

function useRows(snapshot: ConversationSnapshot, firstUnread: MessageKey | undefined, isTyping: boolean): readonly ChatRow[] {
  const { messages, apart, hasOlder } = snapshot;
  return useMemo(() => chatRows({ messages, apart, hasOlder, firstUnread, isTyping }), [messages, apart, hasOlder, firstUnread, isTyping]);
}

function useSearching(): readonly [boolean, (isSearching: boolean) => void] {
  const [isSearching, setSearching] = useState(false);
  useShortcut("mod+f", () => setSearching(true));
  return [isSearching, setSearching];
}

function leaveSelection(): void {
  endSelection();
  focusComposer();
}

/** Escape ends what is being written about a message, before it does anything else. */
function useEscape(id: ConversationId, otherwise: () => void): void {
  const hasMode = useChatIntents((intents) => intents.modes[id] !== undefined);
  useShortcut("escape", () => (hasMode ? setComposerMode(id, undefined) : otherwise()));
}

function useUnreadShortcut(messenger: Messenger, id: ConversationId): void {
  const markUnread = useMarkUnread(messenger);
  useShortcut(MARK_UNREAD, () => markUnread(id));
}

interface FootProps extends NotesProps {
  readonly newestOwn: ChatMessage | undefined;
  readonly onEscape: () => void;
  readonly onSent: () => void;
}

/** Where one writes; while messages are selected, what can be done with them lies over it. */
function Foot({ id, header, messages, messenger, newestOwn, onEscape, onSent }: Omit<FootProps, "summary">): ReactElement {
  const mayWrite = useMayWrite(header);
  const isSelecting = useIsSelecting(id);
  const scheduled = useMessengerValue((known) => known.scheduled).filter(({ conversation }) => conversation === id);
  return (
    <div className={styles.foot} data-selecting={isSelecting || undefined}>
      {header.kind !== "unknown" && (
        <div inert={isSelecting}>
          <Suspense fallback={null}>{scheduled.length > 0 && <ScheduledBar scheduled={scheduled} messenger={messenger} />}</Suspense>
          <SteadyComposer
            id={id}
            header={header}
            messenger={messenger}
            newestOwn={newestOwn}
            maySend={mayWrite}
            onEscape={onEscape}
            onSent={onSent}
          />
        </div>
      )}
      <Suspense fallback={null}>{isSelecting && <SelectionBar header={header} messages={messages} messenger={messenger} />}</Suspense>
    </div>
  );
}

interface NotesProps extends ChatProps {
  readonly header: ConversationHeader;
  readonly summary: ConversationSummary | undefined;
  readonly messages: readonly ChatMessage[];
}

/** What is to be known before one writes, and what is pinned. */
function Notes({ id, header, summary, messages, messenger }: NotesProps): ReactElement {
  const { masterPub } = useAccount();
  return (
    <>
      {header.kind === "group" ? (
        header.group !== null && summary !== undefined && <GroupNotice summary={summary} group={header.group} messenger={messenger} />
      ) : (
        <SteadyNotice header={header} summary={summary} />
      )}
      <PinnedBar id={id} pins={summary?.pins ?? NO_PINS} messages={messages} messenger={messenger} mayPin={mayPin(header, masterPub)} />
      {header.kind === "person" && <SteadyWarning flush publicKey={header.peer} />}
    </>
  );
}

/** The sheet for a person, for one's share of a bill, or for a bill of a group. */
function MoneySheet({ id, order, header, messenger }: Omit<OverlaysProps, "messages"> & { readonly order: PayOrder }): ReactElement | null {
  const payee = useConversationHeader(order.payee ?? id);
  if (payee.kind === "person") return <PaySheet order={order} header={payee} messenger={messenger} />;
  return header.kind === "group" ? <SplitSheet id={id} header={header} messenger={messenger} /> : null;
}

interface OverlaysProps extends ChatProps {
  readonly header: ConversationHeader;
  readonly messages: readonly ChatMessage[];
}

/** What opens over the chat, and ends with it. */
function Overlays({ id, header, messages, messenger }: OverlaysProps): ReactElement {
  const viewed = useChatIntents((intents) => intents.viewed);
  const order = usePaySheet((sheet) => sheet.order);
  useEffect(
    () => (): void => {
      viewPicture(null);
      closePaySheetOf(id);
      endSelection();
    },
    [id],
  );
  return (
    <Suspense fallback={null}>
      {order?.conversation === id && <MoneySheet id={id} order={order} header={header} messenger={messenger} />}
      {viewed !== null && (
        <PictureViewer
          {...{ id, viewed, messages, messenger }}
          actions={({ message, body }): ReactElement => (
            <Suspense fallback={null}>
              <WithAllWords>
                <AddToStickers messageKey={message.key} body={body} messenger={messenger} />
              </WithAllWords>
            </Suspense>
          )}
        />
      )}
    </Suspense>
  );
}
