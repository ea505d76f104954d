// The parts of a view as a row of links under its header.
import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactElement } from "react";
import styles from "./part-links.module.css";

export interface PartLink {
  readonly to: NonNullable<LinkProps["to"]>;
  readonly label: string;
  /** Only its own address counts as being there: for the part whose address the others begin with. */
  readonly exact?: boolean;
}

export function PartLinks(props: { readonly label: string; readonly parts: readonly PartLink[] }): ReactElement {
  return (
    <nav className={styles.parts} aria-label={props.label}>
      {props.parts.map(({ to, label, exact = false }) => (
        <Link key={to} to={to} className={styles.part} activeOptions={{ exact }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
