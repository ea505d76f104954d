// What the tables say now of a file, by a look past the snapshot that a connection reads: a reader of older tables may miss a file that was
// dropped, merged or made once more since.
import { CHAIN_DATABASE } from "../../chain-schema.ts";
import { openSqliteReader, type SqliteDatabase } from "../../sqlite-database.ts";

/** The first row that a query finds now. */
export function rowNow<Row>({ name }: SqliteDatabase, sql: string, values: readonly (string | number)[]): Row | undefined {
  const database = openSqliteReader(name, CHAIN_DATABASE);
  try {
    return database.prepare<(string | number)[], Row>(sql).get(...values);
  } finally {
    database.close();
  }
}

/** True where a query that finds the file's row finds one. */
export function isNamedNow(database: SqliteDatabase, sql: string, values: readonly (string | number)[]): boolean {
  return rowNow(database, sql, values) !== undefined;
}
