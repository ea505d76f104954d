// Requests for money and receipts as they are written: checked before anything is stored.
import {
  addUp,
  MAX_NOTE_BYTES,
  MAX_PAY_DUE_MS,
  MAX_PAY_LINE_BYTES,
  MAX_PAY_LINES,
  MAX_PAY_NUMBER_BYTES,
  MAX_SHARES,
  MIN_SHARES,
  type PayLine,
  type PayRequestBody,
  type PaySplitBody,
} from "#shared/content/pay-content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { isAmount } from "#shared/protocol/primitives/amount.ts";
import { utf8Length } from "#shared/util/bytes.ts";

/** A request for money as a person fills it in. */
export type PayRequest = Omit<PayRequestBody, "kind">;

/** The body of a request. @throws CodedError BAD_REQUEST that names the field. */
export function payRequest({ amountUt, note, due, number, lines }: PayRequest): PayRequestBody {
  if (!isAmount(amountUt) || amountUt === 0) throw refused("amount", "The amount is at least 1 µT");
  if (due !== undefined && (!Number.isSafeInteger(due) || due < 1 || due > MAX_PAY_DUE_MS))
    throw refused("due", "The due date is a time in milliseconds");
  return {
    kind: "pay.request",
    amountUt,
    note: checkedText("note", note, MAX_NOTE_BYTES),
    ...(due !== undefined && { due }),
    ...(number !== undefined && { number: checkedText("number", number, MAX_PAY_NUMBER_BYTES, 1) }),
    ...(lines !== undefined && { lines: checkedLines(lines, amountUt) }),
  };
}

/** A bill as it is split. */
export type PaySplit = Omit<PaySplitBody, "kind">;

/** The body of a bill. @throws CodedError BAD_REQUEST that names the field. */
export function paySplit({ amountUt, note, shares }: PaySplit): PaySplitBody {
  if (shares.length < MIN_SHARES || shares.length > MAX_SHARES) throw refused("shares", `A bill has ${MIN_SHARES} to ${MAX_SHARES} shares`);
  for (const share of shares) if (!isAmount(share.amountUt) || share.amountUt === 0) throw refused("shares", "A share is at least 1 µT");
  if (new Set(shares.map(({ person }) => person)).size < shares.length) throw refused("shares", "Each person has one share");
  if (!addUp(shares, amountUt)) throw refused("shares", "The shares do not add up to the amount");
  return { kind: "pay.split", amountUt, note: payNote(note), shares };
}

/** A note that goes with a payment. @throws CodedError BAD_REQUEST. */
export function payNote(note: string): string {
  return checkedText("note", note, MAX_NOTE_BYTES);
}

function checkedLines(lines: readonly PayLine[], amountUt: number): readonly PayLine[] {
  if (lines.length === 0 || lines.length > MAX_PAY_LINES) throw refused("lines", `An invoice has 1 to ${MAX_PAY_LINES} lines`);
  for (const line of lines) if (!isAmount(line.amountUt) || line.amountUt === 0) throw refused("lines", "A line is at least 1 µT");
  if (!addUp(lines, amountUt)) throw refused("lines", "The lines do not add up to the amount");
  return lines.map(({ text, amountUt: lineUt }) => ({ text: checkedText("lines", text, MAX_PAY_LINE_BYTES, 1), amountUt: lineUt }));
}

function checkedText(field: string, text: string, maxBytes: number, minBytes = 0): string {
  const wellFormed = text.toWellFormed();
  const bytes = utf8Length(wellFormed);
  if (bytes < minBytes || bytes > maxBytes) throw refused(field, `The ${field} has ${minBytes} to ${maxBytes} bytes`);
  return wellFormed;
}

function refused(field: string, message: string): CodedError {
  return new CodedError("BAD_REQUEST", message, { details: { field } });
}
