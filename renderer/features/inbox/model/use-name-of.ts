// Names of the people of a chat in sentences: "You" for oneself, else the name, else the short address.
import { useCallback, useMemo } from "react";
import { shorten } from "#renderer/lib/format/key.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNames } from "#renderer/lib/people/names/use-names.ts";
import type { ConversationSummary } from "#shared/messenger/model/conversation.ts";
import type { MessageBody } from "#shared/messenger/model/message.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { ConversationHeader } from "./conversation-header.tsx";
import type { NameOf } from "./message-text.ts";

const NO_MEMBERS: readonly PublicKeyHex[] = [];

/** Names of these people. */
export function useNameOf(people: readonly PublicKeyHex[]): NameOf {
  const t = useMessages();
  const { masterPub } = useAccount();
  const key = people.join(" ");
  const names = useNames(useMemo(() => (key === "" ? NO_MEMBERS : key.split(" ")), [key]));
  return useCallback(
    (person) => (person === masterPub ? t("common.you") : (names.get(person) ?? shorten(formatAddress(person)))),
    [t, masterPub, names],
  );
}

/** Names of the members of a group. */
export function useMemberNames(header: ConversationHeader): NameOf {
  return useNameOf(header.kind === "group" && header.group !== null ? header.group.members : NO_MEMBERS);
}

/** Names of those of whom the last message of a conversation speaks. */
export function useNamesInLast({ lastMessage }: Pick<ConversationSummary, "lastMessage">): NameOf {
  const author = lastMessage?.author ?? null;
  const about = lastMessage?.body.kind === "group.note" ? lastMessage.body.person : null;
  return useNameOf([author, about, ...mentionedIn(lastMessage?.body)].filter((person) => person !== null));
}

/** People whom a message names. */
export function mentionedIn(body: MessageBody | undefined): readonly PublicKeyHex[] {
  return body !== undefined && "mentions" in body ? (body.mentions ?? []).map(({ person }) => person) : NO_MEMBERS;
}
