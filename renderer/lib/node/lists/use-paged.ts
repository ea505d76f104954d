// Lists of the node that are cut by `after` and continued by `next_after`.
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import type { CallOptions } from "#shared/api/client.ts";

export interface AfterPage {
  readonly next_after?: string | undefined;
}

/** Loads a list page by page. `ask` gets the offset to continue from. */
export function usePaged<Page extends AfterPage>(
  queryKey: readonly unknown[],
  ask: (after: { readonly after?: string }, call: CallOptions) => Promise<Page>,
): UseInfiniteQueryResult<InfiniteData<Page>> {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) => ask(pageParam === "" ? {} : { after: pageParam }, { signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_after,
  });
}
