// A long list that scrolls by itself and fills its container. For a list inside a page that scrolls as a whole, use VirtualRows.
import type { ReactElement } from "react";
import styles from "./virtual-list.module.css";
import { VirtualRows, type VirtualRowsProps } from "./virtual-rows.tsx";

/** A virtualised list that fills its container. */
export function VirtualList<Item>(props: VirtualRowsProps<Item>): ReactElement {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
    <section className={styles.scroller} tabIndex={0} aria-label={props.label}>
      <VirtualRows {...props} />
    </section>
  );
}
