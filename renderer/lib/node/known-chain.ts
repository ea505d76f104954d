// The network that this window last spoke to, so that local work can begin before the node responds.
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useNodeQueries } from "./queries.ts";

const KEY = "parley.chain";
const PREVIOUS_KEY = "parley.previous-chain";

/** Chain whose state the node's chain began with, known whenever {@link useChainId} is; undefined when there is none. */
export function usePreviousChainId(): string | undefined {
  const { data } = useQuery(useNodeQueries().networkInfo());
  const known = data === undefined ? localStorage.getItem(PREVIOUS_KEY) : data.previous_chain_id;
  useEffect(() => {
    if (data !== undefined) localStorage.setItem(PREVIOUS_KEY, data.previous_chain_id ?? "");
  }, [data]);
  return known === "" || known === null ? undefined : known;
}

/** Chain id of the node; the last known one until it responds; undefined on the very first start without a node. */
export function useChainId(): string | undefined {
  const { data } = useQuery(useNodeQueries().networkInfo());
  const chainId = data?.chain_id;
  useEffect(() => {
    if (chainId !== undefined) localStorage.setItem(KEY, chainId);
  }, [chainId]);
  return chainId ?? localStorage.getItem(KEY) ?? undefined;
}
