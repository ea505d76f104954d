// The messages of a chat, newest at the bottom. Only the rows in view are in the document; older pages come while scrolling up, and
// what one reads does not move when something arrives.
import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import {
  type ReactElement,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Spinner } from "#renderer/components/basics/spinner.tsx";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationId, MessageKey } from "#shared/messenger/model/message.ts";
import { type JumpWish, jumpTo, markWords, useChatIntents } from "../model/chat-intent-store.ts";
import type { ConversationHeader } from "../model/conversation-header.tsx";
import { rememberPosition, useInboxStore } from "../model/inbox-store.ts";
import styles from "./message-list.module.css";
import { MessageRow } from "./message-row.tsx";
import { type ChatRow, holdsMessage, messagesOf } from "./rows/chat-row.ts";
import { useFoundWords } from "./search/use-found-words.ts";
import { beginSelection, useIsSelecting } from "./selection/selection-store.ts";

const SelectBox = lazyPart(async () => (await import("./selection/select-box.tsx")).SelectBox);

/** What messages say, and not who wrote them and when. */
const MARKED_TEXTS = "article :is([dir='auto'], pre, bdi)";
/** Distance from the end that still counts as the end, pixels. */
const END_PX = 60;
const OVERSCAN = 10;
/** A message that one was led to is marked so long. */
const MARK_MS = 2_500;
/** Older messages are asked for when this row comes into view. */
const LOAD_AHEAD_ROWS = 12;
const ESTIMATES: Readonly<Record<ChatRow["kind"], number>> = { beginning: 72, day: 44, unread: 40, message: 46, album: 380, typing: 44 };

export interface MessageListProps {
  readonly id: ConversationId;
  readonly rows: readonly ChatRow[];
  readonly header: ConversationHeader;
  readonly messenger: Messenger;
  readonly hasOlder: boolean;
  readonly isLoading: boolean;
  readonly unread: number;
  readonly isAtEnd: boolean;
  readonly onAtEnd: (isAtEnd: boolean) => void;
  readonly onLoadOlder: () => void;
  readonly onLoadBack: (at: number) => void;
}

type Scroller = Virtualizer<HTMLElement, Element>;

/** The scrolling list. */
export function MessageList(props: MessageListProps): ReactElement {
  const { id, rows, header, messenger, isLoading } = props;
  const t = useMessages();
  const scroller = useRef<HTMLElement>(null);
  const getItemKey = useCallback((index: number) => rows[index]?.key ?? index, [rows]);
  const virtualizer: Scroller = useVirtualizer<HTMLElement, Element>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => ESTIMATES[rows[index]?.kind ?? "message"],
    getItemKey,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: END_PX,
    overscan: OVERSCAN,
  });
  const items = virtualizer.getVirtualItems();
  useScrolling(virtualizer, scroller, props);
  const marked = useJump(virtualizer, props);
  useFound(id, scroller);
  const isSelecting = useIsSelecting(id);
  useSelectByPress(scroller, props);
  const label = header.kind === "self" ? t("contacts.notes") : t("inbox.messagesWith", { name: header.name });
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard */}
      <section ref={scroller} className={styles.scroller} tabIndex={0} aria-label={label} data-chat-log={id}>
        <ol className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index];
            return (
              <li
                key={item.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                className={styles.row}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                {row !== undefined && (
                  <div inert={isSelecting}>
                    <MessageRow id={id} row={row} header={header} messenger={messenger} marked={marked} />
                  </div>
                )}
                {row !== undefined && isSelecting && (
                  <Suspense fallback={null}>
                    <SelectBox row={row} rows={rows} header={header} />
                  </Suspense>
                )}
              </li>
            );
          })}
        </ol>
      </section>
      {isLoading && (
        <div className={styles.loading} role="status">
          <Spinner />
          <VisuallyHidden>{t("inbox.loadingOlder")}</VisuallyHidden>
        </div>
      )}
      <JumpToNewest {...props} onJump={(): void => virtualizer.scrollToEnd()} />
    </>
  );
}

/** Words that led here are marked until the chat is left, or what was searched for is put away. */
function useFound(id: ConversationId, scroller: RefObject<HTMLElement | null>): void {
  const words = useChatIntents(({ found }) => (found?.conversation === id ? found.words : ""));
  useFoundWords(scroller, MARKED_TEXTS, words);
  useEffect(() => (): void => markWords(id, ""), [id]);
}

/** A press with Ctrl or Shift beside links and buttons begins to select. */
function useSelectByPress(scroller: { readonly current: HTMLElement | null }, { id, rows }: MessageListProps): void {
  const press = useEffectEvent((event: MouseEvent) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
    const target = event.target instanceof Element ? event.target : undefined;
    const row = rows[Number(target?.closest<HTMLElement>("[data-index]")?.dataset.index)];
    const [first] = row === undefined ? [] : messagesOf(row);
    if (first === undefined || target?.closest("a, button, input") != null) return;
    getSelection()?.removeAllRanges();
    beginSelection(id, first.key);
  });
  useEffect(() => {
    const element = scroller.current;
    const listener = (event: MouseEvent): void => press(event);
    element?.addEventListener("click", listener);
    return (): void => element?.removeEventListener("click", listener);
  }, [scroller]);
}

