// Asks for the password in front of a view, when something must be signed.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useId, useState } from "react";
import { Button } from "#renderer/components/button.tsx";
import { Dialog } from "#renderer/components/dialog.tsx";
import { PasswordField } from "#renderer/components/password-field.tsx";
import { errorInWords } from "#renderer/lib/errors-in-words.ts";
import { useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";

/** Props of {@link UnlockDialog}. */
export interface UnlockDialogProps {
  readonly open: boolean;
  readonly onUnlocked: () => void;
  readonly onCancel: () => void;
}

/** The dialog. The password is forgotten whenever it closes. */
export function UnlockDialog(props: UnlockDialogProps): ReactElement {
  const { open, onUnlocked, onCancel } = props;
  const t = useMessages();
  const keyring = useKeyring();
  const form = useId();
  const [password, setPassword] = useState("");
  const unlock = useMutation({
    mutationFn: () => keyring.unlock({ password }),
    onSuccess: () => {
      setPassword("");
      onUnlocked();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (password !== "" && !unlock.isPending) unlock.mutate();
  };
  const close = (isOpen: boolean): void => {
    if (isOpen) return;
    setPassword("");
    unlock.reset();
    onCancel();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={t("lock.dialogTitle")}
      description={t("lock.dialogText")}
      keepOpen
      footer={
        <Button variant="primary" type="submit" form={form} busy={unlock.isPending} disabled={password === ""}>
          {t("lock.unlock")}
        </Button>
      }
    >
      <form id={form} onSubmit={submit}>
        <PasswordField
          label={t("lock.password")}
          purpose="current"
          value={password}
          onChange={(value): void => {
            setPassword(value);
            unlock.reset();
          }}
          autoFocus
          error={unlock.error === null ? undefined : errorInWords(t, unlock.error).text}
        />
      </form>
    </Dialog>
  );
}
