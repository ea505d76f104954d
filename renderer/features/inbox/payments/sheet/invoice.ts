// What makes a request an invoice: lines that add up to its amount, a number, a due date. Pure.
import { readAmount } from "#renderer/lib/transactions/amount-input.ts";
import { MAX_PAY_LINE_BYTES, type PayLine } from "#shared/content/pay-content.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { utf8Length } from "#shared/util/bytes.ts";

/** A line as it is typed. */
export interface TypedLine {
  /** For lists. */
  readonly id: number;
  readonly text: string;
  readonly amount: string;
}

/** Lines that can be sent, or what is wrong with them. Empty lines do not count. */
export type ReadLines =
  | { readonly kind: "none" }
  | { readonly kind: "ok"; readonly lines: readonly PayLine[]; readonly sumUt: AmountUt }
  | { readonly kind: "wrong"; readonly problem: "text" | "long" | "amount" };

export function readLines(typed: readonly TypedLine[], locale: string): ReadLines {
  const filled = typed.filter(({ text, amount }) => text.trim() !== "" || amount.trim() !== "");
  if (filled.length === 0) return { kind: "none" };
  const lines: PayLine[] = [];
  for (const { text, amount } of filled) {
    const read = readAmount(amount, locale);
    if (read.kind !== "ok") return { kind: "wrong", problem: "amount" };
    if (text.trim() === "") return { kind: "wrong", problem: "text" };
    if (utf8Length(text.trim()) > MAX_PAY_LINE_BYTES) return { kind: "wrong", problem: "long" };
    lines.push({ text: text.trim(), amountUt: read.amountUt });
  }
  const sumUt = lines.reduce((sum, { amountUt }) => sum + amountUt, 0);
  return Number.isSafeInteger(sumUt) ? { kind: "ok", lines, sumUt } : { kind: "wrong", problem: "amount" };
}

/** The end of a day of the calendar here, from `YYYY-MM-DD`; undefined for what is none. */
export function endOfDay(day: string): number | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (year === undefined) return undefined;
  const end = new Date(Number(year), Number(month) - 1, Number(date), 23, 59, 59, 999);
  return end.getMonth() === Number(month) - 1 && end.getDate() === Number(date) ? end.getTime() : undefined;
}
