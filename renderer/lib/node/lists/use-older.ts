// Lists that are searched backwards from what is newest: so many candidates at once, further ones when they are asked for.
import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { useState } from "react";

/** How to look further back. */
export interface Older {
  readonly hasOlder: boolean;
  readonly isSearching: boolean;
  readonly searchOlder: () => void;
}

/** Where candidates come from, page by page. */
export type CandidatePages = Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;

/**
 * How many of `count` candidates are looked up: `size` at first, and as many more with each search. Without that, those whom strangers put
 * in front would be all that is ever seen.
 */
export function useOlder(pages: CandidatePages, count: number, size: number): { readonly most: number; readonly older: Older } {
  const [rounds, setRounds] = useState(1);
  const most = rounds * size;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const searchOlder = (): void => {
    if (count > most) setRounds(rounds + 1);
    else void fetchNextPage();
  };
  return { most, older: { hasOlder: count > most || hasNextPage, isSearching: isFetchingNextPage, searchOlder } };
}
