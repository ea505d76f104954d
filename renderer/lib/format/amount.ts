// Amounts for people: always exact, through the protocol's own formatting.
import { type AmountUt, formatAmount } from "#shared/protocol/primitives/amount.ts";

/** Parts of an exact amount: `12345`, `.5` (or ""), `T`. */
export interface AmountParts {
  readonly whole: string;
  readonly fraction: string;
  readonly unit: string;
}

/** An exact amount cut into whole part, fraction with its dot and unit. */
export function splitAmount(amountUt: AmountUt): AmountParts {
  const [number = "0", unit = "T"] = formatAmount(amountUt).split(" ");
  const [whole = "0", fraction] = number.split(".");
  return { whole, fraction: fraction === undefined ? "" : `.${fraction}`, unit };
}

/** Digits of a whole number in groups of three from the right, from five digits on. */
export function groupDigits(whole: string): readonly string[] {
  if (whole.length < 5) return [whole];
  const head = whole.length % 3;
  const groups = whole.slice(head).match(/\d{3}/g) ?? [];
  return head === 0 ? groups : [whole.slice(0, head), ...groups];
}
