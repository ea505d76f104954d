// A password, shown on demand, with an honest strength meter where one is chosen.
import { Eye, EyeOff } from "lucide-react";
import { type ReactElement, type Ref, useState } from "react";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { type PasswordStrength, passwordStrength } from "#renderer/lib/keyring/password-strength.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import styles from "../controls/field.module.css";
import { Field, type FieldFrame } from "../controls/field.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import meterStyles from "./password-field.module.css";

const STEPS: Readonly<Record<PasswordStrength, number>> = { empty: 0, weak: 1, fair: 2, good: 3, strong: 4 };

export interface PasswordFieldProps extends Omit<FieldFrame, "hint"> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** `new` shows the strength meter and has password managers offer one. */
  readonly purpose: "current" | "new" | "repeat";
  readonly autoFocus?: boolean;
  readonly disabled?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A controlled password input. */
export function PasswordField(props: PasswordFieldProps): ReactElement {
  const { label, hideLabel, error, optional, value, onChange, purpose, ...input } = props;
  const t = useMessages();
  const [isVisible, setVisible] = useState(false);
  const strength = passwordStrength(value);
  const hint = purpose === "new" ? <StrengthMeter strength={strength} /> : undefined;
  const frame = { label, hint, error, ...(hideLabel && { hideLabel }), ...(optional && { optional }) };
  return (
    <Field {...frame}>
      {(control): ReactElement => (
        <span className={styles.withAffix}>
          <input
            {...control}
            {...input}
            type={isVisible ? "text" : "password"}
            autoComplete={purpose === "current" ? "current-password" : "new-password"}
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            className={styles.control}
            value={value}
            onChange={(event): void => onChange(event.target.value)}
          />
          <span className={styles.affix}>
            <IconButton
              size="small"
              icon={isVisible ? EyeOff : Eye}
              label={t(isVisible ? "common.hidePassword" : "common.showPassword")}
              onClick={(): void => setVisible(!isVisible)}
            />
          </span>
        </span>
      )}
    </Field>
  );
}

function StrengthMeter(props: { readonly strength: PasswordStrength }): ReactElement {
  const t = useMessages();
  const reached = STEPS[props.strength];
  return (
    <>
      <div className={classNames(meterStyles.meter, meterStyles[props.strength])} aria-hidden="true">
        {[1, 2, 3, 4].map((step) => (
          <span key={step} className={classNames(meterStyles.step, step <= reached && meterStyles.on)} />
        ))}
      </div>
      {t(`common.strength.${props.strength}`)}
    </>
  );
}
