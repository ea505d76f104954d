// A coloured dot beside words that say the same.
import type { ReactElement } from "react";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import styles from "./status-dot.module.css";

/** Decorative: colour is never the only sign. */
export function StatusDot(props: { readonly tone: "success" | "warning" | "danger" | "neutral" }): ReactElement {
  return <span className={classNames(styles.dot, styles[props.tone])} aria-hidden="true" />;
}
