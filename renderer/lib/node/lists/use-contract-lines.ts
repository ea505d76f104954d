// What a native contract logged, newest first: lists of an account are read from it. A few pages at once, older ones when asked for.
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Output } from "#shared/api/api.ts";
import { type NativeContractName, nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { useNode } from "../access/node-context.tsx";
import { queryKeys } from "../query-keys.ts";
import { usePaged } from "./use-paged.ts";

/** Lines of a page, and pages that are read by themselves: docs/limits.md lists what follows. */
const LINES = 100;
const FIRST_PAGES = 5;

/** Lines of a native contract, cut at their spaces. */
export interface ContractLines {
  readonly query: UseInfiniteQueryResult<InfiniteData<Output<"listContractLogs">>>;
  readonly lines: readonly (readonly string[])[];
}

/** Reads the newest lines; `query.fetchNextPage` reads older ones. */
export function useContractLines(name: NativeContractName): ContractLines {
  const { client } = useNode();
  const contractID = nativeContractId(name);
  const query = usePaged(queryKeys.contractLines(contractID), (after, call) =>
    client.listContractLogs({ contractID, limit: LINES, ...after }, call),
  );
  const { data, hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  const pages = data?.pages.length ?? 0;
  const wantsMore = pages > 0 && pages < FIRST_PAGES && hasNextPage && !isFetchingNextPage && !isError;
  useEffect(() => {
    if (wantsMore) void fetchNextPage();
  }, [wantsMore, fetchNextPage]);
  const lines = (data?.pages ?? []).flatMap(({ logs }) => logs.map(({ message }) => message.split(" ")));
  return { query, lines };
}
