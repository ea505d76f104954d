// The messages of a chat, newest at the bottom. Only the rows in view are in the document; older pages come while scrolling up, and
// what one reads does not move when something arrives.
import { ArrowDown } from "lucide-react";
import {
  memo,
  type ReactElement,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Spinner } from "#renderer/components/basics/spinner.tsx";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage, ConversationId, MessageKey } from "#shared/messenger/model/message.ts";
import { type JumpWish, jumpTo, markWords, useChatIntents } from "../model/chat-intent-store.ts";
import type { ConversationHeader } from "../model/conversation-header.tsx";
import { rememberPosition, useInboxStore } from "../model/inbox-store.ts";
import styles from "./message-list.module.css";
import { MessageRow } from "./message-row.tsx";
import { type ChatRow, holdsMessage, messagesOf } from "./rows/chat-row.ts";
import { RowEstimate } from "./rows/row-estimate.ts";
import { AT_END, type Place, type RowWindow } from "./scroll/row-window.ts";
import { type ScrollRest, ScrollRestContext } from "./scroll/scroll-rest.ts";
import { type ShownRows, useRowWindow } from "./scroll/use-row-window.ts";
import { useFoundWords } from "./search/use-found-words.ts";
import { beginSelection, useIsSelecting } from "./selection/selection-store.ts";
import { rowsToShow } from "./selection/shown-rows.ts";
import { useCopiedWords, useSelectedEnds } from "./selection/use-selected-words.ts";
import { withoutStops } from "./selection/without-stops.ts";

const SelectBox = lazyPart(async () => (await import("./selection/select-box.tsx")).SelectBox);

/** What messages say, and not who wrote them and when. */
const MARKED_TEXTS = "article :is([dir='auto'], pre, bdi)";
/** A message that one was led to is marked so long. */
const MARK_MS = 2_500;
/** Older and newer messages are asked for when only so many rows are left beside those in the document. */
const LOAD_AHEAD_ROWS = 40;

export interface MessageListProps {
  readonly id: ConversationId;
  readonly rows: readonly ChatRow[];
  readonly header: ConversationHeader;
  readonly messenger: Messenger;
  /** The newest message of the chat, also while it is not among the rows. */
  readonly newest: ChatMessage | undefined;
  readonly hasOlder: boolean;
  /** Newer ones than those of the rows were let go of. */
  readonly hasNewer: boolean;
  readonly isLoading: boolean;
  readonly unread: number;
  readonly isAtEnd: boolean;
  readonly onAtEnd: (isAtEnd: boolean) => void;
  /** `isFar`: with more of those behind than usual. */
  readonly onLoadOlder: (isFar: boolean) => void;
  readonly onLoadNewer: (isFar: boolean) => void;
  readonly onLoadNewest: () => void;
  readonly onLoadBack: (at: number) => void;
}

/** The scrolling list. */
export function MessageList(props: MessageListProps): ReactElement {
  const { id, rows, header, messenger, isLoading } = props;
  const t = useMessages();
  const scroller = useRef<HTMLElement>(null);
  const shown = useRows(scroller, props);
  const { rowWindow } = shown;
  const ends = useSelectedEnds(scroller);
  const toNewest = useScrolling(shown, ends.length > 0, props);
  const marked = useJump(rowWindow, props);
  useFound(id, scroller);
  const isSelecting = useIsSelecting(id);
  useSelectByPress(scroller, props);
  useRestAtPress(scroller, shown.rest);
  const observe = useCallback(
    (element: HTMLLIElement | null) => {
      if (element === null) return undefined;
      const end = rowWindow.observe(element, element.dataset.row ?? "");
      return (): void => {
        end();
        // What had the focus is let go of with its row: the keys scroll on.
        if (element.contains(document.activeElement)) scroller.current?.focus({ preventScroll: true });
      };
    },
    [rowWindow],
  );
  const label = header.kind === "self" ? t("contacts.notes") : t("inbox.messagesWith", { name: header.name });
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard */}
      <section ref={scroller} className={styles.scroller} tabIndex={0} aria-label={label} data-chat-log={id}>
        <ol className={styles.rows}>
          <ScrollRestContext value={shown.rest}>
            {rowsToShow(rows, shown, ends).map(({ row, top }) => (
              <SteadyRow key={row.key} {...{ id, row, header, messenger, marked, observe, top }} rows={isSelecting ? rows : undefined} />
            ))}
          </ScrollRestContext>
        </ol>
      </section>
      <SteadyCopy {...{ scroller, rows, header, ends }} />
      {isLoading && (
        <div className={styles.loading} role="status">
          <Spinner />
          <VisuallyHidden>{t("inbox.loadingOlder")}</VisuallyHidden>
        </div>
      )}
      <JumpToNewest
        {...props}
        onJump={(): void => {
          toNewest();
          // The button goes with the jump.
          scroller.current?.focus({ preventScroll: true });
        }}
      />
    </>
  );
}