function JumpToNewest(props: Pick<MessageListProps, "isAtEnd" | "unread"> & { readonly onJump: () => void }): ReactElement | null {
  const { isAtEnd, unread, onJump } = props;
  const t = useMessages();
  if (isAtEnd) return null;
  return (
    <button
      type="button"
      className={styles.jump}
      aria-label={unread > 0 ? t("inbox.toNewestCount", { count: unread }) : t("inbox.toNewest")}
      onClick={onJump}
    >
      {unread > 0 && <span>{unread}</span>}
      <ArrowDown size={18} aria-hidden="true" />
    </button>
  );
}

/** Where the list is at first, when it moves by itself, and what it asks for on the way. */
function useScrolling(virtualizer: Scroller, scroller: { readonly current: HTMLElement | null }, props: MessageListProps): void {
  const { id, rows, hasOlder, isLoading, onLoadOlder } = props;
  const [isPositioned, setPositioned] = useState(false);
  const [isAtEnd, update] = useAtEnd(scroller, props.onAtEnd);
  const restorePosition = useEffectEvent(() => {
    const index = startIndex(rows, useInboxStore.getState().places[id]);
    if (index === undefined) virtualizer.scrollToEnd();
    else virtualizer.scrollToIndex(index, { align: "start" });
    const frame = requestAnimationFrame(() => {
      setPositioned(true);
      update();
    });
    return (): void => cancelAnimationFrame(frame);
  });
  useLayoutEffect(() => restorePosition(), []);
  useEffect(() => {
    const first = virtualizer.range?.startIndex ?? 0;
    if (isPositioned && hasOlder && !isLoading && first < LOAD_AHEAD_ROWS) onLoadOlder();
  });
  const ownNewest = newestOwn(rows);
  const [firstOwnNewest] = useState(ownNewest);
  const toEnd = useEffectEvent(() => virtualizer.scrollToEnd());
  useEffect(() => {
    if (ownNewest !== undefined && ownNewest !== firstOwnNewest) toEnd();
  }, [ownNewest, firstOwnNewest]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) toEnd();
    });
    observer.observe(element);
    return (): void => observer.disconnect();
  }, [scroller, isAtEnd]);
  const leave = useEffectEvent(() => {
    const top = virtualizer.getVirtualItemForOffset(virtualizer.scrollOffset ?? 0)?.index ?? 0;
    const row = rows.slice(top).find(({ kind }) => kind === "message" || kind === "album");
    rememberPosition(id, isAtEnd.current || row === undefined ? undefined : row.key);
  });
  useEffect(() => (): void => leave(), []);
}

/** Goes to a message that was wished for, loading back to it; returns the one that is marked for a moment. */
function useJump(virtualizer: Scroller, { id, rows, onLoadBack }: MessageListProps): MessageKey | undefined {
  const jump = useChatIntents((intents) => (intents.jump?.conversation === id ? intents.jump : null));
  const [marked, setMarked] = useState<MessageKey>();
  const index = jump === null ? -1 : rows.findIndex((row) => holdsMessage(row, jump.key));
  const go = useEffectEvent((wish: JumpWish, at: number) => {
    if (at === -1) {
      onLoadBack(wish.at);
      return;
    }
    virtualizer.scrollToIndex(at, { align: "center" });
    setMarked(wish.key);
    jumpTo(null);
  });
  useEffect(() => {
    if (jump !== null) go(jump, index);
  }, [jump, index]);
  useEffect(() => {
    if (marked === undefined) return undefined;
    const timer = setTimeout(() => setMarked(undefined), MARK_MS);
    return (): void => clearTimeout(timer);
  }, [marked]);
  return marked;
}

/**
 * Whether the newest message is in view. Only scrolling up leaves the end: what grows at the end is followed, and is not missed for
 * the moment until it is.
 */
function useAtEnd(
  scroller: { readonly current: HTMLElement | null },
  onAtEnd: (isAtEnd: boolean) => void,
): readonly [{ readonly current: boolean }, () => void] {
  const isAtEnd = useRef(false);
  const lastTop = useRef(0);
  const update = useEffectEvent((event?: Event) => {
    const element = scroller.current;
    if (element === null) return;
    const isNearEnd = element.scrollHeight - element.scrollTop - element.clientHeight <= END_PX;
    const hasLeft = event === undefined || element.scrollTop < lastTop.current;
    lastTop.current = element.scrollTop;
    if (isNearEnd) isAtEnd.current = true;
    else if (hasLeft) isAtEnd.current = false;
    onAtEnd(isAtEnd.current);
  });
  useEffect(() => {
    const element = scroller.current;
    const listener = (event: Event): void => update(event);
    element?.addEventListener("scroll", listener, { passive: true });
    return (): void => element?.removeEventListener("scroll", listener);
  }, [scroller]);
  return [isAtEnd, update];
}

/** The row to begin at: where one was, else the first unread one; undefined for the end. */
function startIndex(rows: readonly ChatRow[], left: string | undefined): number | undefined {
  const index = rows.findIndex((row) => (left === undefined ? row.kind === "unread" : holdsMessage(row, left)));
  return index === -1 ? undefined : index;
}

/** Key of the newest message when it is one's own: sending leads to it. */
function newestOwn(rows: readonly ChatRow[]): string | undefined {
  const newest = rows.findLast((row) => row.kind === "message" || row.kind === "album");
  const last = newest?.kind === "album" ? newest.pictures.at(-1) : newest;
  return last?.kind === "message" && last.message.direction === "out" ? last.key : undefined;
}
