// Whether the tables still name a file, by a look past the snapshot that a connection reads: a reader of older tables may miss a file that
// was dropped or merged since.
import { CHAIN_DATABASE } from "../../chain-schema.ts";
import { openSqliteReader, type SqliteDatabase } from "../../sqlite-database.ts";

/** True where a query that finds the file's row finds one. */
export function isNamedNow({ name }: SqliteDatabase, sql: string, values: readonly (string | number)[]): boolean {
  const database = openSqliteReader(name, CHAIN_DATABASE);
  try {
    return database.prepare<(string | number)[]>(sql).get(...values) !== undefined;
  } finally {
    database.close();
  }
}
