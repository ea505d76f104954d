// The network that this window last spoke to, so that local work can begin before the node responds.
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useNodeQueries } from "./queries.ts";

const KEY = "parley.chain";

/** Chain id of the node; the last known one until it responds; undefined on the very first start without a node. */
export function useChainId(): string | undefined {
  const { data } = useQuery(useNodeQueries().networkInfo());
  const chainId = data?.chain_id;
  useEffect(() => {
    if (chainId !== undefined) localStorage.setItem(KEY, chainId);
  }, [chainId]);
  return chainId ?? localStorage.getItem(KEY) ?? undefined;
}
