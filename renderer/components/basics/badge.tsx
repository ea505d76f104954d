// A word or a count beside something.
import type { ReactElement, ReactNode } from "react";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import styles from "./badge.module.css";

/** `solid` is for unread counts. */
export type BadgeTone = "neutral" | "accent" | "solid" | "success" | "warning" | "danger";

export function Badge(props: { readonly tone?: BadgeTone; readonly children: ReactNode }): ReactElement {
  return <span className={classNames(styles.badge, styles[props.tone ?? "neutral"])}>{props.children}</span>;
}
