// Values with their labels.
import type { ReactElement, ReactNode } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { uniqueKeys } from "#renderer/lib/format/unique-keys.ts";
import styles from "./key-value-list.module.css";

/** One entry. */
export interface KeyValueRow {
  readonly label: string;
  readonly value: ReactNode;
  /** Fixed-width letters, for keys and hashes. */
  readonly mono?: boolean;
  /** The line that counts, such as a total. */
  readonly strong?: boolean;
}

export function KeyValueList(props: { readonly rows: readonly KeyValueRow[] }): ReactElement {
  // Labels may be names of arguments, which the author of a contract chose.
  const keys = uniqueKeys(props.rows.map(({ label }) => label));
  return (
    <dl className={styles.list}>
      {props.rows.map((row, index) => (
        <div key={keys[index]} className={classNames(styles.row, row.strong && styles.strong)}>
          <dt className={shared.muted}>{row.label}</dt>
          <dd className={classNames(styles.value, row.mono && styles.mono)}>{row.value}</dd>
        </div>
      ))}
    </dl>
  );
}
