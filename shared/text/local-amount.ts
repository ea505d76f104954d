// Amounts in the words of the shell's own windows, exact: with a decimal comma in German, where a point would be read as thousands.
import { type AmountUt, formatAmount, parseAmount } from "../protocol/primitives/amount.ts";

/** Languages of the shell's windows and notices. */
export type ShellLanguage = "en" | "de";

const MARKS: Readonly<Record<ShellLanguage, "." | ",">> = { en: ".", de: "," };
/** One separator before three digits: decimals, or thousands. */
const MAYBE_THOUSANDS = /^[1-9]\d{0,2}([.,])\d{3}$/;

/** `1,5 T` in German. */
export function localAmount(amountUt: AmountUt, language: ShellLanguage): string {
  return formatAmount(amountUt).replace(".", MARKS[language]);
}

/** µT of what was typed, in T with either mark; undefined for what is no amount, or may be read in two ways. */
export function readLocalAmount(text: string, language: ShellLanguage): AmountUt | undefined {
  const separator = MAYBE_THOUSANDS.exec(text)?.[1];
  if (separator !== undefined && separator !== MARKS[language]) return undefined;
  try {
    return parseAmount(text.replace(",", "."));
  } catch {
    return undefined;
  }
}
