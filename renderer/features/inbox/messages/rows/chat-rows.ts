// The messages of a chat as rows: days between them, a mark above the unread ones, neighbours of one author joined. Pure.
import type { ChatMessage, MessageKey } from "#shared/messenger/model/message.ts";
import { isSameDay } from "../../model/list-time.ts";
import { chatPayments, type Receipt } from "../../payments/chat-payments.ts";
import type { ChatRow, MessageRowShape } from "./chat-row.ts";
import { joinAlbums } from "./join-albums.ts";

/** Messages of one author within this time belong together. */
const GROUP_MS = 5 * 60_000;
const NO_CLAIMS: readonly Receipt[] = [];
const lastRows = new WeakMap<ChatMessage, MessageRowShape>();

/** What the rows are made of. */
export interface ChatRowSources {
  /** Oldest first. */
  readonly messages: readonly ChatMessage[];
  /** Known, but not in the list: their payments count. */
  readonly apart: readonly ChatMessage[];
  readonly hasOlder: boolean;
  /** The first message that was unread when the chat came into view. */
  readonly firstUnread: MessageKey | undefined;
  readonly isTyping: boolean;
}

/** Rows, oldest first. */
export function chatRows(sources: ChatRowSources): readonly ChatRow[] {
  const { messages, apart, hasOlder, firstUnread, isTyping } = sources;
  const { claims, repeated } = chatPayments(apart.length === 0 ? messages : [...apart, ...messages]);
  const rows: ChatRow[] = hasOlder ? [] : [{ kind: "beginning", key: "beginning" }];
  messages.forEach((message, index) => {
    const previous = messages[index - 1];
    const next = messages[index + 1];
    if (previous === undefined || !isSameDay(previous.at, message.at))
      rows.push({ kind: "day", key: `day:${message.key}`, at: message.at });
    if (message.key === firstUnread) rows.push({ kind: "unread", key: "unread" });
    rows.push(
      steady({
        kind: "message",
        key: message.key,
        message,
        isFirst: previous === undefined || message.key === firstUnread || !belongTogether(previous, message),
        isLast: next === undefined || next.key === firstUnread || !belongTogether(message, next),
        claims: claims.get(message.key) ?? NO_CLAIMS,
        isRepeated: repeated.has(message.key),
      }),
    );
  });
  if (isTyping) rows.push({ kind: "typing", key: "typing" });
  return joinAlbums(rows);
}

/** The row that a message had when it was asked for last, where it is the same: a page that comes leaves the rows that are there alone. */
function steady(row: MessageRowShape): MessageRowShape {
  const before = lastRows.get(row.message);
  const isSame =
    before?.isFirst === row.isFirst &&
    before.isLast === row.isLast &&
    before.isRepeated === row.isRepeated &&
    before.claims.length === row.claims.length &&
    before.claims.every((claim, index) => claim === row.claims[index]);
  if (isSame) return before;
  lastRows.set(row.message, row);
  return row;
}

/** The oldest loaded message that is unread; once one has answered, the oldest after the newest own one. */
export function firstUnreadOf(messages: readonly ChatMessage[], isAnswered = false): MessageKey | undefined {
  const after = isAnswered ? messages.findLastIndex(({ direction }) => direction === "out") : -1;
  return messages.find(({ isUnread }, index) => index > after && isUnread)?.key;
}

/** True once all unread messages are loaded: only then the first of them is known, and is where the chat opens. */
export function hasAllUnread(messages: readonly ChatMessage[], unread: number): boolean {
  return messages.filter(({ isUnread }) => isUnread).length >= unread;
}

function belongTogether(a: ChatMessage, b: ChatMessage): boolean {
  return a.direction === b.direction && a.author === b.author && b.at - a.at < GROUP_MS && isSameDay(a.at, b.at) && a.state !== "failed";
}
