// Choosing a password: once with its strength, once again.
import type { ReactElement } from "react";
import { isAcceptablePassword } from "#renderer/lib/keyring/password-strength.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { PasswordField } from "./password-field.tsx";

export interface NewPasswordFieldsProps {
  readonly password: string;
  readonly repeat: string;
  readonly onPassword: (value: string) => void;
  readonly onRepeat: (value: string) => void;
  /** The form was submitted: what is wrong is said. */
  readonly isTried: boolean;
  /** Of the first field, where there is another password beside it. */
  readonly label?: string;
  readonly autoFocus?: boolean;
}

/** Two controlled fields. The form checks `isAcceptablePassword` and equality before it continues. */
export function NewPasswordFields(props: NewPasswordFieldsProps): ReactElement {
  const { password, repeat, onPassword, onRepeat, isTried, label, autoFocus = false } = props;
  const t = useMessages();
  const isWeak = isTried && !isAcceptablePassword(password);
  const isDifferent = isTried && !isWeak && password !== repeat;
  return (
    <>
      <PasswordField
        label={label ?? t("common.password")}
        purpose="new"
        value={password}
        onChange={onPassword}
        autoFocus={autoFocus}
        error={isWeak ? t("onboarding.passwordWeak") : undefined}
      />
      <PasswordField
        label={t("onboarding.passwordRepeat")}
        purpose="repeat"
        value={repeat}
        onChange={onRepeat}
        error={isDifferent ? t("onboarding.passwordsDiffer") : undefined}
      />
    </>
  );
}
