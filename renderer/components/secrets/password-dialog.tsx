// Asks for the password in front of a view. Nothing that was typed outlives the dialog.
import { type FormEvent, type ReactElement, type ReactNode, useId } from "react";
import type { PasswordForm } from "#renderer/lib/keyring/use-password-form.ts";
import { Button } from "../controls/button.tsx";
import { Dialog } from "../overlays/dialog.tsx";
import shared from "../styles/shared.module.css";
import { CurrentPasswordField } from "./current-password-field.tsx";

export interface PasswordDialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly description: string;
  /** Of the button. */
  readonly action: string;
  readonly form: PasswordForm;
  readonly onCancel: () => void;
  /** Fields above the password. */
  readonly children?: ReactNode;
  /** Those fields miss something. */
  readonly isIncomplete?: boolean;
  /** What is said at the password, where some errors are shown in another part. */
  readonly passwordError?: Error | null;
}

export function PasswordDialog(props: PasswordDialogProps): ReactElement {
  const { open, title, description, action, form, onCancel, children, isIncomplete = false, passwordError } = props;
  const id = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    form.submit();
  };
  const close = (isOpen: boolean): void => {
    if (isOpen) return;
    form.forget();
    onCancel();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={title}
      description={description}
      keepOpen
      footer={
        <Button variant="primary" type="submit" form={id} busy={form.isPending} disabled={form.password === "" || isIncomplete}>
          {action}
        </Button>
      }
    >
      <form id={id} className={shared.stack4} onSubmit={submit}>
        {children}
        <CurrentPasswordField
          form={form}
          autoFocus={children === undefined}
          {...(passwordError === undefined ? {} : { error: passwordError })}
        />
      </form>
    </Dialog>
  );
}
