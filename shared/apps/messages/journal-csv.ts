// The log of programs as CSV (RFC 4180). Each line names the hash of the line before, so that a line that was left out shows.
import { textCell } from "#shared/text/csv.ts";
import type { JournalLineView } from "./journal-lines.ts";

const COLUMNS = [
  "n",
  "time",
  "height",
  "connection",
  "name",
  "action",
  "subject",
  "amount_ut",
  "outcome",
  "transaction",
  "key_hash",
  "previous_hash",
];

/** Lines with a heading; `names` are those of connections by their id. */
export function formatJournalCsv(lines: readonly JournalLineView[], names: ReadonlyMap<string, string>): string {
  const rows = lines.map(({ n, atMs, height, connection, action, subject, amountUt, outcome, txId, keyHash, prev }) =>
    [
      String(n),
      new Date(atMs).toISOString(),
      String(height),
      ...[connection, names.get(connection) ?? "", action, subject].map(textCell),
      String(amountUt),
      ...[outcome, txId, keyHash, prev].map(textCell),
    ].join(","),
  );
  return `${[COLUMNS.join(","), ...rows].join("\r\n")}\r\n`;
}
