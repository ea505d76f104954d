// What was typed or pasted where a recipient is asked for: an address, a hex key, a payment link or the link of a contact.
import { formatAddress, type PublicKeyHex, parseAccount, parseAddress } from "#shared/protocol/primitives/address.ts";
import { isAcceptablePublicKey } from "#shared/protocol/primitives/signature.ts";
import { isPaymentLink, type PaymentRequest, parsePaymentLink } from "../transactions/payment-link.ts";

/**
 * - `search`: no key: a name to look for, or nothing yet.
 * - `checksum`: looks like an address with a mistyped or missing character.
 * - `unusable`: the right form, and no key that anyone can hold.
 * - `badLink`: a link with a field missing or wrong.
 */
export type RecipientInput =
  | { readonly kind: "account"; readonly request: PaymentRequest }
  | { readonly kind: "search"; readonly text: string }
  | { readonly kind: "checksum" | "unusable" | "badLink" };

/** `parley:contact?id=<address or key>`, as other people show it. */
const CONTACT_LINK = /^parley:(?:\/\/)?contact\/?\?/i;
/** Longest link of a contact that is parsed. */
const MAX_LINK_CHARS = 256;
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
  if (CONTACT_LINK.test(text)) {
    const to = contactOf(text);
    return to === undefined ? { kind: "badLink" } : usable({ to });
  }
  const compact = text.replace(/\s+/g, "").toLowerCase();
  if (HEX_KEY.test(compact)) return usable({ to: compact });
  const key = compact.startsWith("pl1") ? parseAddress(compact) : undefined;
  if (key !== undefined) return usable({ to: key });
  if (compact.startsWith("pl1") && compact.length >= MIN_ADDRESS_CHARS) return { kind: "checksum" };
  return { kind: "search", text };
}

/** The link by which others add a person; it holds their address and nothing else. */
export function formatContactLink(person: PublicKeyHex): string {
  return `parley:contact?id=${formatAddress(person)}`;
}

function usable(request: PaymentRequest): RecipientInput {
  return isAcceptablePublicKey(request.to) ? { kind: "account", request } : { kind: "unusable" };
}

function contactOf(link: string): PublicKeyHex | undefined {
  const ids = link.length > MAX_LINK_CHARS ? [] : new URLSearchParams(link.slice(link.indexOf("?") + 1)).getAll("id");
  try {
    return ids.length === 1 ? parseAccount((ids[0] ?? "").toLowerCase()) : undefined;
  } catch {
    return undefined;
  }
}
