// Amounts of tokens, exact: whole units of the last decimal, written with the token's own decimals in the language of the person.
import { groupDigits } from "./amount.ts";
import { decimalMark, localNumber, readNumber } from "./decimal.ts";

/** `12.5` of 1250 with two decimals; trailing zeros are left out. */
export function formatTokenAmount(locale: string, units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction === "" || decimals === 0 ? whole : localNumber(locale, `${whole}.${fraction}`);
}

/** An exact amount within a text: `12 500,5 GOLD` in German, where `locale` comes with the words. */
export function tokenAmountText(
  { locale }: { readonly locale: string },
  units: bigint,
  { decimals, symbol }: { readonly decimals: number; readonly symbol: string },
): string {
  const [whole = "0", fraction] = formatTokenAmount("en", units, decimals).split(".");
  const end = fraction === undefined ? "" : `${decimalMark(locale)}${fraction}`;
  return `${groupDigits(whole).join("\u202f")}${end}\u00a0${symbol}`;
}

/** What a typed amount of a token is: `units`, or why it is none. */
export type TokenAmountInput =
  | { readonly kind: "ok"; readonly units: bigint }
  | { readonly kind: "malformed" }
  | { readonly kind: "ambiguous"; readonly small: string; readonly large: string };

/** Reads a typed amount; one that has more decimals than the token is malformed. */
export function readTokenAmount(text: string, locale: string, decimals: number): TokenAmountInput {
  const number = readNumber(text.trim(), locale);
  if (number.kind === "ambiguous") return { ...number, small: localNumber(locale, number.small) };
  if (number.kind === "malformed") return number;
  const [whole = "0", fraction = ""] = number.plain.split(".");
  if (fraction.length > decimals || whole.length > 20) return { kind: "malformed" };
  const units = BigInt(`${whole}${fraction.padEnd(decimals, "0")}`);
  return units < 2n ** 64n ? { kind: "ok", units } : { kind: "malformed" };
}
