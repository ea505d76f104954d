// The frame of every input: label above, hint or error below, tied together for screen readers.
import { CircleAlert } from "lucide-react";
import { type ReactElement, type ReactNode, useId } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { VisuallyHidden } from "../basics/visually-hidden.tsx";
import styles from "./field.module.css";

/** What all inputs take. */
export interface FieldFrame {
  readonly label: string;
  /** The label is read aloud and not shown. */
  readonly hideLabel?: boolean;
  readonly hint?: ReactNode;
  /** What is wrong with the value and how to mend it. */
  readonly error?: string | undefined;
  readonly optional?: boolean;
}

/** Attributes that the control must carry. */
export interface FieldControl {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean;
}

export interface FieldProps extends FieldFrame {
  /** At the end of the label's line. */
  readonly aside?: ReactNode;
  readonly children: (control: FieldControl) => ReactNode;
}

/** Label, control, hint and error. */
export function Field(props: FieldProps): ReactElement {
  const { label, hideLabel = false, hint, error, optional = false, aside, children } = props;
  const t = useMessages();
  const id = useId();
  const hasNote = error !== undefined || hint !== undefined;
  return (
    <div className={styles.field}>
      <label className={classNames(styles.label, hideLabel && aside === undefined && styles.unseen)} htmlFor={id}>
        {hideLabel ? <VisuallyHidden>{label}</VisuallyHidden> : label}
        {optional && <span className={styles.optional}>{t("common.optional")}</span>}
        {aside}
      </label>
      {children({ id, "aria-describedby": hasNote ? `${id}-note` : undefined, "aria-invalid": error !== undefined })}
      <div id={`${id}-note`} data-empty={!hasNote || undefined} className={styles.note}>
        {error === undefined && hint !== undefined && <div className={shared.hint}>{hint}</div>}
        {/* In the page before there is an error, which is read only then. A hint is read with the field, not aloud when it appears. */}
        <div aria-live="polite">
          {error !== undefined && (
            <div className={styles.error}>
              <CircleAlert size={14} aria-hidden="true" />
              {error}
            </div>
          )}
        </div>
      </div>
    </div>
  );
}
