// An amount as it is typed: exact, a dot for decimals, never more than can be paid.

import { type AmountUt, formatAmount, parseAmount } from "#shared/protocol/primitives/amount.ts";
import type { Translate } from "../messages/catalogue.ts";

/** Meaning of what was typed. `insufficient`: the most that can be paid is `maxUt`. */
export type AmountInput =
  | { readonly kind: "ok"; readonly amountUt: AmountUt }
  | { readonly kind: "empty" | "malformed" | "comma" | "decimals" | "zero" | "tooLarge" }
  | { readonly kind: "insufficient"; readonly maxUt: AmountUt };

const FORM = /^(\d+(?:\.\d*)?|\.\d+)(?:\s?T)?$/i;
const MAX_DECIMALS = 6;

/** Reads an amount; `maxUt` is the most that can be paid, where that is known. */
export function readAmount(input: string, maxUt?: AmountUt): AmountInput {
  const text = input.trim();
  if (text === "") return { kind: "empty" };
  if (text.includes(",")) return { kind: "comma" };
  const number = FORM.exec(text)?.[1];
  if (number === undefined) return { kind: "malformed" };
  const [whole = "", fraction = ""] = number.split(".");
  if (fraction.length > MAX_DECIMALS) return { kind: "decimals" };
  const amountUt = exactAmount(`${whole === "" ? "0" : whole}.${fraction === "" ? "0" : fraction}`);
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
      return input.maxUt === 0 ? t("wallet.amountNothing") : t("wallet.amountInsufficient", { max: formatAmount(input.maxUt) });
    case "malformed":
      return t("wallet.amountMalformed");
    case "comma":
      return t("wallet.amountComma");
    case "decimals":
      return t("wallet.amountDecimals");
    case "zero":
      return t("wallet.amountZero");
    case "tooLarge":
      return t("wallet.amountTooLarge");
  }
}

/** The amount as one would type it, without its unit. */
export function typedAmount(amountUt: AmountUt): string {
  return formatAmount(amountUt).replace(" T", "");
}

function exactAmount(text: string): AmountUt | undefined {
  try {
    return parseAmount(text);
  } catch {
    return undefined;
  }
}
