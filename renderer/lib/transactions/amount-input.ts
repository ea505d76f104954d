// An amount as it is typed: exact, in the language of the person, never more than can be paid.

import { type AmountUt, parseAmount } from "#shared/protocol/primitives/amount.ts";
import { amountText, plainAmount } from "../format/amount.ts";
import { localNumber, readNumber } from "../format/decimal.ts";
import type { Translate } from "../messages/catalogue.ts";

/** Meaning of what was typed. `insufficient`: the most that can be paid is `maxUt`. `ambiguous`: it may be either, and is none. */
export type AmountInput =
  | { readonly kind: "ok"; readonly amountUt: AmountUt }
  | { readonly kind: "empty" | "malformed" | "decimals" | "zero" | "tooLarge" }
  | { readonly kind: "ambiguous"; readonly small: string; readonly large: string }
  | { readonly kind: "insufficient"; readonly maxUt: AmountUt };

const UNIT = /\s?T$/i;
const MAX_DECIMALS = 6;

/** Reads an amount in a language; `maxUt` is the most that can be paid, where that is known. */
export function readAmount(input: string, locale: string, maxUt?: AmountUt): AmountInput {
  const text = input.trim();
  if (text === "") return { kind: "empty" };
  const number = readNumber(text.replace(UNIT, ""), locale);
  if (number.kind === "malformed") return { kind: "malformed" };
  if (number.kind === "ambiguous")
    return { kind: "ambiguous", small: localNumber(locale, number.small), large: localNumber(locale, number.large) };
  const [, fraction = ""] = number.plain.split(".");
  if (fraction.length > MAX_DECIMALS) return { kind: "decimals" };
  const amountUt = exactAmount(number.plain);
  if (amountUt === undefined) return { kind: "tooLarge" };
  if (amountUt === 0) return { kind: "zero" };
  return maxUt !== undefined && amountUt > maxUt ? { kind: "insufficient", maxUt } : { kind: "ok", amountUt };
}

/** What is wrong and how to mend it; undefined where nothing is. */
export function amountProblem(t: Translate, input: AmountInput): string | undefined {
  switch (input.kind) {
    case "ok":
    case "empty":
      return undefined;
    case "insufficient":
      return input.maxUt === 0 ? t("wallet.amountNothing") : t("wallet.amountInsufficient", { max: amountText(t, input.maxUt) });
    case "malformed":
      return t("wallet.amountMalformed", { example: localNumber(t.locale, "0.5") });
    case "ambiguous":
      return t("wallet.amountAmbiguous", { small: input.small, large: input.large });
    case "decimals":
      return t("wallet.amountDecimals");
    case "zero":
      return t("wallet.amountZero");
    case "tooLarge":
      return t("wallet.amountTooLarge");
  }
}

/** The amount as one would type it, without its unit. */
export function typedAmount(amountUt: AmountUt, locale: string): string {
  return localNumber(locale, plainAmount(amountUt));
}

/** An amount of a link as one would type it; what is none stays as it is, to be mended by hand. */
export function typedFromPlain(plain: string, locale: string): string {
  const amountUt = exactAmount(plain);
  return amountUt === undefined ? plain : typedAmount(amountUt, locale);
}

function exactAmount(text: string): AmountUt | undefined {
  try {
    return parseAmount(text);
  } catch {
    return undefined;
  }
}
