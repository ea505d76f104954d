// How much more than the smallest fee a payment offers.
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";

const FACTORS = { normal: 1, high: 2, highest: 10 } as const;

/** What can be chosen. */
export type FeeLevel = keyof typeof FACTORS;
export const FEE_LEVELS: readonly FeeLevel[] = ["normal", "high", "highest"];

/** Fee of a level on a network with that smallest fee, µT. */
export function feeOfLevel(level: FeeLevel, leastFeeUt: AmountUt): AmountUt {
  return FACTORS[level] * leastFeeUt;
}
