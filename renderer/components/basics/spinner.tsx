// A turning ring that stays invisible for the first 300 ms.
import type { ReactElement } from "react";
import styles from "./spinner.module.css";

/** Decorative: the element that is busy says so itself. */
export function Spinner(): ReactElement {
  return <span className={styles.spinner} aria-hidden="true" />;
}
