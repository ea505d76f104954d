// What has been typed into the form of a payment.

import { parseRecipient } from "#renderer/lib/people/parse-recipient.ts";
import { typedAmount, typedFromPlain } from "#renderer/lib/transactions/amount-input.ts";
import { isPaymentLink } from "#renderer/lib/transactions/payment-link.ts";
import type { FeeLevel } from "#renderer/lib/transactions/sending/fee-level.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { SendSearch } from "./send-search.ts";

/** The fields as typed; retained while one goes back and forth. */
export interface SendDraft {
  readonly recipient: string;
  readonly amount: string;
  readonly memo: string;
  readonly fee: FeeLevel;
}

/** Where the link that was followed leads back to; none once another person was chosen. */
export function callbackOf({ recipient }: SendDraft, to: PublicKeyHex): string | undefined {
  const parsed = parseRecipient(recipient);
  return parsed.kind === "account" && parsed.request.to === to ? parsed.request.callback : undefined;
}

const HEX_KEY = /^[0-9a-f]{64}$/;

/** The form as a link or a chip fills it. A bare key is shown as the address that people know. */
export function draftOf(search: SendSearch, locale: string): SendDraft {
  const { to = "", amount = "", memo = "" } = search;
  const recipient = HEX_KEY.test(to) ? formatAddress(to) : to;
  return fillFromLink({ recipient, amount: typedFromPlain(amount, locale), memo, fee: "normal" }, locale);
}

/** True for a person whom one named or pressed; the link that brought another may be of any page. */
export function isChosenBy({ to = "" }: SendSearch): boolean {
  return to !== "" && !isPaymentLink(to);
}

/** Amount and memo of a pasted payment link fill their fields; anything else leaves them alone. */
export function fillFromLink(draft: SendDraft, locale: string): SendDraft {
  const parsed = parseRecipient(draft.recipient);
  if (parsed.kind !== "account") return draft;
  const { amountUt, memo } = parsed.request;
  return {
    ...draft,
    ...(amountUt !== undefined && { amount: typedAmount(amountUt, locale) }),
    ...(memo !== undefined && { memo }),
  };
}
