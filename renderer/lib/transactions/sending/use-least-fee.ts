// What a transaction costs at least: validators may change it while the network runs.
import { useQuery } from "@tanstack/react-query";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { MIN_FEE_UT } from "#shared/protocol/primitives/limits.ts";
import { useNodeQueries } from "../../node/queries.ts";

/** The network's smallest fee, µT; that of one which never changed until the node has said, and where it does not say. */
export function useLeastFee(): AmountUt {
  return useQuery(useNodeQueries().leastFee()).data ?? MIN_FEE_UT;
}
