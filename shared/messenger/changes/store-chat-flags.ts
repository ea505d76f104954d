// Flags of a conversation, as own other devices set them.
import type { SyncChatBody } from "#shared/content/content.ts";
import type { ConversationId } from "../model/message.ts";
import type { Change } from "./change.ts";

/** Another own device pinned, archived or muted a conversation; the latest holds. */
export function storeChatFlags(
  change: Change,
  conversation: ConversationId,
  { flags: { isPinned, isArchived, mutedUntil }, at }: { readonly flags: Omit<SyncChatBody, "kind" | "peer">; readonly at: number },
): void {
  const known = change.conversation(conversation).flags;
  if (known === undefined || at > known.at) change.updateConversation(conversation, { flags: { isPinned, isArchived, mutedUntil, at } });
}
