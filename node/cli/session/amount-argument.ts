// Amounts on the command line: a whole number is µT, as everywhere in the protocol; `T` behind a number makes it T. A number with a
// dot and no unit is refused, because reading it wrong would cost a factor of a million.
import { CodedError } from "#shared/errors/coded-error.ts";
import { type AmountUt, parseAmount } from "#shared/protocol/primitives/amount.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";

const IN_UT = /^(\d+)\s?(?:ut|µt|μt)?$/i;
const IN_T = /^(\d+(?:\.\d{1,6})?)\s?t$/i;

/** µT of a text such as `1500000`, `1500000ut`, `1.5T` or `2T`. @throws CodedError BAD_REQUEST naming both forms. */
export function parseAmountArgument(text: string): AmountUt {
  const trimmed = text.trim();
  const units = IN_UT.exec(trimmed)?.[1];
  if (units !== undefined) return amountOf(units, text);
  const tokens = IN_T.exec(trimmed)?.[1];
  if (tokens !== undefined) return parseAmount(tokens);
  const problem = /^\d+\.\d+$/.test(trimmed) ? "has no unit" : "is not an amount";
  throw new CodedError(
    "BAD_REQUEST",
    `"${text}" ${problem}: write T with the unit and at most six decimals, like 1.5T, or whole µT, like 1500000`,
  );
}

function amountOf(digits: string, text: string): AmountUt {
  if (BigInt(digits) > BigInt(MAX_SUPPLY_UT)) throw new CodedError("BAD_REQUEST", `"${text}" exceeds the largest possible amount`);
  return Number(digits);
}
