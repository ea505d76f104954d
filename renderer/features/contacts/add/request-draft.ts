// What the form for a contact request means: an intent, or what is wrong with it. Pure.
import { type AmountInput, readAmount, typedAmount } from "#renderer/lib/transactions/amount-input.ts";
import type { RequestContactIntent } from "#shared/keyring/intents/intents.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type AmountUt, addAmounts } from "#shared/protocol/primitives/amount.ts";
import { MAX_INTRO_CHARS, MIN_CONTACT_FEE_UT } from "#shared/protocol/primitives/limits.ts";

/** Amount that the form starts with, as typed. */
export function initialAmount(locale: string): string {
  return typedAmount(MIN_CONTACT_FEE_UT, locale);
}

export interface RequestForm {
  readonly amount: string;
  readonly intro: string;
}

/** What is wrong with an amount. */
export type AmountProblem = "invalid" | "tooSmall" | "tooLarge";

/** The form checked. */
export interface CheckedRequest {
  readonly amountProblem: AmountProblem | undefined;
  /** What was typed as the amount. */
  readonly input: AmountInput;
  readonly isIntroTooLong: boolean;
  /** Present when nothing is wrong. */
  readonly intent: RequestContactIntent | undefined;
}

/** What a request is paid from. */
export interface RequestFunds {
  readonly balanceUt: AmountUt | undefined;
  /** Smallest fee of the network. */
  readonly leastFeeUt: AmountUt;
}

/** Checks the form for a person. An unknown balance limits nothing: the node refuses what cannot be paid. */
export function checkRequest(
  form: RequestForm,
  to: PublicKeyHex,
  { locale, ...funds }: RequestFunds & { readonly locale: string },
): CheckedRequest {
  const intro = form.intro.trim();
  const input = readAmount(form.amount, locale);
  const amountUt = input.kind === "ok" ? input.amountUt : undefined;
  const amountProblem = amountUt === undefined ? (input.kind === "zero" ? "tooSmall" : "invalid") : problemOf(amountUt, funds);
  const isIntroTooLong = [...intro].length > MAX_INTRO_CHARS;
  const isRight = amountUt !== undefined && amountProblem === undefined && !isIntroTooLong;
  return {
    amountProblem,
    input,
    isIntroTooLong,
    intent: isRight ? { kind: "requestContact", to, amountUt, ...(intro !== "" && { intro }) } : undefined,
  };
}

function problemOf(amountUt: AmountUt, { balanceUt, leastFeeUt }: RequestFunds): AmountProblem | undefined {
  if (amountUt < MIN_CONTACT_FEE_UT) return "tooSmall";
  const total = addAmounts(amountUt, leastFeeUt);
  return total === undefined || (balanceUt !== undefined && total > balanceUt) ? "tooLarge" : undefined;
}
