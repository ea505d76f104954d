// The smallest fee of a transaction. Every node stores a payload for good, so a large one costs more than the minimum.
import { base64Length } from "#shared/util/bytes.ts";
import type { AmountUt } from "../primitives/amount.ts";
import { FREE_PAYLOAD_BYTES, MIN_FEE_UT } from "../primitives/limits.ts";

/** µT for a payload in base64: the smallest fee of the network, and 1 µT for each decoded byte beyond FREE_PAYLOAD_BYTES. */
export function minimumFeeUt(payload: string, leastUt: AmountUt = MIN_FEE_UT): AmountUt {
  return leastUt + Math.max(0, base64Length(payload) - FREE_PAYLOAD_BYTES);
}
