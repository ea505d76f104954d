// Who has written without being a contact: with those who paid for a request they are the people who want to reach one.
import { useMemo } from "react";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { type ContactDirectory, entryOf } from "#renderer/lib/people/contacts/contact-directory.ts";
import type { ConversationSummary } from "#shared/messenger/model/conversation.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** People of message requests, the latest first; those whose paid request is listed are not among them. */
export function useWriters(directory: ContactDirectory): readonly PublicKeyHex[] {
  const conversations = useMessengerValue((messenger) => messenger.conversations);
  return useMemo(() => writersOf(conversations, directory), [conversations, directory]);
}

/** The same, of the conversations there are. */
export function writersOf(
  conversations: readonly Pick<ConversationSummary, "kind" | "peer" | "isRequest" | "isBlocked" | "isArchived">[],
  directory: ContactDirectory,
): readonly PublicKeyHex[] {
  return conversations.flatMap(({ kind, peer, isRequest, isBlocked, isArchived }) => {
    if (kind !== "person" || peer === null || !isRequest || isBlocked || isArchived) return [];
    const { relation } = entryOf(directory, peer);
    return relation === "none" || relation === "sent" ? [peer] : [];
  });
}
