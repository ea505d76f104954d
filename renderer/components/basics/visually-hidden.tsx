// Text for screen readers only.
import type { ReactElement, ReactNode } from "react";
import styles from "./visually-hidden.module.css";

/** Read aloud, not seen. */
export function VisuallyHidden(props: { readonly children: ReactNode }): ReactElement {
  return <span className={styles.hidden}>{props.children}</span>;
}
