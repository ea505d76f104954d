// Flags of a conversation, as own other devices set them.
import type { SyncChatBody } from "#shared/content/content.ts";
import type { ConversationId } from "../model/message.ts";
import type { Change } from "./change.ts";

/** Another own device pinned, archived or muted a conversation; the latest holds. */
export function storeChatFlags(
  change: Change,
  conversation: ConversationId,
  {
    flags: { isPinned, isArchived, mutedUntil, ...later },
    at,
  }: { readonly flags: Omit<SyncChatBody, "kind" | "peer">; readonly at: number },
): void {
  const known = change.conversation(conversation).flags;
  if (known !== undefined && at <= known.at) return;
  // What a program does not know of it does not change.
  const mutesMentions = later.mutesMentions ?? known?.mutesMentions;
  change.updateConversation(conversation, {
    flags: { isPinned, isArchived, mutedUntil, ...(mutesMentions !== undefined && { mutesMentions }), at },
  });
}
