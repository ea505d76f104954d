// What a transaction costs at least on the network of a node: validators may change it while the network runs.

import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { MOST_MIN_FEE_UT } from "#shared/protocol/primitives/limits.ts";
import type { CallOptions, NodeClient } from "../client.ts";

/**
 * The smallest fee, µT; undefined of a node that does not say, where it is that of a network which never changed.
 * @throws CodedError UPSTREAM_FAILED for a fee that no network can have: it would be the balance of those who believe it
 */
export async function readLeastFee(client: Pick<NodeClient, "getParams">, call?: CallOptions): Promise<AmountUt | undefined> {
  try {
    const { min_fee_ut: leastUt } = (await client.getParams({}, call)).params;
    if (leastUt !== undefined && !(Number.isSafeInteger(leastUt) && leastUt >= 1 && leastUt <= MOST_MIN_FEE_UT))
      throw new CodedError("UPSTREAM_FAILED", `The node reports ${leastUt} µT as the smallest fee, which no network can have`);
    return leastUt;
  } catch (error) {
    if (isCodedError(error, "NOT_FOUND")) return undefined;
    throw error;
  }
}
