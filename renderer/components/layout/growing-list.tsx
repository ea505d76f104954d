// A list that scrolls by itself, fills its container and is short for most people: the code for a long one is loaded when it has become one.
import { type ComponentType, lazy, type ReactElement, Suspense, useState } from "react";
import styles from "./virtual-list.module.css";
import type { VirtualRowsProps } from "./virtual-rows.tsx";

/** Rows that are all in the document; as many of a longer list are shown until its code is there. */
const MAX_SHORT_ROWS = 40;

/** Properties of {@link GrowingList}. */
export type GrowingListProps<Item> = Omit<VirtualRowsProps<Item>, "shown" | "onEnd">;

const LongList = lazy(
  async (): Promise<{ readonly default: ComponentType<GrowingListProps<unknown>> }> => ({
    default: (await import("./virtual-list.tsx")).VirtualList,
  }),
);

/** All rows of a short list, and those in view of a long one. A list that has become long stays one, for its place and focus. */
export function GrowingList<Item>(props: GrowingListProps<Item>): ReactElement {
  const [wasLong, setWasLong] = useState(false);
  const isLong = wasLong || props.items.length > MAX_SHORT_ROWS;
  if (isLong && !wasLong) setWasLong(true);
  if (!isLong) return <ShortList {...props} />;
  return (
    <Suspense fallback={<ShortList {...props} />}>
      <LongList {...(props as unknown as GrowingListProps<unknown>)} />
    </Suspense>
  );
}

function ShortList<Item>({ label, items, keyOf, renderItem }: GrowingListProps<Item>): ReactElement {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
    <section className={styles.scroller} tabIndex={0} aria-label={label}>
      <ul aria-label={label}>
        {items.slice(0, MAX_SHORT_ROWS).map((item, index) => (
          <li key={keyOf(item)} aria-setsize={items.length} aria-posinset={index + 1}>
            {renderItem(item, index)}
          </li>
        ))}
      </ul>
    </section>
  );
}
