// An exact amount. Digits are grouped by space in the picture only: copied text is the plain number.
import type { ReactElement } from "react";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { groupDigits, splitAmount, wholeFraction } from "#renderer/lib/format/amount.ts";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import styles from "./amount.module.css";

export interface AmountProps {
  readonly amountUt: AmountUt;
  /** `in` is green with a plus, `out` has a minus. */
  readonly direction?: "in" | "out";
  readonly size?: "normal" | "strong" | "large";
  /** It changes by itself while it is shown: all decimals are there, and none of them moves the unit. */
  readonly isLive?: boolean;
}

/** For example `1.5 T`, `−12 T`. */
export function Amount(props: AmountProps): ReactElement {
  const { amountUt, size = "normal", isLive = false } = props;
  // Nothing goes nowhere.
  const direction = amountUt === 0 ? undefined : props.direction;
  const { locale } = useLanguage();
  const { whole, fraction, unit } = splitAmount(locale, amountUt);
  const groups = groupDigits(whole).map((digits, position) => ({ digits, position }));
  return (
    <span className={classNames(styles.amount, direction === "in" && styles.in, size !== "normal" && styles[size])}>
      {direction === "in" && "+"}
      {direction === "out" && "−"}
      {groups.map(({ digits, position }) => (
        <span key={position} className={styles.group}>
          {digits}
        </span>
      ))}
      {isLive ? wholeFraction(locale, fraction) : fraction} <span className={styles.unit}>{unit}</span>
    </span>
  );
}
