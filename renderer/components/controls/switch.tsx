// A setting that is on or off and holds at once.
import { Switch as BaseSwitch } from "@base-ui/react/switch";
import { type ReactElement, useId } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import styles from "./checkbox.module.css";
import type { CheckboxProps } from "./checkbox.tsx";

/** A controlled switch with its label on the left. */
export function Switch(props: CheckboxProps): ReactElement {
  const { label, hint, checked, onChange, disabled = false } = props;
  const id = useId();
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is a component, with an input of its own
    <label className={styles.toggle}>
      <span className={styles.text}>
        <span id={id}>{label}</span>
        {hint !== undefined && (
          <span id={`${id}-hint`} className={shared.hint}>
            {hint}
          </span>
        )}
      </span>
      <BaseSwitch.Root
        className={styles.switch}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        aria-labelledby={id}
        {...(hint !== undefined && { "aria-describedby": `${id}-hint` })}
      >
        <BaseSwitch.Thumb className={styles.thumb} />
      </BaseSwitch.Root>
    </label>
  );
}
