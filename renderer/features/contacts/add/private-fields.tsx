// Adding a person privately: what one calls them, and what it means.
import type { ReactElement } from "react";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { MAX_OWN_NAME_CHARS } from "#renderer/lib/people/contacts/people-notes.ts";

export interface PrivateFieldsProps {
  readonly name: string;
  readonly onChange: (name: string) => void;
  readonly autoFocus: boolean;
}

/** The fields. */
export function PrivateFields({ name, onChange, autoFocus }: PrivateFieldsProps): ReactElement {
  const t = useMessages();
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
      <Banner>{t("contacts.privateText")}</Banner>
    </>
  );
}
