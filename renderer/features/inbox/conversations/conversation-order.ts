// Which conversations are in a list, and which one is next to another. Pure.
import type { ChatFolder } from "#shared/content/chat/folder-content.ts";
import type { ConversationSummary } from "#shared/messenger/model/conversation.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { type FolderTab, folderTab, type InboxTab, isFolderTab } from "../model/inbox-store.ts";

/** Conversations of a list, pinned ones first, then as they come (newest first), without blocked strangers and left groups of strangers. */
export function conversationsOf(tab: InboxTab, conversations: readonly ConversationSummary[]): readonly ConversationSummary[] {
  const listed = conversations.filter(
    (conversation) =>
      isIn(conversation, tab) && !(conversation.isRequest && (conversation.isBlocked || conversation.group?.isMember === false)),
  );
  return [...listed.filter(({ isPinned }) => isPinned), ...listed.filter(({ isPinned }) => !isPinned)];
}

/**
 * The list to show instead of the chosen one, or undefined for that one: the chats once it is empty, and once the open conversation has gone
 * there, as an archived one that is brought back does. Only the chats take one along: what is archived is put away. A folder may be empty.
 */
export function listInstead(
  chosen: InboxTab,
  conversations: readonly ConversationSummary[],
  open: { readonly before: InboxTab | undefined; readonly now: InboxTab | undefined; readonly folders: readonly ChatFolder[] },
): InboxTab | undefined {
  if (chosen === "chats") return undefined;
  // What was in a folder that is gone still names it.
  if (isFolderTab(chosen)) return open.folders.some(({ id }) => folderTab(id) === chosen) ? undefined : "chats";
  const hasLeft = open.before === chosen && open.now === "chats";
  return hasLeft || conversationsOf(chosen, conversations).length === 0 ? "chats" : undefined;
}

function isIn(conversation: ConversationSummary, tab: InboxTab): boolean {
  const list = listOf(conversation);
  return list === tab || (list === "chats" && conversation.folders.some((id) => folderTab(id) === tab));
}

/** The list that a conversation is in, apart from folders; undefined for requests, which are at the contacts. */
export function listOf({ isRequest, isArchived }: ConversationSummary): Exclude<InboxTab, FolderTab> | undefined {
  if (isArchived) return "archived";
  return isRequest ? undefined : "chats";
}

export interface ChatStep {
  readonly step: 1 | -1;
  readonly isUnreadOnly: boolean;
}

/** The conversation below (1) or above (-1) the selected one; the first or last one when none is selected. It does not wrap around. */
export function neighbourOf(
  conversations: readonly ConversationSummary[],
  selected: ConversationId | undefined,
  { step, isUnreadOnly }: ChatStep,
): ConversationId | undefined {
  const at = conversations.findIndex(({ id }) => id === selected);
  const start = at === -1 && step === -1 ? conversations.length : at;
  for (let index = start + step; index >= 0 && index < conversations.length; index += step) {
    const conversation = conversations[index];
    if (conversation !== undefined && (!isUnreadOnly || conversation.unread > 0 || conversation.isMarkedUnread)) return conversation.id;
  }
  return undefined;
}
