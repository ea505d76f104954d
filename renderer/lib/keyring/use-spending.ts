// Spending rules as the keyring says them, and the chain's time that it counts by.
import { type QueryClient, type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { SpendingView } from "#shared/keyring/intents/spending/spending-api.ts";
import { useNodeQueries } from "../node/queries.ts";
import { useKeyring } from "./keyring-context.tsx";

const KEY = ["spending"];
/** How often what is left, and what waits, is looked at again. */
const AGAIN_MS = 10_000;

/** Time of the newest block that is known, unix ms; undefined before any is, and where the node is away. */
export function useBlockMs(): () => number | undefined {
  const cache = useQueryClient();
  const queries = useNodeQueries();
  return useCallback((): number | undefined => {
    const status = cache.getQueryData<{ readonly sync: { readonly tip_time: string } }>(queries.status().queryKey);
    const blockMs = Date.parse(status?.sync.tip_time ?? "");
    return Number.isSafeInteger(blockMs) && blockMs >= 0 ? blockMs : undefined;
  }, [cache, queries]);
}

/** The rules, what they leave and what waits. */
export function useSpending(): UseQueryResult<SpendingView> {
  const keyring = useKeyring();
  const blockMs = useBlockMs();
  return useQuery({ queryKey: KEY, queryFn: () => keyring.spending({ blockMs: blockMs() }), refetchInterval: AGAIN_MS, retry: false });
}

/** What the keyring said takes the place of what is shown. */
export function putSpending(cache: QueryClient, view: SpendingView): void {
  cache.setQueryData(KEY, view);
}

/** Something waits, or does no longer. */
export function refreshSpending(cache: QueryClient): Promise<void> {
  return cache.invalidateQueries({ queryKey: KEY });
}
