// The amount as the largest thing of the sheet.
import { type ReactElement, type ReactNode, useId } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import styles from "./pay-sheet.module.css";

export interface LargeAmountProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** What is wrong with it. */
  readonly error: string | undefined;
  /** Below it while nothing is wrong. */
  readonly hint: ReactNode;
  readonly readOnly?: boolean;
}

export function LargeAmount({ value, onChange, error, hint, readOnly = false }: LargeAmountProps): ReactElement {
  const t = useMessages();
  const id = useId();
  return (
    <div className={styles.amount}>
      <label className={styles.amountLabel} htmlFor={id}>
        {t("transactions.amount")}
      </label>
      <span className={styles.amountLine} data-invalid={error !== undefined || undefined}>
        <input
          id={id}
          className={styles.amountInput}
          inputMode="decimal"
          autoComplete="off"
          placeholder="0"
          // biome-ignore lint/a11y/noAutofocus: the first thing that one types in a dialog
          autoFocus={!readOnly}
          readOnly={readOnly}
          value={value}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-note`}
          onChange={(event): void => onChange(event.target.value)}
        />
        <span className={styles.amountUnit}>T</span>
      </span>
      <div id={`${id}-note`} className={styles.amountNote} data-bad={error !== undefined || undefined} aria-live="polite">
        {error ?? hint}
      </div>
    </div>
  );
}
