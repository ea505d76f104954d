// The transactions of an account, newest first, loaded page by page. The newest page is kept fresh; the others are loaded once.
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { CallOptions } from "#shared/api/client.ts";
import type { TransactionEntry } from "#shared/api/schemas/chain.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { useNode } from "./access/node-context.tsx";
import { entriesOf, type HistoryPage, type HistoryPages, missingBelowOf, withNewest } from "./account-pages.ts";
import { readHistoryPage, useNodeQueries } from "./queries.ts";
import { queryKeys } from "./query-keys.ts";

/** History as far as it is loaded. */
export interface LoadedHistory {
  readonly transactions: readonly TransactionEntry[];
  /** True until the first page has come. */
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  /** Entries of blocks below are not on the node, nor on others that it could ask. */
  readonly missingBelow: number | undefined;
  readonly isLoadingMore: boolean;
  /** Loads the next page; does nothing while one is on its way. */
  readonly loadMore: () => void;
  readonly retry: () => void;
}

const NOTHING: readonly TransactionEntry[] = [];

export function useAccountHistory(publicKey: PublicKeyHex): LoadedHistory {
  const { client } = useNode();
  const queries = useQueryClient();
  const pageAt = (offset: number, call: CallOptions): Promise<HistoryPage> => readHistoryPage(client, { addr: publicKey, offset }, call);
  const { data: newest, error, refetch } = useQuery(useNodeQueries().newestTransactions(publicKey));
  const pages = useInfiniteQuery({
    queryKey: queryKeys.historyPages(publicKey),
    queryFn: ({ signal, pageParam }) => pageAt(pageParam, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.has_more ? page.next_offset : undefined),
    select: loadedOf,
    enabled: false,
  });
  useEffect(() => {
    if (newest !== undefined) queries.setQueryData<HistoryPages>(queryKeys.historyPages(publicKey), (known) => withNewest(known, newest));
  }, [queries, publicKey, newest]);
  return {
    transactions: pages.data?.entries ?? NOTHING,
    isPending: pages.data === undefined && error === null,
    error: error ?? pages.error,
    hasMore: pages.hasNextPage,
    missingBelow: pages.data?.missingBelow,
    isLoadingMore: pages.isFetchingNextPage,
    loadMore: (): void => {
      if (pages.hasNextPage && !pages.isFetchingNextPage) void pages.fetchNextPage();
    },
    retry: (): void => void (error === null ? pages.fetchNextPage() : refetch()),
  };
}

function loadedOf(pages: HistoryPages): { readonly entries: readonly TransactionEntry[]; readonly missingBelow: number | undefined } {
  return { entries: entriesOf(pages), missingBelow: missingBelowOf(pages) };
}
