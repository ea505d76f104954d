// Brings the focus to the row of a chat that was closed: what had it is gone with the chat.
import type { ConversationId } from "#shared/messenger/model/message.ts";

/** Focuses the row where nothing else has the focus. */
export function focusRow(id: ConversationId): void {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>(`[data-conversation="${CSS.escape(id)}"]`)?.focus();
}
