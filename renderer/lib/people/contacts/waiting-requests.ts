// All that waits for an answer, in one queue: contacts' requests for money, who paid to ask, who wrote without being a contact, groups of
// people one does not know, and devices of which no one knows whose they are.
import { useMemo } from "react";
import type { ConversationSummary, GroupSummary } from "#shared/messenger/model/conversation.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import { useMessengerValue } from "../../messenger/messenger-context.tsx";
import { type ContactDirectory, type ContactRelation, entryOf } from "./contact-directory.ts";
import { useContactDirectory } from "./use-contact-directory.ts";

/** A group that a stranger took one into. */
export interface GroupInvite {
  readonly id: ConversationId;
  readonly title: string;
  /** Who keeps the group. */
  readonly admin: PublicKeyHex;
}

/** Those beside the requests that were paid for, which the directory has. */
export interface WaitingRequests {
  /** People of message requests, the latest first; those whose paid request is listed are not among them. */
  readonly writers: readonly PublicKeyHex[];
  readonly invites: readonly GroupInvite[];
  /** Chats of devices of which it is not known whose they are, the latest first. */
  readonly unknown: readonly ConversationId[];
  /** Requests of contacts for money. */
  readonly asks: number;
  /** Of all, with those who paid. */
  readonly count: number;
}

interface Chat extends Pick<ConversationSummary, "id" | "kind" | "peer" | "isRequest" | "isBlocked" | "isArchived"> {
  readonly group: Pick<GroupSummary, "name" | "admin" | "isMember"> | null;
}

export function useWaitingRequests(): WaitingRequests {
  const { directory } = useContactDirectory();
  const conversations = useMessengerValue((messenger) => messenger.conversations);
  return useMemo(() => {
    const writers = writersOf(conversations, directory);
    const invites = invitesOf(conversations, directory);
    const unknown = unknownOf(conversations);
    const asks = asksIn(conversations);
    const people = directory.requests.length + writers.length + invites.length + unknown.length;
    return { writers, invites, unknown, asks, count: people + asks };
  }, [conversations, directory]);
}

/** Requests for money in chats with people whom one knows and has not blocked. */
export function asksIn(conversations: readonly Pick<ConversationSummary, "asks" | "isBlocked">[]): number {
  return conversations.reduce((sum, { asks, isBlocked }) => sum + (isBlocked ? 0 : asks), 0);
}

/** What was put away has been answered. */
function waits({ isRequest, isBlocked, isArchived }: Pick<Chat, "isRequest" | "isBlocked" | "isArchived">): boolean {
  return isRequest && !isBlocked && !isArchived;
}

/** Relations to people whom no other list of the queue has: contacts do not wait, and who paid is listed for that. */
const LISTED_AS_WRITERS: ReadonlySet<ContactRelation> = new Set(["none", "sent", "refused"]);

/** People of message requests, the latest first. */
export function writersOf(conversations: readonly Omit<Chat, "id" | "group">[], directory: ContactDirectory): readonly PublicKeyHex[] {
  return conversations.flatMap((chat) => {
    if (chat.kind !== "person" || chat.peer === null || !waits(chat)) return [];
    const { relation } = entryOf(directory, chat.peer);
    return LISTED_AS_WRITERS.has(relation) ? [chat.peer] : [];
  });
}

/** Groups of strangers, the latest first; not those that one has left, nor those of people whom one has blocked. */
export function invitesOf(conversations: readonly Chat[], directory: ContactDirectory): readonly GroupInvite[] {
  return conversations.flatMap((chat) =>
    chat.kind === "group" && chat.group?.isMember === true && waits(chat) && entryOf(directory, chat.group.admin).relation !== "blocked"
      ? [{ id: chat.id, title: visibleText(chat.group.name), admin: chat.group.admin }]
      : [],
  );
}

/** Chats of devices of which it is not known whose they are, the latest first. */
export function unknownOf(conversations: readonly Omit<Chat, "group">[]): readonly ConversationId[] {
  return conversations.filter((chat) => chat.kind === "unknown" && waits(chat)).map(({ id }) => id);
}
