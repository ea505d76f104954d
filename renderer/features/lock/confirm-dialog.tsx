// Asks for the password before something gives lasting power, and says what.
import type { ReactElement } from "react";
import { PasswordDialog } from "#renderer/components/secrets/password-dialog.tsx";
import { usePasswordForm } from "#renderer/lib/keyring/use-password-form.ts";
import type { PlainMessageKey } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";

export interface ConfirmDialogProps {
  /** Kind of the decision, as the keyring named it. */
  readonly decision: string;
  /** Makes the call with a password. */
  readonly call: (password: string) => Promise<void>;
  readonly onConfirmed: () => void;
  readonly onCancel: () => void;
}

const TEXTS: Readonly<Record<string, PlainMessageKey>> = {
  linkDevice: "lock.confirmLinkDevice",
  addValidator: "lock.confirmAddValidator",
  removeValidator: "lock.confirmRemoveValidator",
  autoLock: "lock.confirmAutoLock",
};

export function ConfirmDialog({ decision, call, onConfirmed, onCancel }: ConfirmDialogProps): ReactElement {
  const t = useMessages();
  const form = usePasswordForm(call, onConfirmed);
  return (
    <PasswordDialog
      open
      title={t("lock.confirmTitle")}
      description={t(TEXTS[decision] ?? "lock.confirmOther")}
      action={t("lock.confirm")}
      form={form}
      onCancel={onCancel}
    />
  );
}