interface RowProps extends Pick<MessageListProps, "id" | "header" | "messenger"> {
  readonly row: ChatRow;
  readonly marked: MessageKey | undefined;
  readonly observe: (element: HTMLLIElement | null) => (() => void) | undefined;
  /** All of them, while messages are selected. */
  readonly rows: readonly ChatRow[] | undefined;
  /** Pixels from the top of all rows, for a row that is apart from those near the view. */
  readonly top: number | undefined;
}

/** Rendered again only when something of it changes: scrolling renders the list, and most of its rows stay. */
const SteadyRow = memo(Row);

function Row({ row, rows, observe, top, ...props }: RowProps): ReactElement {
  const isApart = top !== undefined;
  const item = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => (isApart && item.current !== null ? withoutStops(item.current) : undefined), [isApart]);
  const ref = useCallback(
    (element: HTMLLIElement | null) => {
      item.current = element;
      return observe(element);
    },
    [observe],
  );
  return (
    <li ref={ref} data-row={row.key} className={classNames(styles.row, isApart && styles.apart)} style={isApart ? { top } : undefined}>
      <div inert={rows !== undefined}>
        <MessageRow {...props} row={row} />
      </div>
      {rows !== undefined && (
        <Suspense fallback={null}>
          <SelectBox row={row} rows={rows} header={props.header} />
        </Suspense>
      )}
    </li>
  );
}

interface CopyProps extends Pick<MessageListProps, "rows" | "header"> {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly ends: readonly string[];
}

/** What is copied. It asks for names, and scrolling changes none. */
const SteadyCopy = memo(Copy);

function Copy({ scroller, ...selected }: CopyProps): null {
  useCopiedWords(scroller, selected);
  return null;
}

/** Words that led here are marked until the chat is left, or what was searched for is put away. */
function useFound(id: ConversationId, scroller: RefObject<HTMLElement | null>): void {
  const words = useChatIntents(({ found }) => (found?.conversation === id ? found.words : ""));
  useFoundWords(scroller, MARKED_TEXTS, words);
  useEffect(() => (): void => markWords(id, ""), [id]);
}

/** The rows that are in the document; it begins where one was, else at the first unread one, else at the end. */
function useRows(scroller: { readonly current: HTMLElement | null }, { id, rows, hasNewer, onAtEnd }: MessageListProps): ShownRows {
  const keys = useKeys(rows);
  const [heights] = useState(() => new RowEstimate());
  const estimate = useCallback((index: number) => heights.of(rows[index]), [heights, rows]);
  const learn = useCallback((index: number, height: number) => heights.learn(rows[index], height), [heights, rows]);
  const start = (): Place => {
    const row = startRow(rows, useInboxStore.getState().places[id]);
    return row === undefined ? AT_END : { kind: "row", key: row.key, offset: 0 };
  };
  return useRowWindow({ scroller, keys, estimate, learn, isWhole: !hasNewer, start, onAtEnd });
}

/** Keys of the rows: the same list while only what is in the rows changes, so that the browser has nothing to lay out for it. */
function useKeys(rows: readonly ChatRow[]): readonly string[] {
  const [known, setKnown] = useState<readonly string[]>([]);
  const keys = useMemo(() => {
    const isSame = known.length === rows.length && rows.every(({ key }, at) => key === known[at]);
    return isSame ? known : rows.map(({ key }) => key);
  }, [known, rows]);
  if (keys !== known) setKnown(keys);
  return keys;
}

