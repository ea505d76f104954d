// Adding a person privately: what one calls them, and what it means.
import type { ReactElement } from "react";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { MAX_OWN_NAME_CHARS } from "#renderer/lib/people/contacts/people-notes.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

export interface PrivateFieldsProps {
  readonly person: PublicKeyHex;
  readonly name: string;
  readonly onChange: (name: string) => void;
  readonly autoFocus: boolean;
}

/** The fields. */
export function PrivateFields({ person, name, onChange, autoFocus }: PrivateFieldsProps): ReactElement {
  const t = useMessages();
  // Who becomes known gets the receipts that a stranger does not.
  const hasWritten = useMessengerValue(({ conversations }) => conversations.some(({ id, isRequest }) => id === person && isRequest));
  return (
    <>
      <TextField
        label={t("contacts.ownName")}
        optional
        autoFocus={autoFocus}
        value={name}
        onChange={onChange}
        maxLength={MAX_OWN_NAME_CHARS}
        hint={t("contacts.ownNameHint")}
      />
      <Banner>
        {t("contacts.privateText")} {t(hasWritten ? "contacts.privateReceipts" : "contacts.privateRequest")}
      </Banner>
    </>
  );
}
