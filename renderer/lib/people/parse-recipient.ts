// What was typed or pasted where a recipient is asked for: an address, a hex key or a payment link.
import { parseAddress } from "#shared/protocol/primitives/address.ts";
import { isAcceptablePublicKey } from "#shared/protocol/primitives/signature.ts";
import { isPaymentLink, type PaymentRequest, parsePaymentLink } from "../transactions/payment-link.ts";

/**
 * - `search`: no key: a name to look for, or nothing yet.
 * - `checksum`: looks like an address with a mistyped or missing character.
 * - `unusable`: the right form, and no key that anyone can hold.
 * - `badLink`: a payment link with a field missing or wrong.
 */
export type RecipientInput =
  | { readonly kind: "account"; readonly request: PaymentRequest }
  | { readonly kind: "search"; readonly text: string }
  | { readonly kind: "checksum" | "unusable" | "badLink" };

const HEX_KEY = /^[0-9a-f]{64}$/i;
/** Shorter texts with the prefix of addresses may still be names. */
const MIN_ADDRESS_CHARS = 20;

/** Meaning of an input. White space inside a pasted address is ignored. */
export function parseRecipient(input: string): RecipientInput {
  const text = input.trim();
  if (isPaymentLink(text)) {
    const request = parsePaymentLink(text);
    return request === undefined ? { kind: "badLink" } : usable(request);
  }
  const compact = text.replace(/\s+/g, "").toLowerCase();
  if (HEX_KEY.test(compact)) return usable({ to: compact });
  const key = compact.startsWith("pl1") ? parseAddress(compact) : undefined;
  if (key !== undefined) return usable({ to: key });
  if (compact.startsWith("pl1") && compact.length >= MIN_ADDRESS_CHARS) return { kind: "checksum" };
  return { kind: "search", text };
}

function usable(request: PaymentRequest): RecipientInput {
  return isAcceptablePublicKey(request.to) ? { kind: "account", request } : { kind: "unusable" };
}
