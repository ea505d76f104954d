// A long list inside a page that scrolls as a whole: only the rows in view are in the document. For a list that scrolls by itself,
// use VirtualList.
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactElement, type ReactNode, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import styles from "./virtual-list.module.css";

/** Rows rendered outside the visible part. */
const OVERSCAN = 8;

export interface VirtualRowsProps<Item> {
  /** What the list is, for screen readers. */
  readonly label: string;
  readonly items: readonly Item[];
  /** Key of an item; the first one given is used. */
  readonly keyOf: (item: Item) => string;
  /** Pixels of a row before it was measured. */
  readonly estimateSize: number;
  readonly renderItem: (item: Item, index: number) => ReactNode;
  /** Key of the row that is brought into view, when it appears and when it changes. */
  readonly shown?: string;
  /** Called when the last rows come into view: load more. */
  readonly onEnd?: () => void;
}

/** Rows of the nearest scrolling ancestor. */
export function VirtualRows<Item>(props: VirtualRowsProps<Item>): ReactElement {
  const { label, items, estimateSize, renderItem, shown, onEnd } = props;
  const [keyOf] = useState(() => props.keyOf);
  // Another function each time would lay out all rows again at each step of scrolling.
  const getItemKey = useCallback(
    (index: number): string | number => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    [items, keyOf],
  );
  const list = useRef<HTMLUListElement>(null);
  const { scroller, offset } = useScrollerOf(list);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    estimateSize: () => estimateSize,
    getItemKey,
    overscan: OVERSCAN,
    scrollMargin: offset,
  });
  const rows = virtualizer.getVirtualItems();
  const last = rows.at(-1)?.index ?? -1;
  const shownIndex = shown === undefined ? -1 : items.findIndex((item) => keyOf(item) === shown);
  const bringIntoView = useEffectEvent(() => virtualizer.scrollToIndex(shownIndex));
  useEffect(() => {
    if (shown !== undefined && shownIndex >= 0 && scroller !== null) bringIntoView();
  }, [shown, shownIndex, scroller]);
  const reachedEnd = useEffectEvent(() => onEnd?.());
  useEffect(() => {
    if (items.length > 0 && last >= items.length - 1) reachedEnd();
  }, [last, items.length]);
  return (
    <ul ref={list} className={styles.content} style={{ height: virtualizer.getTotalSize() }} aria-label={label}>
      {rows.map((row) => {
        const item = items[row.index];
        return (
          <li
            key={row.key}
            ref={virtualizer.measureElement}
            data-index={row.index}
            className={styles.item}
            style={{ transform: `translateY(${row.start - offset}px)` }}
            aria-setsize={items.length}
            aria-posinset={row.index + 1}
          >
            {item !== undefined && renderItem(item, row.index)}
          </li>
        );
      })}
    </ul>
  );
}

/** The nearest scrolling ancestor, and how far below its top the list begins. */
function useScrollerOf(list: { readonly current: HTMLElement | null }): { readonly scroller: HTMLElement | null; readonly offset: number } {
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const element = list.current;
    const ancestor = element === null ? null : scrollingAncestor(element);
    if (element === null || ancestor === null) return undefined;
    const measure = (): void =>
      setOffset(Math.round(element.getBoundingClientRect().top - ancestor.getBoundingClientRect().top + ancestor.scrollTop));
    setScroller(ancestor);
    measure();
    const observer = new ResizeObserver(measure);
    for (const child of ancestor.children) observer.observe(child);
    return (): void => observer.disconnect();
  }, [list]);
  return { scroller, offset };
}

function scrollingAncestor(element: HTMLElement): HTMLElement | null {
  const parent = element.parentElement;
  if (parent === null) return null;
  return /auto|scroll/.test(getComputedStyle(parent).overflowY) ? parent : scrollingAncestor(parent);
}
