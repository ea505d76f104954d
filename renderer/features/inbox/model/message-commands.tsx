// Commands of the palette that write to a person. The shell mounts them, so that they are there in every view.
import { useNavigate } from "@tanstack/react-router";
import { Bookmark, MessageCircle, SquarePen, UserPlus, Users } from "lucide-react";
import { useCallback, useMemo } from "react";
import type { Command } from "#renderer/lib/commands/command-store.ts";
import { useCommandSource, useCommands } from "#renderer/lib/commands/use-commands.ts";
import { shorten } from "#renderer/lib/format/key.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import { findPeople } from "#renderer/lib/people/find-people.ts";
import { useNames } from "#renderer/lib/people/names/use-names.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { useFoundCommands } from "./use-found-commands.ts";

/** People offered before anything is typed: the ones one wrote with last. */
const MAX_RECENT = 6;
/** People offered for what is typed. */
const MAX_FOUND = 12;
const NO_PEOPLE: readonly PublicKeyHex[] = [];

export interface MessageCommandsProps {
  /** The palette is open, so all names are needed. */
  readonly isAsked: boolean;
}

/** Renders nothing. */
export function MessageCommands({ isAsked }: MessageCommandsProps): null {
  useCommands(useGeneralCommands());
  usePeopleCommands(isAsked);
  useCommands(useGroupCommands());
  useFoundCommands();
  return null;
}

function useGeneralCommands(): readonly Command[] {
  const t = useMessages();
  const navigate = useNavigate();
  const { masterPub } = useAccount();
  return useMemo(
    () => [
      {
        id: "message-new",
        group: "actions",
        label: t("inbox.new"),
        icon: SquarePen,
        keywords: "write chat",
        run: () => void navigate({ to: "/inbox/new" }),
      },
      {
        id: "message-group",
        group: "actions",
        label: t("inbox.newGroup"),
        icon: Users,
        keywords: "chat people",
        run: () => void navigate({ to: "/inbox/new-group" }),
      },
      {
        id: "message-self",
        group: "actions",
        label: t("inbox.noteToSelf"),
        icon: Bookmark,
        keywords: "message chat",
        run: () => void navigate({ to: "/inbox/$conversation", params: { conversation: masterPub } }),
      },
      {
        id: "contact-add",
        group: "actions",
        label: t("contacts.add"),
        icon: UserPlus,
        keywords: "request",
        run: () => void navigate({ to: "/contacts/new" }),
      },
    ],
    [t, navigate, masterPub],
  );
}

/** The latest chats at once, all people by name, address or key. */
function usePeopleCommands(isAsked: boolean): void {
  const t = useMessages();
  const navigate = useNavigate();
  const people = useKnownPeople();
  const names = useNames(isAsked ? people : NO_PEOPLE);
  const commandOf = useCallback(
    (publicKey: PublicKeyHex): Command => {
      const address = formatAddress(publicKey);
      return {
        id: `message:${publicKey}`,
        group: "people",
        label: t("inbox.commandMessage", { name: names.get(publicKey) ?? shorten(address) }),
        detail: shorten(address),
        icon: MessageCircle,
        run: () => void navigate({ to: "/inbox/$conversation", params: { conversation: publicKey } }),
      };
    },
    [t, navigate, names],
  );
  const found = useCallback(
    (query: string) => {
      if (!isAsked) return [];
      const typed = { text: query.replace(/^@/, ""), command: t("inbox.commandMessage", { name: "" }) };
      return findPeople(people, names, typed).slice(0, MAX_FOUND).map(commandOf);
    },
    [t, isAsked, people, names, commandOf],
  );
  useCommandSource(found);
  useCommands(useMemo(() => (isAsked ? people.slice(0, MAX_RECENT).map(commandOf) : []), [isAsked, people, commandOf]));
}

function useGroupCommands(): readonly Command[] {
  const t = useMessages();
  const navigate = useNavigate();
  const key = useMessengerValue(({ conversations }) =>
    JSON.stringify(conversations.flatMap(({ id, group, isRequest }) => (group === null || isRequest ? [] : [[id, group.name]]))),
  );
  return useMemo(
    () =>
      (JSON.parse(key) as readonly (readonly [ConversationId, string])[]).map(([id, name]) => ({
        id: `message:${id}`,
        group: "people",
        label: t("inbox.commandMessage", { name }),
        icon: Users,
        keywords: "group",
        run: () => void navigate({ to: "/inbox/$conversation", params: { conversation: id } }),
      })),
    [t, navigate, key],
  );
}

/** People in chats, the latest first, then contacts; a new array only when a person comes or goes. */
function useKnownPeople(): readonly PublicKeyHex[] {
  const { directory } = useContactDirectory();
  const inChats = useMessengerValue(({ conversations }) =>
    conversations.flatMap(({ kind, peer, isRequest }) => (kind === "person" && peer !== null && !isRequest ? [peer] : [])).join(" "),
  );
  return useMemo(
    () => [...new Set([...(inChats === "" ? [] : inChats.split(" ")), ...directory.people.map(({ publicKey }) => publicKey)])],
    [inChats, directory],
  );
}
