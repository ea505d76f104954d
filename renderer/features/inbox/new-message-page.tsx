// Starting a conversation: pick a contact or paste an address. Above the inbox.
import { useNavigate } from "@tanstack/react-router";
import { Bookmark, Users } from "lucide-react";
import { type ReactElement, useMemo, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { type RecipientGroup, RecipientPicker } from "#renderer/components/people/picking/recipient-picker.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import { dataOfInvite } from "#renderer/lib/people/group-invite.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { parseRecipient } from "#renderer/lib/people/parse-recipient.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { Blank } from "./model/blank/blank.tsx";
import { ConversationPicture } from "./model/conversation-header.tsx";
import styles from "./new-message.module.css";

export function NewMessagePage(): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const { masterPub } = useAccount();
  const [value, setValue] = useState("");
  const [givesWay, setGivesWay] = useState(false);
  const input = parseRecipient(value);
  const person = input.kind === "account" ? input.request.to : undefined;
  const open = (publicKey: PublicKeyHex): void =>
    void navigate({ to: "/inbox/$conversation", params: { conversation: publicKey }, replace: true });
  // The invite link of a group leads to what it holds.
  const change = (text: string): void => {
    const hash = dataOfInvite(text);
    if (hash === undefined) setValue(text);
    else void navigate({ to: "/inbox/join", hash, replace: true });
  };
  return (
    <>
      <Blank />
      <Dialog
        open
        givesWay={givesWay}
        title={t("inbox.new")}
        description={t("inbox.newText")}
        onOpenChange={(isOpen): void => {
          if (!isOpen) void navigate({ to: "/inbox" });
        }}
        footer={
          <>
            <Button icon={Bookmark} variant="ghost" onClick={(): void => open(masterPub)}>
              {t("inbox.noteToSelf")}
            </Button>
            <Button
              icon={Users}
              variant="ghost"
              onClick={(): void => {
                setGivesWay(true);
                void navigate({ to: "/inbox/new-group" });
              }}
            >
              {t("inbox.newGroup")}
            </Button>
            <Button variant="primary" disabled={person === undefined} onClick={(): void => open(person ?? masterPub)}>
              {t("inbox.openChat")}
            </Button>
          </>
        }
      >
        <form
          onSubmit={(event): void => {
            event.preventDefault();
            if (person !== undefined) open(person);
          }}
        >
          <RecipientPicker autoFocus label={t("common.to")} value={value} onChange={change} onPick={open} {...useGroups()} />
        </form>
        {person !== undefined && <Found publicKey={person} />}
      </Dialog>
    </>
  );
}

function useGroups(): { readonly groups: readonly RecipientGroup[]; readonly isLoading: boolean } {
  const t = useMessages();
  const { directory, isKnown, error } = useContactDirectory();
  const conversations = useMessengerValue((messenger) => messenger.conversations);
  const groups = useMemo(() => {
    const contacts = new Set(directory.people.map(({ publicKey }) => publicKey));
    const recent = conversations.flatMap(({ kind, peer, isRequest, isBlocked }) =>
      kind !== "person" || peer === null || isRequest || isBlocked || contacts.has(peer) ? [] : [peer],
    );
    return [
      { title: t("contacts.title"), keys: [...contacts], byName: true },
      { title: t("inbox.recent"), keys: recent },
    ];
  }, [t, directory, conversations]);
  return { groups, isLoading: !isKnown && error === null };
}

function Found({ publicKey }: { readonly publicKey: PublicKeyHex }): ReactElement {
  const name = useLabelOf(publicKey);
  return (
    <p className={styles.found}>
      <ConversationPicture header={{ kind: "person", peer: publicKey, name, isVerified: false }} size={32} />
      <span>{name}</span>
    </p>
  );
}
