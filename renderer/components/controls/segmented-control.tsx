// A choice among two to five views or values that are all visible. Arrow keys move, as in any radio group.
import { type ReactElement, useId } from "react";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import { VisuallyHidden } from "../basics/visually-hidden.tsx";
import styles from "./segmented-control.module.css";
import type { Option } from "./select.tsx";

/** One segment; a count of zero is not shown. */
export interface Segment<Value extends string> extends Option<Value> {
  readonly count?: number;
  /** In words, where the label is a picture. */
  readonly name?: string;
}

export interface SegmentedControlProps<Value extends string> {
  readonly label: string;
  readonly options: readonly Segment<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** Many small segments that share the width. */
  readonly isNarrow?: boolean;
}

/** A controlled group of segments. */
export function SegmentedControl<Value extends string>(props: SegmentedControlProps<Value>): ReactElement {
  const { label, options, value, onChange, isNarrow = false } = props;
  const { locale } = useLanguage();
  const name = useId();
  return (
    <fieldset className={classNames(styles.group, isNarrow && styles.narrow)}>
      <legend>
        <VisuallyHidden>{label}</VisuallyHidden>
      </legend>
      {options.map((option) => (
        <label key={option.value} className={styles.segment} title={option.name}>
          <input
            className={styles.input}
            type="radio"
            name={name}
            value={option.value}
            aria-label={option.name}
            checked={option.value === value}
            onChange={(): void => onChange(option.value)}
          />
          {option.label}
          {option.count !== undefined && option.count > 0 && (
            <span className={styles.count}>{new Intl.NumberFormat(locale).format(option.count)}</span>
          )}
        </label>
      ))}
    </fieldset>
  );
}
