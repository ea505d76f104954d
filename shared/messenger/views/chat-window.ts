// What of a chat is in memory: a run of messages without gaps, and single ones apart from it that are still needed. Pure.
import type { ChatMessage, MessageKey } from "../model/message.ts";
import { comparePositions, type MessagePosition } from "../model/records.ts";

/** Messages loaded at a time, and of the newest those that stay when one is far from them. */
export const CHAT_PAGE = 50;
/** Most messages on each side of the run that are kept for what they say about others: so many receipts, and as many that are unread. */
export const MAX_APART = 1_000;

/** The loaded part of a chat. All lists are oldest first. */
export interface ChatWindow {
  /** Without gaps: no message of the chat lies between two of these. */
  readonly messages: readonly ChatMessage[];
  /** Let go of, but still needed: the newest ones, receipts of payments, what is unread, what is held. None of them is in the run. */
  readonly apart: readonly ChatMessage[];
  readonly hasOlder: boolean;
  /** The newest messages are not in the run. */
  readonly hasNewer: boolean;
  /** Of what is apart, all from here on are there without gaps; undefined while the run reaches the newest. */
  readonly tail: MessagePosition | undefined;
}

/** Nothing is loaded yet. */
export const EMPTY_WINDOW: ChatWindow = { messages: [], apart: [], hasOlder: true, hasNewer: false, tail: undefined };

/** With a page before or after the run; what is there already stays as it is. */
export function withPage(window: ChatWindow, page: readonly ChatMessage[], side: "older" | "newer", isLast: boolean): ChatWindow {
  const known = new Map([...window.messages, ...window.apart].map((message) => [message.key, message]));
  const inRun = new Set(window.messages.map(({ key }) => key));
  const more = page.filter(({ key }) => !inRun.has(key)).map((message) => known.get(message.key) ?? message);
  const messages = sorted([...window.messages, ...more]);
  const apart = without(window.apart, new Set(more.map(({ key }) => key)));
  const end = side === "older" ? { hasOlder: !isLast } : { hasNewer: !isLast, tail: isLast ? undefined : window.tail };
  return joined({ ...window, ...end, messages, apart });
}

/** What is apart and lies within the run belongs to it: it was committed after the page was read that has its neighbours. */
function joined(window: ChatWindow): ChatWindow {
  const within = window.apart.filter((message) => isInRun(window, message));
  if (within.length === 0) return window;
  const apart = without(window.apart, new Set(within.map(({ key }) => key)));
  return { ...window, messages: sorted([...window.messages, ...within]), apart };
}

/** Without the messages of one end of the run above a number, but for what is still needed of them. */
export function letGo(window: ChatWindow, side: "older" | "newer", keep: number, held: ReadonlySet<MessageKey>): ChatWindow {
  const { messages } = window;
  if (messages.length <= keep) return window;
  const stay = side === "newer" ? messages.slice(0, keep) : messages.slice(-keep);
  const gone = side === "newer" ? messages.slice(keep) : messages.slice(0, -keep);
  const tail = side === "newer" && !window.hasNewer ? positionOf(messages.at(-CHAT_PAGE) ?? messages[0]) : window.tail;
  const ends = side === "newer" ? { hasNewer: true, tail } : { hasOlder: true };
  return pruned({ ...window, ...ends, messages: stay, apart: sorted([...window.apart, ...gone]) }, held);
}

/** The run of the newest messages instead of the one that is loaded. */
export function atNewest(window: ChatWindow, held: ReadonlySet<MessageKey>): ChatWindow {
  const { tail } = window;
  if (!window.hasNewer || tail === undefined) return window;
  const all = sorted([...window.messages, ...window.apart]);
  const from = all.findIndex((message) => comparePositions(message, tail) >= 0);
  const [apart, messages] = from === -1 ? [all, []] : [all.slice(0, from), all.slice(from)];
  return pruned({ messages, apart, hasOlder: true, hasNewer: false, tail: undefined }, held);
}

