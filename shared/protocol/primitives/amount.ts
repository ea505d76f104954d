// Amounts of µT: safe non-negative integers, exact in both directions. No float ever touches one.
import { CodedError } from "#shared/errors/coded-error.ts";
import { MAX_SUPPLY_UT, UT_PER_T } from "./limits.ts";

/** An amount in µT. Always a safe non-negative integer. */
export type AmountUt = number;

/** True when the value is a safe non-negative integer. Minus zero, which JSON can hold and CBOR cannot, is none. */
export function isAmount(value: unknown): value is AmountUt {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0);
}

/** Sum of amounts in µT, or undefined when it would exceed the largest supply. */
export function addAmounts(...amounts: readonly AmountUt[]): AmountUt | undefined {
  let sum = 0;
  for (const amount of amounts) {
    sum += amount;
    if (sum > MAX_SUPPLY_UT) return undefined;
  }
  return sum;
}

/** Exact text of an amount, e.g. `1.234567 T`, `12 T`, `0.001 T`: no grouping, no trailing zeros. */
export function formatAmount(amountUt: AmountUt): string {
  const fraction = amountUt % UT_PER_T;
  const whole = (amountUt - fraction) / UT_PER_T;
  const digits = String(fraction).padStart(6, "0").replace(/0+$/, "");
  return digits === "" ? `${whole} T` : `${whole}.${digits} T`;
}

/**
 * µT of a decimal text in T, e.g. `1.5` → 1500000. At most six decimals, a dot, no sign, no grouping; a trailing ` T` is allowed.
 * @throws CodedError BAD_REQUEST naming what is wrong.
 */
export function parseAmount(text: string): AmountUt {
  const match = /^(\d+)(?:\.(\d{1,6}))?(?:\s?T)?$/.exec(text.trim());
  if (match === null) throw new CodedError("BAD_REQUEST", `"${text}" is not an amount: write T with at most six decimals, like 1.5`);
  const [, whole = "0", fraction = ""] = match;
  const amount = BigInt(whole) * BigInt(UT_PER_T) + BigInt(fraction.padEnd(6, "0"));
  if (amount > BigInt(MAX_SUPPLY_UT)) throw new CodedError("BAD_REQUEST", `"${text}" exceeds the largest possible amount`);
  return Number(amount);
}
