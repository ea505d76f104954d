// Choosing a password: once with its strength, once again.
import type { ReactElement } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { NewPassword } from "#renderer/lib/profile/use-new-password.ts";
import { PasswordField } from "./password-field.tsx";

export interface NewPasswordFieldsProps {
  /** Of `useNewPassword`: its form submits through it. */
  readonly chosen: NewPassword;
  /** Of the first field, where there is another password beside it. */
  readonly label?: string;
  readonly autoFocus?: boolean;
}

/** Two fields of one form. What is too weak says so in the meter; a form that was submitted marks it as wrong. */
export function NewPasswordFields({ chosen, label, autoFocus = false }: NewPasswordFieldsProps): ReactElement {
  const { password, repeat, estimate, isTried, hasFailed } = chosen;
  const t = useMessages();
  const isWeak = isTried && estimate?.isAcceptable !== true;
  const isDifferent = isTried && !isWeak && password !== repeat;
  return (
    <>
      <PasswordField
        label={label ?? t("common.password")}
        purpose="new"
        value={password}
        estimate={estimate}
        onChange={chosen.typePassword}
        autoFocus={autoFocus}
        invalid={isWeak}
        error={hasFailed ? t("passwords.failed") : undefined}
      />
      <PasswordField
        label={t("onboarding.passwordRepeat")}
        purpose="repeat"
        value={repeat}
        onChange={chosen.typeRepeat}
        error={isDifferent ? t("onboarding.passwordsDiffer") : undefined}
      />
    </>
  );
}
