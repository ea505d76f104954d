// What an amount is worth in another currency, in the form of the language. For showing: rounded, never computed with.
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { UT_PER_T } from "#shared/protocol/primitives/limits.ts";

/** True for the code of a currency, three capital letters. */
export function isCurrencyCode(text: string): boolean {
  return /^[A-Z]{3}$/.test(text);
}

/** `12,30 €`, `€12.30`; below the smallest unit `< 0,01 €`. `rate` is what one T is worth. */
export function fiatText(
  locale: string,
  amountUt: AmountUt,
  { rate, currency }: { readonly rate: number; readonly currency: string },
): string {
  const format = new Intl.NumberFormat(locale, { style: "currency", currency });
  const value = (amountUt / UT_PER_T) * rate;
  const smallest = 10 ** -(format.resolvedOptions().maximumFractionDigits ?? 2);
  return value > 0 && value < smallest ? `< ${format.format(smallest)}` : `≈ ${format.format(value)}`;
}
