// Lines or CSV of payments to several people: recipient, amount, memo. Pure: who a recipient is, is looked up later.
import { parseRecipient } from "#renderer/lib/people/parse-recipient.ts";
import { type AmountInput, readAmount } from "#renderer/lib/transactions/amount-input.ts";
import { MAX_BATCH_ROWS } from "#renderer/lib/transactions/sending/batch-store.ts";
import { MAX_MEMO_BYTES } from "#shared/protocol/primitives/limits.ts";
import { utf8 } from "#shared/util/bytes.ts";

/** Longest text that is read, characters: a hundred lines of the longest address and memo are a third of it. */
export const MAX_BATCH_CHARS = 131_072;

/** `commas`: with commas between fields, `1,5` may be an amount or an amount and a memo. */
export type RowProblem = "noAmount" | "commas" | "memoTooLong" | "tooManyFields";

/** One line. */
export interface TypedRow {
  /** Number of its line, from 1. */
  readonly line: number;
  readonly recipient: string;
  readonly amount: AmountInput;
  readonly memo: string;
  readonly problem: RowProblem | undefined;
}

/** What a text holds. `tooLong`: more lines or characters than are paid at once; nothing of it is used. */
export type TypedRows = { readonly kind: "rows"; readonly rows: readonly TypedRow[] } | { readonly kind: "tooLong" };

const DIGIT_AT_END = /\d$/;
/** What may be the rest of an amount: decimals, or thousands with decimals. */
const NUMBER = /^\d[\d.\s'’]*T?$/i;

/** How spreadsheets head a column of amounts, with a unit perhaps: "Amount (T)". */
const AMOUNT_HEAD = /^(amount|value|sum|total|price|quantity|tokens?|betrag|wert|summe|preis|menge)(\s*[([/].*)?$/i;

interface Line {
  readonly line: number;
  readonly fields: readonly string[];
}

/** Rows of a text, without a first line that holds the names of the columns. */
export function readRows(text: string, locale: string): TypedRows {
  if (text.length > MAX_BATCH_CHARS) return { kind: "tooLong" };
  const separator = separatorOf(text);
  const lines = splitLines(text, separator).filter(({ fields }) => fields.some((field) => field.trim() !== ""));
  const [first] = lines;
  const paid = first !== undefined && lines.length > 1 && areHeads(first) ? lines.slice(1) : lines;
  if (paid.length > MAX_BATCH_ROWS) return { kind: "tooLong" };
  return { kind: "rows", rows: paid.map((line) => rowOf(line, separator, locale)) };
}

/** A word for amounts where an amount belongs. Any other word is a mistyped amount, and so is one after whom one can pay: that is shown. */
function areHeads({ fields: [recipient = "", amount = ""] }: Line): boolean {
  return AMOUNT_HEAD.test(amount.trim()) && !recipient.trim().startsWith("@") && parseRecipient(recipient).kind === "search";
}

function rowOf({ line, fields }: Line, separator: string, locale: string): TypedRow {
  const [recipient = "", amount = "", memo = "", ...more] = fields.map((field) => field.trim());
  return { line, recipient, amount: readAmount(amount, locale), memo, problem: problem() };

  function problem(): RowProblem | undefined {
    if (amount === "") return "noAmount";
    if (separator === "," && DIGIT_AT_END.test(amount) && NUMBER.test(memo)) return "commas";
    if (more.some((field) => field !== "")) return "tooManyFields";
    return utf8(memo).length > MAX_MEMO_BYTES ? "memoTooLong" : undefined;
  }
}

/** The one that any line has outside of quotes: tab before semicolon before comma, which is a decimal mark as well. */
function separatorOf(text: string): string {
  const bare = text.replace(/"(?:[^"]|"")*"/g, "");
  return ["\t", ";"].find((candidate) => bare.includes(candidate)) ?? ",";
}

/** Fields of RFC 4180, with any separator: quotes hold separators, line breaks and doubled quotes. */
function splitLines(text: string, separator: string): readonly Line[] {
  const field = new RegExp(`[ ]*"((?:[^"]|"")*)"[ \\r]*(?=[${separator}\n]|$)|[^${separator}\n]*`, "y");
  const lines: Line[] = [];
  let [line, fields] = [1, [] as string[]];
  for (let at = 0; at <= text.length; at += 1) {
    field.lastIndex = at;
    const [whole = "", quoted] = field.exec(text) ?? [];
    fields.push(quoted?.replaceAll('""', '"') ?? whole);
    at += whole.length;
    if (text[at] === separator) continue;
    lines.push({ line, fields });
    line += 1 + fields.join("").split("\n").length - 1;
    fields = [];
  }
  return lines;
}
