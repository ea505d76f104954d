// Tables for people: columns aligned, the last one as long as its texts. Every cell is made safe for a terminal here.
import { onOneLine } from "./printable-line.ts";

/** A column of a table about items of a type. */
export interface Column<T> {
  readonly head: string;
  readonly cell: (item: T) => string;
  /** True for numbers, which end below each other. */
  readonly isNumber?: boolean;
}

const GAP = "  ";
/** Scripts and pictures that terminals draw over two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Characters that take no column of their own. */
const ZERO = /\p{M}|\u200d|\ufe0f/u;

/** The table with a line of heads; no lines for no items. Texts of strangers belong into the last column. */
export function tableLines<T>(items: readonly T[], columns: readonly Column<T>[]): readonly string[] {
  if (items.length === 0) return [];
  const rows = [columns.map(({ head }) => head), ...items.map((item) => columns.map(({ cell }) => cellText(cell(item))))];
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => displayWidth(row[at] ?? ""))));
  return rows.map((row) =>
    row
      .map((text, at) => padded(text, widths[at] ?? 0, columns[at]?.isNumber === true))
      .join(GAP)
      .trimEnd(),
  );
}

/** Names with their values, the values below each other. A value is made safe for a terminal. */
export function fieldLines(fields: readonly (readonly [name: string, value: string])[]): readonly string[] {
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return fields.map(([name, value]) => `${name.padEnd(width)}${GAP}${onOneLine(value)}`.trimEnd());
}

/** Columns of a terminal that a text takes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += ZERO.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** Blanks in a row would imitate the gap between two columns. */
function cellText(text: string): string {
  return onOneLine(text).replace(/ {2,}/g, " ").trim();
}

function padded(text: string, width: number, isNumber: boolean): string {
  const blanks = " ".repeat(Math.max(0, width - displayWidth(text)));
  return isNumber ? `${blanks}${text}` : `${text}${blanks}`;
}
