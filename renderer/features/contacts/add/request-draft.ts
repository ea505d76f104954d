// What the form for a contact request means: an intent, or what is wrong with it. Pure.
import type { RequestContactIntent } from "#shared/keyring/intents/intents.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type AmountUt, addAmounts, formatAmount, parseAmount } from "#shared/protocol/primitives/amount.ts";
import { MAX_INTRO_CHARS, MIN_CONTACT_FEE_UT, MIN_FEE_UT } from "#shared/protocol/primitives/limits.ts";

/** Amount that the form starts with, as typed. */
export const INITIAL_AMOUNT = formatAmount(MIN_CONTACT_FEE_UT).replace(" T", "");

export interface RequestForm {
  readonly amount: string;
  readonly intro: string;
}

/** What is wrong with an amount. */
export type AmountProblem = "invalid" | "tooSmall" | "tooLarge";

/** The form checked. */
export interface CheckedRequest {
  readonly amountProblem: AmountProblem | undefined;
  readonly isIntroTooLong: boolean;
  /** Present when nothing is wrong. */
  readonly intent: RequestContactIntent | undefined;
}

/** Checks the form for a person. An unknown balance limits nothing: the node refuses what cannot be paid. */
export function checkRequest(form: RequestForm, to: PublicKeyHex, balanceUt: AmountUt | undefined): CheckedRequest {
  const intro = form.intro.trim();
  const amountUt = amountOf(form.amount);
  const amountProblem = amountUt === undefined ? "invalid" : problemOf(amountUt, balanceUt);
  const isIntroTooLong = [...intro].length > MAX_INTRO_CHARS;
  const isRight = amountUt !== undefined && amountProblem === undefined && !isIntroTooLong;
  return {
    amountProblem,
    isIntroTooLong,
    intent: isRight ? { kind: "requestContact", to, amountUt, ...(intro !== "" && { intro }) } : undefined,
  };
}

function amountOf(text: string): AmountUt | undefined {
  try {
    return parseAmount(text);
  } catch {
    return undefined;
  }
}

function problemOf(amountUt: AmountUt, balanceUt: AmountUt | undefined): AmountProblem | undefined {
  if (amountUt < MIN_CONTACT_FEE_UT) return "tooSmall";
  const total = addAmounts(amountUt, MIN_FEE_UT);
  return total === undefined || (balanceUt !== undefined && total > balanceUt) ? "tooLarge" : undefined;
}
