// A chat as lists show it, without anything in it.
import type { ConversationSummary } from "#shared/messenger/model/conversation.ts";

/** A chat with these properties; of a person unless they say otherwise. */
export function conversationSummary(id: string, changes: Partial<ConversationSummary> = {}): ConversationSummary {
  return {
    id,
    kind: "person",
    peer: id,
    devicePub: null,
    pins: [],
    asks: 0,
    mutesMentions: false,
    mentions: 0,
    isMarkedUnread: false,
    folders: [],
    group: null,
    isRequest: false,
    isBlocked: false,
    isPinned: false,
    isArchived: false,
    mutedUntil: 0,
    expiresInS: 0,
    unread: 0,
    lastMessage: null,
    draft: "",
    isTyping: false,
    updatedAt: 1,
    ...changes,
  };
}
