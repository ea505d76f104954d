// Every row of a chain database, to compare two of them.
import { join } from "node:path";
import Database from "better-sqlite3";
import { CHAIN_FILE } from "#node/storage/chain/chain-database.ts";

/** Rows by table, of the chain in a data folder. */
export function databaseRows(directory: string): Readonly<Record<string, readonly unknown[]>> {
  const database = new Database(join(directory, CHAIN_FILE), { readonly: true });
  try {
    const tables = database
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_stat%' ORDER BY name")
      .pluck()
      .all();
    return Object.fromEntries(tables.map((table) => [table, database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()]));
  } finally {
    database.close();
  }
}
