// What a transaction costs at least on the network of a node: validators may change it while the network runs.

import { isCodedError } from "#shared/errors/coded-error.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { CallOptions, NodeClient } from "../client.ts";

/** The smallest fee, µT; undefined of a node that does not say, where it is that of a network which never changed. */
export async function readLeastFee(client: Pick<NodeClient, "getParams">, call?: CallOptions): Promise<AmountUt | undefined> {
  try {
    return (await client.getParams({}, call)).params.min_fee_ut;
  } catch (error) {
    if (isCodedError(error, "NOT_FOUND")) return undefined;
    throw error;
  }
}
