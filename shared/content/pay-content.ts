// Requests for money and what answers them. Whether money moved, the chain says: nothing here is proof of a payment.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";

/** Longest note of a request or a payment, UTF-8 bytes. */
export const MAX_NOTE_BYTES = 256;
/** Most lines of an invoice. */
export const MAX_PAY_LINES = 20;
/** Longest text of a line, UTF-8 bytes. */
export const MAX_PAY_LINE_BYTES = 128;
/** Latest due date, milliseconds since 1970: the last that is a date. */
export const MAX_PAY_DUE_MS = 8_640_000_000_000_000;
/** Longest number of an invoice, UTF-8 bytes. */
export const MAX_PAY_NUMBER_BYTES = 32;

/** Fewest and most people whose shares of a bill one message states; the author may be one of them. */
export const MIN_SHARES = 2;
export const MAX_SHARES = 32;

/** One line of an invoice. */
export interface PayLine {
  readonly text: string;
  readonly amountUt: AmountUt;
}

/** Asks for a payment to the author. Where the money goes is the author's account, never a field. */
export interface PayRequestBody {
  readonly kind: "pay.request";
  readonly amountUt: AmountUt;
  readonly note: string;
  /** End of the day until which it is to be paid, milliseconds since 1970. */
  readonly due?: number;
  /** The author's own number of it. */
  readonly number?: string;
  /** What it is for; the amounts add up to that of the request. */
  readonly lines?: readonly PayLine[];
}

/** Names a payment that was submitted. A hint: whether it happened, the chain says. */
export interface PayReceiptBody {
  readonly kind: "pay.receipt";
  readonly txId: string;
  readonly amountUt: AmountUt;
  /** Id of the request that it answers, or null. */
  readonly request: string | null;
  /** Words of the payer, which are not on the chain. */
  readonly note?: string;
}

/** What one person has to pay of a bill. */
export interface PayShare {
  readonly person: PublicKeyHex;
  readonly amountUt: AmountUt;
}

/** Splits a bill that its author paid, in a group: the others owe the author their shares. */
export interface PaySplitBody {
  readonly kind: "pay.split";
  readonly amountUt: AmountUt;
  readonly note: string;
  /** They add up to the amount; each person is there once. */
  readonly shares: readonly PayShare[];
}

/** In a group: the author has paid a share with this transaction. A hint, as a receipt is. */
export interface PayShareBody {
  readonly kind: "pay.share";
  /** Author and id of the message with the bill. */
  readonly to: { readonly author: PublicKeyHex; readonly id: string };
  readonly txId: string;
}

/** Closes a request: its author cancels it, the one who was asked declines it. It cannot be opened again. */
export interface PayCloseBody {
  readonly kind: "pay.close";
  /** Author and id of the request. */
  readonly to: { readonly author: PublicKeyHex; readonly id: string };
}

/** True where lines or shares add up to an amount, without leaving the integers that are exact. */
export function addUp(lines: readonly Pick<PayLine, "amountUt">[], amountUt: AmountUt): boolean {
  let left = amountUt;
  for (const line of lines) left -= line.amountUt;
  return left === 0;
}
