// Making a group: a name, and contacts to choose from. Above the inbox.
import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useEffect, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger } from "#renderer/lib/messenger/messenger-context.tsx";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import { MAX_GROUP_MEMBERS, MAX_GROUP_NAME_BYTES } from "#shared/protocol/groups/group-bounds.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { utf8Length } from "#shared/util/bytes.ts";
import { Blank } from "../model/blank/blank.tsx";
import { contactsOf } from "./group-contacts.ts";
import { proposedGroup, proposeGroup } from "./group-proposal.ts";
import { LargeGroupHint } from "./large-group-hint.tsx";
import { PeoplePicker } from "./people-picker.tsx";

export function NewGroupPage(): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const toasts = useToasts();
  const messenger = useMessenger();
  const { directory, isKnown } = useContactDirectory();
  const people = contactsOf(directory);
  const [proposal] = useState(proposedGroup);
  useEffect(() => (): void => proposeGroup(null), []);
  const [name, setName] = useState(proposal?.name ?? "");
  const [wished, setWished] = useState<readonly PublicKeyHex[]>(proposal?.people ?? []);
  const chosen = wished.filter((person) => people.includes(person)).slice(0, MAX_GROUP_MEMBERS - 1);
  const missing = proposal?.people.filter((person) => !people.includes(person)).length ?? 0;
  const isLong = utf8Length(name.trim()) > MAX_GROUP_NAME_BYTES;
  const isReady = name.trim() !== "" && !isLong && chosen.length > 0 && messenger !== undefined;
  const make = async (): Promise<void> => {
    if (!isReady) return;
    const conversation = await messenger.createGroup(name, chosen);
    await navigate({ to: "/inbox/$conversation", params: { conversation }, replace: true });
  };
  return (
    <>
      <Blank />
      <Dialog
        open
        keepOpen
        title={t("inbox.newGroup")}
        description={t("chat.newGroupText", { most: String(MAX_GROUP_MEMBERS) })}
        onOpenChange={(isOpen): void => {
          if (!isOpen) void navigate({ to: "/inbox" });
        }}
        footer={
          <Button variant="primary" disabled={!isReady} onClick={(): void => void make().catch(toasts.showError)}>
            {t("chat.createGroup")}
          </Button>
        }
      >
        <TextField
          autoFocus
          label={t("chat.groupName")}
          value={name}
          onChange={setName}
          error={isLong ? t("chat.groupNameLong") : undefined}
        />
        <PeoplePicker people={people} chosen={chosen} onChange={setWished} room={MAX_GROUP_MEMBERS - 1} />
        <LargeGroupHint members={chosen.length + 1} />
        {isKnown && missing > 0 && <p className={shared.hint}>{t("chat.groupNotContacts", { count: missing })}</p>}
      </Dialog>
    </>
  );
}
