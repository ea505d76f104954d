// A password, shown on demand, with its strength where one is chosen.
import { Eye, EyeOff } from "lucide-react";
import { type ReactElement, type Ref, useState } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { PasswordEstimate } from "#shared/keyring/passwords/password-estimate.ts";
import styles from "../controls/field.module.css";
import { Field, type FieldFrame } from "../controls/field.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import { StrengthAloud, StrengthMeter } from "./strength-meter.tsx";

export interface PasswordFieldProps extends Omit<FieldFrame, "hint"> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** `new` shows the strength meter and has password managers offer one. */
  readonly purpose: "current" | "new" | "repeat";
  /** Of a new password, as far as it was judged. */
  readonly estimate?: PasswordEstimate | undefined;
  /** The value is refused, and the strength says why. */
  readonly invalid?: boolean;
  readonly autoFocus?: boolean;
  readonly disabled?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A controlled password input. */
export function PasswordField(props: PasswordFieldProps): ReactElement {
  const { label, hideLabel, error, optional, value, onChange, purpose, estimate, invalid = false, ...input } = props;
  const t = useMessages();
  const [isVisible, setVisible] = useState(false);
  const hint = purpose === "new" ? <StrengthMeter password={value} estimate={estimate} /> : undefined;
  const frame = { label, hint, error, ...(hideLabel && { hideLabel }), ...(optional && { optional }) };
  return (
    <Field {...frame}>
      {(control): ReactElement => (
        <span className={styles.withAffix}>
          <input
            {...control}
            aria-invalid={control["aria-invalid"] || invalid}
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
          {purpose === "new" && <StrengthAloud password={value} estimate={estimate} />}
        </span>
      )}
    </Field>
  );
}
