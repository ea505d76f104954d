// Commands of the palette that write to somebody. The shell mounts them, so that they are there in every view.
import { useNavigate } from "@tanstack/react-router";
import { Bookmark, MessageCircle, SquarePen, UserPlus, Users } from "lucide-react";
import { useMemo } from "react";
import type { Command } from "#renderer/lib/commands/command-store.ts";
import { useCommands } from "#renderer/lib/commands/use-commands.ts";
import { shorten } from "#renderer/lib/format/key.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import { useContactBook } from "#renderer/lib/people/use-contact-book.ts";
import { useNames } from "#renderer/lib/people/use-names.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/address.ts";
import { usePaymentTelling } from "./payment-teller.ts";
import { useFoundCommands } from "./use-found-commands.ts";

/** People offered at most. */
const MAX_PEOPLE = 200;

/** Renders nothing. */
export function MessageCommands(): null {
  useCommands(useGeneralCommands());
  useCommands(usePeopleCommands());
  useCommands(useGroupCommands());
  useFoundCommands();
  usePaymentTelling();
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
        label: t("inbox.addContact"),
        icon: UserPlus,
        keywords: "request",
        run: () => void navigate({ to: "/contacts/new" }),
      },
    ],
    [t, navigate, masterPub],
  );
}

function usePeopleCommands(): readonly Command[] {
  const t = useMessages();
  const navigate = useNavigate();
  const people = useKnownPeople();
  const names = useNames(people);
  return useMemo(
    () =>
      people.map((publicKey) => {
        const address = formatAddress(publicKey);
        return {
          id: `message:${publicKey}`,
          group: "people",
          label: t("inbox.commandMessage", { name: names.get(publicKey) ?? shorten(address) }),
          detail: shorten(address),
          icon: MessageCircle,
          keywords: `${address} ${publicKey}`,
          run: () => void navigate({ to: "/inbox/$conversation", params: { conversation: publicKey } }),
        };
      }),
    [t, navigate, people, names],
  );
}

function useGroupCommands(): readonly Command[] {
  const t = useMessages();
  const navigate = useNavigate();
  const { conversations } = useMessengerSnapshot();
  const groups = conversations.flatMap(({ id, group, isRequest }) => (group === null || isRequest ? [] : [[id, group.name] as const]));
  const key = JSON.stringify(groups);
  return useMemo(
    () =>
      (JSON.parse(key) as typeof groups).map(([id, name]) => ({
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

/** Contacts and people in chats; a new array only when somebody comes or goes. */
function useKnownPeople(): readonly PublicKeyHex[] {
  const contacts = useContactBook().book.people.map(({ publicKey }) => publicKey);
  const { conversations } = useMessengerSnapshot();
  const inChats = conversations.flatMap(({ kind, peer, isRequest }) => (kind === "person" && peer !== null && !isRequest ? [peer] : []));
  const keys = [...new Set([...inChats, ...contacts])].slice(0, MAX_PEOPLE).toSorted().join(" ");
  return useMemo(() => (keys === "" ? [] : keys.split(" ")), [keys]);
}
