// The field for the password of this device, and what became of the last try.
import type { ReactElement } from "react";
import type { PasswordForm } from "#renderer/lib/keyring/use-password-form.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { PasswordField } from "./password-field.tsx";

export interface CurrentPasswordFieldProps {
  readonly form: PasswordForm;
  /** What is said at the field, where some errors are shown in another part. */
  readonly error?: Error | null;
  readonly autoFocus?: boolean;
}

/** The field of a form. */
export function CurrentPasswordField({ form, error = form.error, autoFocus = false }: CurrentPasswordFieldProps): ReactElement {
  const t = useMessages();
  return (
    <PasswordField
      label={t("common.password")}
      purpose="current"
      value={form.password}
      onChange={form.type}
      autoFocus={autoFocus}
      error={error === null ? undefined : errorInWords(t, error).text}
    />
  );
}
