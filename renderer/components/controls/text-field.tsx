// One line of text.
import type { HTMLInputAutoCompleteAttribute, ReactElement, ReactNode, Ref } from "react";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import styles from "./field.module.css";
import { Field, type FieldFrame } from "./field.tsx";

export interface TextFieldProps extends FieldFrame {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly placeholder?: string;
  readonly type?: "text" | "search" | "url" | "date" | "datetime-local";
  readonly inputMode?: "text" | "decimal" | "numeric" | "search" | "url";
  readonly autoComplete?: HTMLInputAutoCompleteAttribute;
  readonly spellCheck?: boolean;
  readonly autoFocus?: boolean;
  readonly disabled?: boolean;
  readonly maxLength?: number;
  /** Fixed-width letters, for keys, hashes and amounts. */
  readonly mono?: boolean;
  /** Inside the field at its end: a unit or an icon button. */
  readonly affix?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A controlled text input. */
export function TextField(props: TextFieldProps): ReactElement {
  const {
    label,
    hideLabel,
    hint,
    error,
    optional,
    value,
    onChange,
    mono = false,
    affix,
    type = "text",
    autoComplete = "off",
    ...input
  } = props;
  const frame = { label, hint, error, ...(hideLabel && { hideLabel }), ...(optional && { optional }) };
  return (
    <Field {...frame}>
      {(control): ReactElement => (
        <span className={classNames(affix !== undefined && styles.withAffix)}>
          <input
            {...control}
            {...input}
            type={type}
            autoComplete={autoComplete}
            className={classNames(styles.control, mono && styles.mono)}
            value={value}
            onChange={(event): void => onChange(event.target.value)}
          />
          {affix !== undefined && <span className={styles.affix}>{affix}</span>}
        </span>
      )}
    </Field>
  );
}
