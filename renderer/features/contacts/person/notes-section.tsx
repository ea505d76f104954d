// Own name and note for a person. Saved when a field is left or the person is.
import { type ReactElement, useEffect, useEffectEvent, useRef, useState } from "react";
import { TextArea } from "#renderer/components/controls/text-area.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Pending } from "#renderer/components/feedback/pending.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import {
  changeNotes,
  MAX_NOTE_CHARS,
  MAX_OWN_NAME_CHARS,
  type PersonNotes,
  useNotesAbout,
  usePeopleNotes,
} from "#renderer/lib/people/contacts/people-notes.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

const SAVE_DELAY_MS = 400;

/** The section; nothing until the notes have been read. */
export function NotesSection({ publicKey }: { readonly publicKey: PublicKeyHex }): ReactElement {
  const isOpen = usePeopleNotes(({ item }) => item !== undefined);
  return isOpen ? <NotesForm publicKey={publicKey} /> : <Pending />;
}

function NotesForm({ publicKey }: { readonly publicKey: PublicKeyHex }): ReactElement {
  const t = useMessages();
  const saved = useNotesAbout(publicKey);
  // What was not typed here follows what is noted elsewhere.
  const [typed, setTyped] = useState<Partial<Pick<PersonNotes, "name" | "note">>>({});
  const { name, note } = { ...saved, ...typed };
  const isUnsaved = useRef(false);
  const type = (field: Partial<Pick<PersonNotes, "name" | "note">>): void => {
    isUnsaved.current = true;
    setTyped((before) => ({ ...before, ...field }));
  };
  const save = useEffectEvent(() => {
    if (!isUnsaved.current) return;
    isUnsaved.current = false;
    const changes = {
      ...(typed.name !== undefined && { name: typed.name.trim().slice(0, MAX_OWN_NAME_CHARS) }),
      ...(typed.note !== undefined && { note: typed.note.slice(0, MAX_NOTE_CHARS) }),
    };
    void changeNotes(publicKey, changes);
  });
  useEffect(() => {
    const timer = setTimeout(save, SAVE_DELAY_MS, typed);
    return (): void => clearTimeout(timer);
  }, [typed]);
  useEffect(() => (): void => save(), []);
  return (
    <Section title={t("contacts.notes")} hint={t("contacts.notesHint")}>
      <div className={shared.stack4}>
        <TextField
          label={t("contacts.ownName")}
          placeholder={t("contacts.ownNamePlaceholder")}
          value={name}
          onChange={(text): void => type({ name: text })}
          maxLength={MAX_OWN_NAME_CHARS}
        />
        <TextArea label={t("contacts.note")} value={note} onChange={(text): void => type({ note: text })} rows={2} limit={MAX_NOTE_CHARS} />
      </div>
    </Section>
  );
}
