// `pay pl1… 5` and pasted payment links, as typed into the command palette.

import { readAmount, typedAmount } from "#renderer/lib/amount-input.ts";
import { isPaymentLink } from "#renderer/lib/payment-link.ts";
import { parseRecipient } from "#renderer/lib/people/parse-recipient.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";

/** What was asked for. */
export interface PayCommand {
  readonly to: PublicKeyHex;
  /** As typed into the form. */
  readonly amount?: string;
  readonly memo?: string;
}

const FORM = /^pay\s+(\S+)(?:\s+(\S+))?$/i;

/** The payment of a text, or undefined when it is none. An amount that cannot be read makes it none: nothing is guessed. */
export function parsePayCommand(query: string): PayCommand | undefined {
  const text = query.trim();
  const [, target = isPaymentLink(text) ? text : "", typed] = FORM.exec(text) ?? [];
  const recipient = parseRecipient(target);
  if (recipient.kind !== "account") return undefined;
  const { to, amountUt, memo } = recipient.request;
  const amount = typed === undefined ? { kind: "empty" as const } : readAmount(typed);
  if (amount.kind !== "ok" && amount.kind !== "empty") return undefined;
  const paidUt = amount.kind === "ok" ? amount.amountUt : amountUt;
  return { to, ...(paidUt !== undefined && { amount: typedAmount(paidUt) }), ...(memo !== undefined && { memo }) };
}
