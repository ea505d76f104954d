// Amounts as a program writes them.
import { parseAmount } from "#shared/protocol/primitives/amount.ts";
import { ParleyError } from "./client-error.ts";

/** Whole µT as a number, or a text with its unit: `"1.5T"`, `"2 T"`, `"1500000ut"`. 1 T is 1,000,000 µT. */
export type Amount = number | string;

const IN_UT = /^(\d{1,16})\s?(?:ut|µt|μt)$/i;
const IN_T = /^(\d+(?:\.\d{1,6})?)\s?t$/i;

/** µT of an amount. @throws ParleyError BAD_REQUEST for a fraction of a µT, a text without a unit, or what no account can hold */
export function amountUt(amount: Amount): number {
  if (typeof amount === "number") return checked(amount, amount);
  const text = amount.trim();
  const units = IN_UT.exec(text)?.[1];
  if (units !== undefined) return checked(Number(units), amount);
  const tokens = IN_T.exec(text)?.[1];
  if (tokens === undefined) throw wrong(amount);
  try {
    return parseAmount(tokens);
  } catch {
    throw wrong(amount);
  }
}

function checked(value: number, amount: Amount): number {
  if (!Number.isSafeInteger(value) || value < 0) throw wrong(amount);
  return value;
}

function wrong(amount: Amount): ParleyError {
  return new ParleyError(
    "BAD_REQUEST",
    `${JSON.stringify(amount)} is no amount: write "1.5T" with at most six decimals, or whole µT as a number`,
  );
}
