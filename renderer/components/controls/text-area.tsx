// Several lines of text, with a count where a limit holds.
import type { ReactElement, Ref } from "react";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import styles from "./field.module.css";
import { Field, type FieldFrame } from "./field.tsx";

export interface TextAreaProps extends FieldFrame {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly rows?: number;
  /** Characters allowed; shown as a count, not enforced while typing. */
  readonly limit?: number;
  readonly spellCheck?: boolean;
  readonly autoFocus?: boolean;
  readonly disabled?: boolean;
  readonly mono?: boolean;
  readonly ref?: Ref<HTMLTextAreaElement>;
}

/** A controlled text area. */
export function TextArea(props: TextAreaProps): ReactElement {
  const { label, hideLabel, hint, error, optional, value, onChange, limit, mono = false, rows = 3, ...area } = props;
  const { locale } = useLanguage();
  const number = new Intl.NumberFormat(locale);
  const count = limit === undefined ? undefined : `${number.format([...value].length)} / ${number.format(limit)}`;
  const frame = { label, hint, error, ...(hideLabel && { hideLabel }), ...(optional && { optional }) };
  return (
    <Field {...frame} aside={count !== undefined && <span className={styles.count}>{count}</span>}>
      {(control): ReactElement => (
        <textarea
          {...control}
          {...area}
          rows={rows}
          className={classNames(styles.control, styles.area, mono && styles.mono)}
          value={value}
          onChange={(event): void => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
