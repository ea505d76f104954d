// The note of a payment or a request.
import type { ReactElement } from "react";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { MAX_NOTE_BYTES } from "#shared/content/pay-content.ts";
import { utf8Length } from "#shared/util/bytes.ts";

/** Words for the other person alone. */
export function NoteField(props: {
  readonly note: string;
  /** Who can read it. */
  readonly hint: string;
  readonly error: string | undefined;
  readonly onChange: (note: string) => void;
}): ReactElement {
  const t = useMessages();
  return (
    <TextField
      label={t("payments.note")}
      optional
      placeholder={t("payments.notePlaceholder")}
      value={props.note}
      onChange={props.onChange}
      hint={props.hint}
      error={props.error}
    />
  );
}

/** What is wrong with a note; undefined where nothing is. */
export function tooLong(t: Translate, note: string): string | undefined {
  const used = utf8Length(note.trim());
  return used > MAX_NOTE_BYTES ? t("payments.noteTooLong", { used, limit: MAX_NOTE_BYTES }) : undefined;
}
