// Rebuilding the explorer's index: its tables emptied and filled again in one transaction, so an interrupted one leaves the old.
import { inImmediateTransaction, type SqliteDatabase } from "../sqlite-database.ts";

/** Tables that follow from blocks alone. The new rows have what runs had: the next start makes runs of them. */
export const DERIVED_TABLES = [
  "ids",
  "rewards",
  "accounts",
  "account_entries",
  "contact_pairs",
  "channels",
  "type_totals",
  "proposer_totals",
  "chart_hours",
  "contracts",
  "contract_logs",
  "contract_events",
  "runs",
] as const;

/** Room for what a large index changes at random positions, so that pages are written once and not again and again. */
const CACHE_KIB = 131_072;

/** Empties the index and lets `fill` insert every block. @throws CodedError of the storage, or what `fill` throws: the old index stays. */
export function rebuildExplorerIndex(database: SqliteDatabase, fill: () => void): void {
  database.pragma(`cache_size = -${CACHE_KIB}`);
  inImmediateTransaction(database, () => {
    // An index over all rows is made faster from the finished table than row by row.
    const indexes = secondaryIndexes(database);
    for (const { name } of indexes) database.exec(`DROP INDEX ${name}`);
    for (const table of DERIVED_TABLES) database.exec(`DELETE FROM ${table}`);
    database.exec("DELETE FROM meta WHERE name LIKE 'swept_%'");
    fill();
    for (const { sql } of indexes) database.exec(sql);
  });
}

function secondaryIndexes(database: SqliteDatabase): readonly { readonly name: string; readonly sql: string }[] {
  return database
    .prepare<[string], { readonly name: string; readonly sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN (SELECT value FROM json_each(?))",
    )
    .all(JSON.stringify(DERIVED_TABLES));
}
