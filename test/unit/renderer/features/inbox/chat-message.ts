// A message of a chat with nothing special about it.
import type { ChatMessage } from "#shared/messenger/model/message.ts";

/** One's own text, at the beginning of time. */
export function chatMessage(key: string, changes: Partial<ChatMessage> = {}): ChatMessage {
  return {
    key,
    id: key,
    at: 0,
    direction: "out",
    body: { kind: "text", text: key },
    state: null,
    problem: null,
    isEdited: false,
    wordings: null,
    cameLateAt: null,
    reactions: [],
    expiresAt: null,
    expiresInS: null,
    transfer: null,
    payment: null,
    author: null,
    deliveries: null,
    isPinned: false,
    isStarred: false,
    reached: {},
    arrivedAt: null,
    poll: null,
    call: null,
    program: null,
    sentBy: null,
    isOpenToTheft: false,
    isOnOtherDevice: false,
    isUnread: false,
    ...changes,
  };
}
