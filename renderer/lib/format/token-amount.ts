// Amounts of tokens, exact: whole units of the last decimal, written with the token's own decimals in the language of the person.
import { localNumber, readNumber } from "./decimal.ts";

/** `12.5` of 1250 with two decimals; trailing zeros are left out. */
export function formatTokenAmount(locale: string, units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction === "" || decimals === 0 ? whole : localNumber(locale, `${whole}.${fraction}`);
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
