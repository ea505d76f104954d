// Opens the shell's window for what waits, with the people and groups that the person may choose for a program.
import { useMutation } from "@tanstack/react-query";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { shorten } from "#renderer/lib/format/key.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { useContactKeys } from "#renderer/lib/people/contacts/use-is-contact.ts";
import { useNames } from "#renderer/lib/people/names/use-names.ts";
import { MAX_OFFERED_PEOPLE } from "#shared/apps/app-limits.ts";
import type { DesktopApi } from "#shared/desktop/desktop-api.ts";
import type { OfferedPerson } from "#shared/desktop/desktop-apps.ts";
import { groupOf } from "#shared/messenger/model/conversation-id.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";

const MAX_NAME_CHARS = 128;

/** The way to the window, by a click. */
export function useOpenApprovals(desktop: DesktopApi): { readonly open: () => void; readonly isOpening: boolean } {
  const t = useMessages();
  const toasts = useToasts();
  const people = useOfferedPeople();
  const { mutate, isPending } = useMutation({
    mutationFn: () => desktop.call("openApprovals", { people: [...people] }),
    onSuccess: (isOpen) => {
      if (!isOpen) toasts.show({ title: t("apps.nothingWaits") });
    },
    onError: toasts.showError,
  });
  return { open: (): void => mutate(), isOpening: isPending };
}

function useOfferedPeople(): readonly OfferedPerson[] {
  const { masterPub } = useAccount();
  const contacts = [...useContactKeys()].filter((key) => key !== masterPub);
  const names = useNames(contacts);
  const conversations = useMessengerValue((messenger) => messenger.conversations);
  const groups = conversations.flatMap(({ id, group }): OfferedPerson[] => {
    const hex = groupOf(id);
    return hex !== undefined && group?.isMember === true ? [{ id: hex, name: cut(group.name) }] : [];
  });
  const known = contacts.map((key) => ({ id: key, name: cut(names.get(key) ?? shorten(formatAddress(key))) }));
  return [...known, ...groups].slice(0, MAX_OFFERED_PEOPLE);
}

function cut(name: string): string {
  return [...name].slice(0, MAX_NAME_CHARS / 2).join("");
}
