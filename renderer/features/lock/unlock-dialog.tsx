// Asks for the password in front of a view, when something must be signed.
import type { ReactElement } from "react";
import { PasswordDialog } from "#renderer/components/secrets/password-dialog.tsx";
import { useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { usePasswordForm } from "#renderer/lib/keyring/use-password-form.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";

export interface UnlockDialogProps {
  readonly open: boolean;
  readonly onUnlocked: () => void;
  readonly onCancel: () => void;
}

export function UnlockDialog({ open, onUnlocked, onCancel }: UnlockDialogProps): ReactElement {
  const t = useMessages();
  const keyring = useKeyring();
  const form = usePasswordForm((password) => keyring.unlock({ password }), onUnlocked);
  return (
    <PasswordDialog
      open={open}
      title={t("lock.dialogTitle")}
      description={t("lock.dialogText")}
      action={t("lock.unlock")}
      form={form}
      onCancel={onCancel}
    />
  );
}
