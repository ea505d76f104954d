// The explorer's index made anew: the chain is written once more into a new file with empty tables of the index, which are filled there. No log
// grows meanwhile, and what ends it before the end leaves the file of before.
import { join } from "node:path";
import { BlockRepository } from "#node/storage/chain/block-repository.ts";
import { CHAIN_FILE, type ChainTables } from "#node/storage/chain/chain-database.ts";
import { type RewriteOptions, rewriteDatabase } from "#node/storage/chain/migration/rewrite-database.ts";
import { StateRepository } from "#node/storage/chain/state-repository.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { ExplorerRepository } from "#node/storage/explorer/explorer-repository.ts";
import { closeHistory } from "#node/storage/history/sealing/sealed-history.ts";
import { openSqliteDatabase, type SqliteDatabase } from "#node/storage/sqlite-database.ts";

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

/** Of the old file. */
const SHARE = 1;
/** What the index takes of a transaction that had no rows any more, bytes: an id and two or three entries. */
const TRANSACTION_BYTES = 192;

/** Ends of histories in memory meanwhile: those of a million accounts. */
const HISTORY_END_BYTES = 268_435_456;

/** The chain while its index is filled. */
export interface FilledTables extends Pick<ChainTables, "blocks" | "state" | "explorer"> {
  readonly database: SqliteDatabase;
}

/**
 * Writes the chain of a folder that nothing has open once more; `fill` inserts every block into the index.
 * @throws CodedError STORAGE_FULL, before anything was done, where the disk has too little room; as every opening of a database; what `fill`
 * throws. The file of before stays then.
 */
export function rewriteIndex(
  directory: string,
  fill: (tables: FilledTables) => void,
  options: Pick<RewriteOptions, "freeBytes"> = {},
): void {
  const copy = (database: SqliteDatabase): void => {
    for (const sql of copies(database)) database.exec(sql);
    const chain = { blocks: new BlockRepository(database), state: new StateRepository(database) };
    const explorer = new ExplorerRepository(database, HISTORY_END_BYTES);
    // An index over all rows is made faster from the finished table than row by row.
    const indexes = secondaryIndexes(database);
    for (const { name } of indexes) database.exec(`DROP INDEX ${name}`);
    try {
      fill({ database, ...chain, explorer });
    } finally {
      closeHistory(database);
    }
    for (const { sql } of indexes) database.exec(sql);
  };
  const file = join(directory, CHAIN_FILE);
  const kinds = { from: CHAIN_DATABASE, to: CHAIN_DATABASE };
  const extraBytes = transactionsOf(file) * TRANSACTION_BYTES;
  rewriteDatabase(file, { ...kinds, purpose: "with a new index", share: SHARE, extraBytes, copy }, options);
}

function transactionsOf(file: string): number {
  const database = openSqliteDatabase(file, CHAIN_DATABASE);
  try {
    return database.prepare<[], number>("SELECT total_txs FROM blocks ORDER BY height DESC LIMIT 1").pluck().get() ?? 0;
  } finally {
    database.close();
  }
}

/** Statements that copy what is not of the index. */
function copies(database: SqliteDatabase): readonly string[] {
  const tables = database
    .prepare<[string], string>(
      `SELECT name FROM main.sqlite_schema
      WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT IN (SELECT value FROM json_each(?)) ORDER BY name`,
    )
    .pluck()
    .all(JSON.stringify(DERIVED_TABLES));
  return tables.map((table) => {
    const columns = database.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table).join(", ");
    // How far runs let rows go is about rows of before.
    const condition = table === "meta" ? "WHERE name NOT LIKE 'swept_%'" : "";
    return `INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM old.${table} ${condition}`;
  });
}

function secondaryIndexes(database: SqliteDatabase): readonly { readonly name: string; readonly sql: string }[] {
  return database
    .prepare<[string], { readonly name: string; readonly sql: string }>(
      "SELECT name, sql FROM main.sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN (SELECT value FROM json_each(?))",
    )
    .all(JSON.stringify(DERIVED_TABLES));
}
