// `pay pl1… 5`, `pay @anna 5` and pasted payment links, as typed into the command palette.

import { plainAmount } from "#renderer/lib/format/amount.ts";
import { usernameIn } from "#renderer/lib/people/names/username.ts";
import { parseRecipient } from "#renderer/lib/people/parse-recipient.ts";
import { readAmount } from "#renderer/lib/transactions/amount-input.ts";
import { formatPaymentLink, isPaymentLink, type PaymentRequest } from "#renderer/lib/transactions/payment-link.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";

/** What was asked for. A `@name` is resolved by the form that it fills. */
export interface PayCommand {
  /** Address, or `@name`. */
  readonly to: string;
  /** With a point for decimals. */
  readonly amount?: string;
  readonly memo?: string;
  /** What fills the form in place of the address: a link that leads back to the shop afterwards. */
  readonly link?: string;
}

const FORM = /^pay\s+(\S+)(?:\s+(\S+))?$/i;

/** The payment of a text, or undefined when it is none. An amount that cannot be read makes it none: nothing is guessed. */
export function parsePayCommand(query: string, locale: string): PayCommand | undefined {
  const text = query.trim();
  const [, target = isPaymentLink(text) ? text : "", typed] = FORM.exec(text) ?? [];
  const name = usernameIn(target);
  const recipient = parseRecipient(target);
  if (name === undefined && recipient.kind !== "account") return undefined;
  const { to, amountUt, memo, callback }: Partial<PaymentRequest> = recipient.kind === "account" ? recipient.request : {};
  const amount = typed === undefined ? { kind: "empty" as const } : readAmount(typed, locale);
  if (amount.kind !== "ok" && amount.kind !== "empty") return undefined;
  const paidUt = amount.kind === "ok" ? amount.amountUt : amountUt;
  return {
    to: to === undefined ? `@${name}` : formatAddress(to),
    ...(paidUt !== undefined && { amount: plainAmount(paidUt) }),
    ...(memo !== undefined && { memo }),
    ...(to !== undefined && callback !== undefined && { link: formatPaymentLink({ to, callback }) }),
  };
}
