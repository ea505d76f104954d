// What the tables say now of a file, by a look past the snapshot that a connection reads: a reader of older tables may miss a file that was
// dropped, merged or made once more since.
import { CHAIN_DATABASE } from "../../chain-schema.ts";
import { openSqliteReader, type SqliteDatabase } from "../../sqlite-database.ts";

type Values = readonly (string | number)[];

/** The first row that a query finds now. */
export function rowNow<Row>(database: SqliteDatabase, sql: string, values: Values): Row | undefined {
  // Without a log no one writes while a connection reads: it sees what is now, and a file that is not whole yet no other one can read.
  if (database.pragma("journal_mode", { simple: true }) !== "wal") return find(database, sql, values);
  const reader = openSqliteReader(database.name, CHAIN_DATABASE);
  try {
    return find(reader, sql, values);
  } finally {
    reader.close();
  }
}

function find<Row>(database: SqliteDatabase, sql: string, values: Values): Row | undefined {
  return database.prepare<(string | number)[], Row>(sql).get(...values);
}

/** True where a query that finds the file's row finds one. */
export function isNamedNow(database: SqliteDatabase, sql: string, values: Values): boolean {
  return rowNow(database, sql, values) !== undefined;
}
