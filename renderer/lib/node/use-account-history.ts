// The transactions of an account, newest first, loaded page by page.
import { useInfiniteQuery } from "@tanstack/react-query";
import type { TransactionEntry } from "#shared/api/schemas/chain.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import { useNode } from "./node-context.tsx";
import { unlessUnknown } from "./queries.ts";
import { queryKeys } from "./query-keys.ts";

/** Entries of one page. */
const HISTORY_PAGE = 50;

/** History as far as it is loaded. */
export interface AccountHistory {
  readonly transactions: readonly TransactionEntry[];
  /** True until the first page has come. */
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  /** Loads the next page; does nothing while one is on its way. */
  readonly loadMore: () => void;
  readonly retry: () => void;
}

/** History of an account. */
export function useAccountHistory(publicKey: PublicKeyHex): AccountHistory {
  const { client } = useNode();
  const query = useInfiniteQuery({
    queryKey: queryKeys.accountHistory(publicKey),
    queryFn: ({ signal, pageParam }) =>
      unlessUnknown(client.getAddress({ addr: publicKey, limit: HISTORY_PAGE, offset: pageParam }, { signal })),
    initialPageParam: 0,
    getNextPageParam: (page) => (page?.has_more ? page.next_offset : undefined),
    select: ({ pages }) => uniqueById(pages.flatMap((page) => page?.transactions ?? [])),
  });
  return {
    transactions: query.data ?? [],
    isPending: query.isPending,
    error: query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: (): void => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
    },
    retry: () => void query.refetch(),
  };
}

/** Pages counted by offset overlap when a transaction arrives between them. */
function uniqueById(entries: readonly TransactionEntry[]): readonly TransactionEntry[] {
  return [...new Map(entries.map((entry) => [`${entry.block_index}:${entry.id}`, entry])).values()];
}
