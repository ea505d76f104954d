// Asks for the recovery phrase on a device that was linked without it, when something must be signed.
import { type ReactElement, useState } from "react";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { PasswordDialog } from "#renderer/components/secrets/password-dialog.tsx";
import { PhraseField, phraseProblem } from "#renderer/components/secrets/phrase-field.tsx";
import { useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { usePasswordForm } from "#renderer/lib/keyring/use-password-form.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { UnlockDialogProps } from "./unlock-dialog.tsx";

/** The dialog. Phrase and password are forgotten whenever it closes. */
export function AddPhraseDialog({ open, onUnlocked, onCancel }: UnlockDialogProps): ReactElement {
  const t = useMessages();
  const keyring = useKeyring();
  const [phrase, setPhrase] = useState("");
  const form = usePasswordForm(
    (password) => keyring.addPhrase({ phrase, password }),
    () => {
      setPhrase("");
      onUnlocked();
    },
  );
  const isPassword = isCodedError(form.error, "VAULT_WRONG_PASSWORD");
  const isPhrase = isCodedError(form.error, "PHRASE_INVALID");
  return (
    <PasswordDialog
      open={open}
      title={t("lock.addPhraseTitle")}
      description={t("lock.addPhraseText")}
      action={t("lock.addPhrase")}
      form={form}
      isIncomplete={phrase === ""}
      passwordError={isPassword ? form.error : null}
      onCancel={(): void => {
        setPhrase("");
        onCancel();
      }}
    >
      {form.error !== null && !isPassword && !isPhrase && <Banner tone="danger">{errorInWords(t, form.error).text}</Banner>}
      <PhraseField
        value={phrase}
        onChange={(value): void => {
          setPhrase(value);
          form.reset();
        }}
        autoFocus
        error={phraseProblem(t, phrase, isPhrase ? form.error : null)}
      />
    </PasswordDialog>
  );
}
