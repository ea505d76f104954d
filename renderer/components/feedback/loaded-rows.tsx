// A list that is loaded page by page, in all its states: on its way, failed, empty, and rows that load more at their end.
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { LucideIcon } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { VirtualRows } from "../layout/virtual-rows.tsx";
import { EmptyState } from "./empty-state.tsx";
import { QueryState } from "./query-state.tsx";

export interface LoadedRowsProps<Page, Item> {
  readonly label: string;
  readonly query: UseInfiniteQueryResult<InfiniteData<Page>>;
  readonly itemsOf: (page: Page) => readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly renderItem: (item: Item) => ReactNode;
  readonly estimateSize: number;
  /** What is said where nothing is. */
  readonly empty: { readonly icon: LucideIcon; readonly title: string; readonly text: string };
}

/** The list. A page may be empty and still have a next one. */
export function LoadedRows<Page, Item>(props: LoadedRowsProps<Page, Item>): ReactElement {
  const { label, query, itemsOf, keyOf, renderItem, estimateSize, empty } = props;
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  if (data === undefined) return <QueryState query={query} />;
  const items = data.pages.flatMap(itemsOf);
  const more = (): void => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  };
  if (items.length === 0) return <EmptyState icon={empty.icon} title={empty.title} text={empty.text} />;
  return <VirtualRows label={label} items={items} keyOf={keyOf} estimateSize={estimateSize} renderItem={renderItem} onEnd={more} />;
}