/** With what was committed: messages in their present state, and which are gone. What is in none of the loaded parts comes with its page. */
export function withCommit(
  window: ChatWindow,
  changed: readonly ChatMessage[],
  gone: ReadonlySet<MessageKey>,
  held: ReadonlySet<MessageKey>,
): ChatWindow {
  const run = new Map(without(window.messages, gone).map((message) => [message.key, message]));
  const apart = new Map(without(window.apart, gone).map((message) => [message.key, message]));
  for (const message of changed)
    if (run.has(message.key) || isInRun(window, message)) run.set(message.key, message);
    else if (apart.has(message.key) || isApart(window, message, held)) apart.set(message.key, message);
  const next = { ...window, messages: sorted([...run.values()]), apart: sorted([...apart.values()]) };
  if (next.messages.length === 0) return atNewest(next, held);
  return pruned(shortTail(next), held);
}

/** Of the newest message of the chat, as far as it is known. */
export function newestOf({ messages, apart, hasNewer }: ChatWindow): ChatMessage | undefined {
  return (hasNewer ? apart.at(-1) : undefined) ?? messages.at(-1);
}

/** What is older than everything loaded comes with its page, and so does what is newer. */
function isInRun({ messages, hasOlder, hasNewer }: ChatWindow, message: ChatMessage): boolean {
  const [oldest, newest] = [messages[0], messages.at(-1)];
  const isAfterOldest = !hasOlder || (oldest !== undefined && comparePositions(oldest, message) < 0);
  return isAfterOldest && (!hasNewer || (newest !== undefined && comparePositions(message, newest) < 0));
}

function isApart({ messages, hasNewer, tail }: ChatWindow, message: ChatMessage, held: ReadonlySet<MessageKey>): boolean {
  const newest = messages.at(-1);
  if (!hasNewer || tail === undefined || newest === undefined || comparePositions(message, newest) < 0) return false;
  return comparePositions(message, tail) >= 0 || isNeeded(message, held);
}

/** Of what arrives while one is far away, not all stays. */
function shortTail(window: ChatWindow): ChatWindow {
  const { tail, apart } = window;
  if (tail === undefined) return window;
  const length = apart.filter((message) => comparePositions(message, tail) >= 0).length;
  return length < 2 * CHAT_PAGE ? window : { ...window, tail: positionOf(apart.at(-CHAT_PAGE)) };
}

function pruned(window: ChatWindow, held: ReadonlySet<MessageKey>): ChatWindow {
  const { messages, apart, tail } = window;
  const oldest = messages[0];
  const isTail = (message: ChatMessage): boolean => tail !== undefined && comparePositions(message, tail) >= 0;
  const needed = apart.filter((message) => !isTail(message) && !held.has(message.key) && isNeeded(message, held));
  const isOlder = (message: ChatMessage): boolean => oldest !== undefined && comparePositions(message, oldest) < 0;
  // A receipt comes soon after what it answers, and the first of what is unread is looked for; what is unread takes no room from receipts.
  const ofKind = (areReceipts: boolean): readonly ChatMessage[] => needed.filter((message) => isReceipt(message) === areReceipts);
  const near = new Set([true, false].flatMap((areReceipts) => nearest(ofKind(areReceipts), isOlder)));
  const kept = apart.filter((message) => isTail(message) || held.has(message.key) || near.has(message));
  return { ...window, apart: isSame(kept, apart) ? apart : kept };
}

/** So many on each side of the run as are nearest to it. */
function nearest(messages: readonly ChatMessage[], isOlder: (message: ChatMessage) => boolean): readonly ChatMessage[] {
  return [...messages.filter(isOlder).slice(-MAX_APART), ...messages.filter((message) => !isOlder(message)).slice(0, MAX_APART)];
}

function isReceipt({ body }: ChatMessage): boolean {
  return body.kind === "pay.receipt";
}

function isNeeded(message: ChatMessage, held: ReadonlySet<MessageKey>): boolean {
  return isReceipt(message) || message.isUnread || held.has(message.key);
}

function positionOf(message: ChatMessage | undefined): MessagePosition | undefined {
  return message && { at: message.at, key: message.key };
}

function without(messages: readonly ChatMessage[], gone: ReadonlySet<MessageKey>): readonly ChatMessage[] {
  return gone.size === 0 ? messages : messages.filter(({ key }) => !gone.has(key));
}

function isSame(a: readonly ChatMessage[], b: readonly ChatMessage[]): boolean {
  return a.length === b.length && a.every((message, index) => message === b[index]);
}

function sorted(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return [...messages].sort(comparePositions);
}
