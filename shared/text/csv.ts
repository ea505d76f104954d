// Texts in CSV files that spreadsheets open: quoted, and never run as a formula. Names, labels and memos are written by others.

/** Beginnings by which spreadsheets take a text for a formula, in full width and behind white space too. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n|]/;

/** A text as a cell: quoted, and never a formula. */
export function textCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
