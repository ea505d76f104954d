// Payment request links: `parley:pay?to=pl1…&amount=1.5&memo=…&callback=https://…`. They fill a form and never act by themselves.
import { formatAddress, type PublicKeyHex, parseAccount } from "#shared/protocol/primitives/address.ts";
import { type AmountUt, parseAmount } from "#shared/protocol/primitives/amount.ts";
import { plainAmount } from "../format/amount.ts";
import { parseCallback } from "./payment-callback.ts";

const SCHEME = /^parley:(?:\/\/)?pay\/?\?/i;
/** Longest link that is parsed. */
const MAX_LINK_CHARS = 2_048;

/** What a link asks for. */
export interface PaymentRequest {
  readonly to: PublicKeyHex;
  /** Absent: the payer chooses. */
  readonly amountUt?: AmountUt;
  readonly memo?: string;
  /** A web page over TLS that the payer may go back to afterwards. */
  readonly callback?: string;
}

/** The link of a request. */
export function formatPaymentLink(request: PaymentRequest): string {
  const fields = new URLSearchParams({ to: formatAddress(request.to) });
  if (request.amountUt !== undefined) fields.set("amount", plainAmount(request.amountUt));
  if (request.memo !== undefined && request.memo !== "") fields.set("memo", request.memo);
  if (request.callback !== undefined) fields.set("callback", request.callback);
  return `parley:pay?${fields.toString()}`;
}

/** True when the text means to be a payment link, valid or not. */
export function isPaymentLink(text: string): boolean {
  return SCHEME.test(text.trim());
}

/** The request of a link, or undefined when it is none or a field is wrong: a link with a wrong amount must not pay another one. */
export function parsePaymentLink(text: string): PaymentRequest | undefined {
  const link = text.trim();
  if (link.length > MAX_LINK_CHARS || !isPaymentLink(link)) return undefined;
  const fields = new URLSearchParams(link.slice(link.indexOf("?") + 1));
  if (["to", "amount", "memo", "callback"].some((name) => fields.getAll(name).length > 1)) return undefined;
  const [amount, memo] = [fields.get("amount"), fields.get("memo")];
  const written = fields.get("callback");
  const callback = written === null ? undefined : parseCallback(written);
  if (written !== null && callback === undefined) return undefined;
  try {
    return {
      to: parseAccount((fields.get("to") ?? "").toLowerCase()),
      ...(amount === null ? {} : { amountUt: parseAmount(amount) }),
      ...(memo === null ? {} : { memo }),
      ...(callback === undefined ? {} : { callback }),
    };
  } catch {
    return undefined;
  }
}
