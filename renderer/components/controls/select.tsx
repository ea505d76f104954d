// One of a few values from a list that opens.
import { Select as BaseSelect } from "@base-ui/react/select";
import { Check, ChevronsUpDown } from "lucide-react";
import type { ReactElement } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import popup from "../overlays/popup.module.css";
import fieldStyles from "./field.module.css";
import { Field, type FieldFrame } from "./field.tsx";
import styles from "./select.module.css";

/** One choice. */
export interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

export interface SelectProps<Value extends string> extends FieldFrame {
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly disabled?: boolean;
}

/** A controlled select. */
export function Select<Value extends string>(props: SelectProps<Value>): ReactElement {
  const { label, hideLabel, hint, error, optional, options, value, onChange, disabled = false } = props;
  const frame = { label, hint, error, ...(hideLabel && { hideLabel }), ...(optional && { optional }) };
  return (
    <Field {...frame}>
      {(control): ReactElement => (
        <BaseSelect.Root
          items={options}
          value={value}
          disabled={disabled}
          onValueChange={(next): void => {
            if (next !== null) onChange(next);
          }}
        >
          <BaseSelect.Trigger {...control} aria-label={label} className={classNames(fieldStyles.control, styles.trigger)}>
            <BaseSelect.Value />
            <BaseSelect.Icon className={shared.muted}>
              <ChevronsUpDown size={14} aria-hidden="true" />
            </BaseSelect.Icon>
          </BaseSelect.Trigger>
          <BaseSelect.Portal render={<section aria-label={label} />}>
            <BaseSelect.Positioner className={popup.positioner} sideOffset={4} alignItemWithTrigger={false}>
              <BaseSelect.Popup className={classNames(popup.popup, popup.list)}>
                {options.map((option) => (
                  <BaseSelect.Item key={option.value} value={option.value} className={popup.item}>
                    <BaseSelect.ItemText className={styles.text}>{option.label}</BaseSelect.ItemText>
                    <span className={styles.indicator}>
                      <BaseSelect.ItemIndicator>
                        <Check size={14} aria-hidden="true" />
                      </BaseSelect.ItemIndicator>
                    </span>
                  </BaseSelect.Item>
                ))}
              </BaseSelect.Popup>
            </BaseSelect.Positioner>
          </BaseSelect.Portal>
        </BaseSelect.Root>
      )}
    </Field>
  );
}
