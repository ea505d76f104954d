// Asks for the recovery phrase on a device that was linked without it, when something must be signed.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useId, useState } from "react";
import { Banner } from "#renderer/components/banner.tsx";
import { Button } from "#renderer/components/button.tsx";
import { Dialog } from "#renderer/components/dialog.tsx";
import { PasswordField } from "#renderer/components/password-field.tsx";
import { PhraseField, phraseProblem } from "#renderer/components/phrase-field.tsx";
import { errorInWords } from "#renderer/lib/errors-in-words.ts";
import { useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { UnlockDialogProps } from "./unlock-dialog.tsx";

/** The dialog. Phrase and password are forgotten whenever it closes. */
export function AddPhraseDialog({ open, onUnlocked, onCancel }: UnlockDialogProps): ReactElement {
  const t = useMessages();
  const keyring = useKeyring();
  const form = useId();
  const [phrase, setPhrase] = useState("");
  const [password, setPassword] = useState("");
  const forget = (): void => {
    setPhrase("");
    setPassword("");
  };
  const add = useMutation({
    mutationFn: () => keyring.addPhrase({ phrase, password }),
    onSuccess: () => {
      forget();
      onUnlocked();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!add.isPending) add.mutate();
  };
  const close = (isOpen: boolean): void => {
    if (isOpen) return;
    forget();
    add.reset();
    onCancel();
  };
  const isPassword = isCodedError(add.error, "VAULT_WRONG_PASSWORD");
  const isPhrase = isCodedError(add.error, "PHRASE_INVALID");
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={t("lock.addPhraseTitle")}
      description={t("lock.addPhraseText")}
      keepOpen
      footer={
        <Button variant="primary" type="submit" form={form} busy={add.isPending} disabled={phrase === "" || password === ""}>
          {t("lock.addPhrase")}
        </Button>
      }
    >
      <form id={form} onSubmit={submit}>
        {add.error !== null && !isPassword && !isPhrase && <Banner tone="danger">{errorInWords(t, add.error).text}</Banner>}
        <PhraseField
          value={phrase}
          onChange={(value): void => {
            setPhrase(value);
            add.reset();
          }}
          autoFocus
          error={phraseProblem(t, phrase, isPhrase ? add.error : null)}
        />
        <PasswordField
          label={t("lock.password")}
          purpose="current"
          value={password}
          onChange={(value): void => {
            setPassword(value);
            add.reset();
          }}
          error={isPassword ? errorInWords(t, add.error).text : undefined}
        />
      </form>
    </Dialog>
  );
}
