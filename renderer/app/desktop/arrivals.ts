// Whether something has come that rings. A chat that is marked as unread counts, and one that rings again counts all that came while it was
// silent: neither is new. Pure.
import { type ConversationSummary, ringingIn } from "#shared/messenger/model/conversation.ts";

/** What of chats was announced. */
export interface Arrivals extends Pick<ConversationSummary, "unread" | "mentions"> {
  /** Messages that ring. */
  readonly ringing: number;
}

/** Of all these chats together. */
export function arrivalsIn(conversations: readonly ConversationSummary[], nowMs: number): Arrivals {
  const sum = (countOf: (conversation: ConversationSummary) => number): number =>
    conversations.reduce((total, conversation) => total + countOf(conversation), 0);
  return {
    ringing: sum((conversation) => ringingIn(conversation, nowMs)),
    unread: sum(({ unread }) => unread),
    mentions: sum(({ mentions }) => mentions),
  };
}

/** True where something came between two moments that rings. */
export function hasRung(before: Arrivals, now: Arrivals): boolean {
  return now.ringing > before.ringing && (now.unread > before.unread || now.mentions > before.mentions);
}
