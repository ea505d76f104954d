// A private name for whatever address: a contact, or the deposit address of an exchange.
import { type ReactElement, type SyntheticEvent, useId, useState } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { changeNotes, MAX_OWN_NAME_CHARS, useNotesAbout } from "#renderer/lib/people/contacts/people-notes.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { FullAddress } from "../basics/full-address.tsx";
import { Button } from "../controls/button.tsx";
import { TextField } from "../controls/text-field.tsx";
import { Dialog } from "../overlays/dialog.tsx";
import shared from "../styles/shared.module.css";

/** The dialog, open while it is shown. An empty name removes the one before. */
export function NameDialog(props: { readonly publicKey: PublicKeyHex; readonly onClose: () => void }): ReactElement {
  const { publicKey, onClose } = props;
  const t = useMessages();
  const formId = useId();
  const [name, setName] = useState(useNotesAbout(publicKey).name);
  const save = (event: SyntheticEvent): void => {
    event.preventDefault();
    void changeNotes(publicKey, { name: name.trim() });
    onClose();
  };
  return (
    <Dialog
      open
      title={t("common.privateName")}
      description={t("contacts.ownNameHint")}
      onOpenChange={(isOpen): void => {
        if (!isOpen) onClose();
      }}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button variant="primary" type="submit" form={formId}>
            {t("common.save")}
          </Button>
        </>
      }
    >
      <form id={formId} className={shared.stack4} onSubmit={save}>
        <FullAddress publicKey={publicKey} />
        <TextField
          autoFocus
          label={t("common.name")}
          placeholder={t("contacts.labelPlaceholder")}
          value={name}
          onChange={setName}
          maxLength={MAX_OWN_NAME_CHARS}
        />
      </form>
    </Dialog>
  );
}
