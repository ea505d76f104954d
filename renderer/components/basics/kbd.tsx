// A keyboard shortcut as keys.
import type { ReactElement } from "react";
import { shortcutKeys } from "#renderer/lib/commands/shortcut.ts";
import styles from "./kbd.module.css";

/** `<Kbd keys="mod+k" />`: ⌘ K on a Mac, Ctrl K on other systems. */
export function Kbd(props: { readonly keys: string }): ReactElement {
  return (
    <span className={styles.keys}>
      {shortcutKeys(props.keys).map((key) => (
        <kbd key={key} className={styles.key}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