/** A press with Ctrl or Shift beside links and buttons begins to select. */
function useSelectByPress(scroller: { readonly current: HTMLElement | null }, { id, rows }: MessageListProps): void {
  const press = useEffectEvent((event: MouseEvent) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
    const target = event.target instanceof Element ? event.target : undefined;
    const pressed = target?.closest<HTMLElement>("[data-row]")?.dataset.row;
    const row = rows.find(({ key }) => key === pressed);
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

/** The menu of a message is there for the first press, also while rows still move. */
function useRestAtPress(scroller: RefObject<HTMLElement | null>, rest: ScrollRest): void {
  useEffect(() => {
    const element = scroller.current;
    const listener = ({ target }: MouseEvent): void => {
      if (target instanceof Node) rest.restAt(target);
    };
    element?.addEventListener("contextmenu", listener, { capture: true });
    return (): void => element?.removeEventListener("contextmenu", listener, { capture: true });
  }, [scroller, rest]);
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

/** What the list asks for on the way, and what it remembers; returns the way to the newest message. */
function useScrolling({ rowWindow, range }: ShownRows, hasWords: boolean, props: MessageListProps): () => void {
  const { id, rows, hasOlder, hasNewer, isLoading, onLoadOlder, onLoadNewer } = props;
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setDrawn(true));
    return (): void => cancelAnimationFrame(frame);
  }, []);
  useEffect(() => {
    if (!isDrawn || isLoading) return;
    if (hasOlder && range.first < LOAD_AHEAD_ROWS) onLoadOlder(hasWords);
    else if (hasNewer && range.end > rows.length - LOAD_AHEAD_ROWS) onLoadNewer(hasWords);
  });
  const leave = useEffectEvent(() => {
    const row = rows.slice(rowWindow.topRow).find(({ kind }) => kind === "message" || kind === "album");
    rememberPosition(id, rowWindow.isAtEnd || row === undefined ? undefined : row.key);
  });
  useEffect(() => (): void => leave(), []);
  return useNewest(props, () => rowWindow.goTo(AT_END));
}

/** The way to the newest message, which may have to be loaded first. Sending leads there. */
function useNewest({ newest, hasNewer, onLoadNewest }: MessageListProps, toEnd: () => void): () => void {
  const [isWanted, setWanted] = useState(false);
  const go = useEffectEvent((isFar = hasNewer) => {
    setWanted(isFar);
    if (isFar) onLoadNewest();
    else toEnd();
  });
  const ownNewest = newest?.direction === "out" ? newest.key : undefined;
  const [firstOwnNewest] = useState(ownNewest);
  useEffect(() => {
    if (ownNewest !== undefined && ownNewest !== firstOwnNewest) go();
  }, [ownNewest, firstOwnNewest]);
  useEffect(() => {
    if (isWanted) go(hasNewer);
  }, [isWanted, hasNewer]);
  return () => setWanted(true);
}

/** Goes to a message that was wished for, loading back to it; returns the one that is marked for a moment. */
function useJump(rowWindow: RowWindow, { id, rows, onLoadBack }: MessageListProps): MessageKey | undefined {
  const jump = useChatIntents((intents) => (intents.jump?.conversation === id ? intents.jump : null));
  const [marked, setMarked] = useState<MessageKey>();
  const row = jump === null ? undefined : rows.find((candidate) => holdsMessage(candidate, jump.key));
  const go = useEffectEvent((wish: JumpWish, row: ChatRow | undefined) => {
    if (row === undefined) {
      onLoadBack(wish.at);
      return;
    }
    rowWindow.goTo({ kind: "center", key: row.key });
    setMarked(wish.key);
    jumpTo(null);
  });
  useEffect(() => {
    if (jump !== null) go(jump, row);
  }, [jump, row]);
  useEffect(() => {
    if (marked === undefined) return undefined;
    const timer = setTimeout(() => setMarked(undefined), MARK_MS);
    return (): void => clearTimeout(timer);
  }, [marked]);
  return marked;
}

/** The row to begin at: where one was, else the first unread one; undefined for the end. */
function startRow(rows: readonly ChatRow[], left: string | undefined): ChatRow | undefined {
  return rows.find((row) => (left === undefined ? row.kind === "unread" : holdsMessage(row, left)));
}
