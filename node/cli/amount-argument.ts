// Amounts on the command line. Without a unit, --amount is in T and --fee in µT; `T` or `ut` behind the number says it openly.
import { CodedError } from "#shared/errors/coded-error.ts";
import { type AmountUt, parseAmount } from "#shared/protocol/amount.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/limits.ts";

/** µT of a text in T (`1.5`, `1.5T`) or, with the unit `ut`, in µT. @throws CodedError BAD_REQUEST */
export function parseAmountArgument(text: string): AmountUt {
  return unitsOf(text) ?? parseAmount(text);
}

/** µT of a text in µT (`5000`, `5000ut`) or, with the unit `T`, in T. @throws CodedError BAD_REQUEST */
export function parseFeeArgument(text: string): AmountUt {
  if (/T$/.test(text.trim())) return parseAmount(text);
  const amount = unitsOf(/^\d+$/.test(text.trim()) ? `${text.trim()}ut` : text);
  if (amount === undefined)
    throw new CodedError("BAD_REQUEST", `"${text}" is not a fee: write whole µT like 5000, or T with its unit like 0.005T`);
  return amount;
}

function unitsOf(text: string): AmountUt | undefined {
  const digits = /^(\d+)\s?(?:ut|µT|μT)$/.exec(text.trim())?.[1];
  if (digits === undefined) return undefined;
  if (BigInt(digits) > BigInt(MAX_SUPPLY_UT)) throw new CodedError("BAD_REQUEST", `"${text}" exceeds the largest possible amount`);
  return Number(digits);
}
