// All who wait for an answer, in one queue: who paid to ask, who wrote without being a contact, and groups of people one does not know.
import { useMemo } from "react";
import type { ConversationSummary, GroupSummary } from "#shared/messenger/model/conversation.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import { useMessengerValue } from "../../messenger/messenger-context.tsx";
import { type ContactDirectory, entryOf } from "./contact-directory.ts";
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
    const invites = invitesOf(conversations);
    return { writers, invites, count: directory.requests.length + writers.length + invites.length };
  }, [conversations, directory]);
}

/** What was put away has been answered. */
function waits({ isRequest, isBlocked, isArchived }: Pick<Chat, "isRequest" | "isBlocked" | "isArchived">): boolean {
  return isRequest && !isBlocked && !isArchived;
}

/** People of message requests, the latest first. */
export function writersOf(conversations: readonly Omit<Chat, "id" | "group">[], directory: ContactDirectory): readonly PublicKeyHex[] {
  return conversations.flatMap((chat) => {
    if (chat.kind !== "person" || chat.peer === null || !waits(chat)) return [];
    const { relation } = entryOf(directory, chat.peer);
    return relation === "none" || relation === "sent" ? [chat.peer] : [];
  });
}

/** Groups of strangers, the latest first; not those that one has left. */
export function invitesOf(conversations: readonly Chat[]): readonly GroupInvite[] {
  return conversations.flatMap((chat) =>
    chat.kind === "group" && chat.group?.isMember === true && waits(chat)
      ? [{ id: chat.id, title: visibleText(chat.group.name), admin: chat.group.admin }]
      : [],
  );
}
