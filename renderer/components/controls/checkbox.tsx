// A yes that is part of a form. For a setting that holds at once, use Switch.
import { Checkbox as BaseCheckbox } from "@base-ui/react/checkbox";
import { Check } from "lucide-react";
import { type ReactElement, type ReactNode, useId } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import styles from "./checkbox.module.css";

export interface CheckboxProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
}

/** A controlled checkbox with its label. */
export function Checkbox(props: CheckboxProps): ReactElement {
  const { label, hint, checked, onChange, disabled = false } = props;
  const id = useId();
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is a component, with an input of its own
    <label className={styles.row}>
      <BaseCheckbox.Root
        className={styles.box}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        aria-labelledby={id}
        {...(hint !== undefined && { "aria-describedby": `${id}-hint` })}
      >
        <BaseCheckbox.Indicator>
          <Check size={13} strokeWidth={3} aria-hidden="true" />
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
      <span className={styles.text}>
        <span id={id}>{label}</span>
        {hint !== undefined && (
          <span id={`${id}-hint`} className={shared.hint}>
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}
