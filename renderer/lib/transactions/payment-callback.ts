// Where a payer may go back to after a payment that a link asked for: a web page over TLS, opened by a click alone, which learns the id of
// the transaction and nothing else.
import { safeLink } from "../browser/safe-link.ts";

/** Longest callback. */
const MAX_CALLBACK_CHARS = 1_024;
/** Name of the field that is added. */
const TX_FIELD = "tx";
/** Characters that addresses on the web are written with; a URL parser drops or turns others, and the person would see another address. */
const PLAIN = /^https:\/\/[\w[][\w.~:/?#[\]@!$&'()*+,;=%-]*$/i;

/** The callback of a link in its normal form, or undefined when it is none that may be opened. */
export function parseCallback(text: string): string | undefined {
  if (text.length > MAX_CALLBACK_CHARS || !PLAIN.test(text)) return undefined;
  const link = safeLink(text);
  return link === undefined || new URL(link.href).searchParams.has(TX_FIELD) ? undefined : link.href;
}

/** The address to open after a payment: the callback with the transaction's id. */
export function callbackAddress(callback: string, transactionId: string): string {
  const url = new URL(callback);
  url.search = `${url.search === "" ? "?" : `${url.search}&`}${TX_FIELD}=${encodeURIComponent(transactionId)}`;
  return url.href;
}

/** Host of a callback in full, as the network sees it: look-alike letters show. */
export function callbackHost(callback: string): string {
  return new URL(callback).host;
}
