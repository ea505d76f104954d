// A long list of which only the visible part is in the document. Rows may have any height; they are measured.
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactElement, type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import styles from "./virtual-list.module.css";

/** Rows kept ready outside the visible part. */
const OVERSCAN = 8;

/** Props of {@link VirtualList}. */
export interface VirtualListProps<Item> {
  /** What the list is, for screen readers. */
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** Pixels of a row before it was measured. */
  readonly estimateSize: number;
  readonly renderItem: (item: Item, index: number) => ReactNode;
  /** Called when the last rows come into view: load more. */
  readonly onEnd?: () => void;
}

/** A virtualised list that fills its container. */
export function VirtualList<Item>(props: VirtualListProps<Item>): ReactElement {
  const { label, items, keyOf, estimateSize, renderItem, onEnd } = props;
  const scroller = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimateSize,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    overscan: OVERSCAN,
  });
  const rows = virtualizer.getVirtualItems();
  const last = rows.at(-1)?.index ?? -1;
  const reachedEnd = useEffectEvent(() => onEnd?.());
  useEffect(() => {
    if (items.length > 0 && last >= items.length - 1) reachedEnd();
  }, [last, items.length]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
    <section ref={scroller} className={styles.scroller} tabIndex={0} aria-label={label}>
      <ul className={styles.content} style={{ height: virtualizer.getTotalSize() }}>
        {rows.map((row) => {
          const item = items[row.index];
          return (
            <li
              key={row.key}
              ref={virtualizer.measureElement}
              data-index={row.index}
              className={styles.item}
              style={{ transform: `translateY(${row.start}px)` }}
              aria-setsize={items.length}
              aria-posinset={row.index + 1}
            >
              {item !== undefined && renderItem(item, row.index)}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
