// Amounts for people: always exact, through the protocol's own formatting, with the decimal mark of the language. Thousands are separated by
// narrow spaces in every language: a point or a comma there would be read as decimals by others.
import { type AmountUt, formatAmount } from "#shared/protocol/primitives/amount.ts";
import { UT_PER_T } from "#shared/protocol/primitives/limits.ts";
import { decimalMark } from "./decimal.ts";

const NARROW_SPACE = "\u202f";
const NO_BREAK_SPACE = "\u00a0";
/** The most that an amount can have. */
const DECIMALS = Math.log10(UT_PER_T);

/** Parts of an exact amount: `12345`, `.5` (or ""), `T`. */
export interface AmountParts {
  readonly whole: string;
  readonly fraction: string;
  readonly unit: string;
}

/** An exact amount cut into whole part, fraction with its mark and unit. */
export function splitAmount(locale: string, amountUt: AmountUt): AmountParts {
  const [number = "0", unit = "T"] = formatAmount(amountUt).split(" ");
  const [whole = "0", fraction] = number.split(".");
  return { whole, fraction: fraction === undefined ? "" : `${decimalMark(locale)}${fraction}`, unit };
}

/** The fraction of an amount that changes while it is shown, with all its decimals: what follows stays where it is. */
export function wholeFraction(locale: string, fraction: string): string {
  return (fraction === "" ? decimalMark(locale) : fraction).padEnd(1 + DECIMALS, "0");
}

/** An exact amount within a text: `105,502 T` in German, where `locale` comes with the words. */
export function amountText({ locale }: { readonly locale: string }, amountUt: AmountUt): string {
  const { whole, fraction, unit } = splitAmount(locale, amountUt);
  return `${groupDigits(whole).join(NARROW_SPACE)}${fraction}${NO_BREAK_SPACE}${unit}`;
}

/** The number of an amount as files and links have it: with a point, without unit and groups. */
export function plainAmount(amountUt: AmountUt): string {
  return formatAmount(amountUt).replace(" T", "");
}

/** Digits of a whole number in groups of three from the right, from five digits on. */
export function groupDigits(whole: string): readonly string[] {
  if (whole.length < 5) return [whole];
  const head = whole.length % 3;
  const groups = whole.slice(head).match(/\d{3}/g) ?? [];
  return head === 0 ? groups : [whole.slice(0, head), ...groups];
}
