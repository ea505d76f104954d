// Which way leads from the version of a file to the current one.
import Database from "better-sqlite3";
import { CHAIN_VERSION_0 } from "./chain-version-0.ts";
import { CHAIN_VERSION_1 } from "./chain-version-1.ts";
import { type RewriteOptions, rewriteDatabase } from "./rewrite-database.ts";

/** Brings a file of an older version up to date. @throws CodedError as {@link rewriteDatabase} */
export function migrateFile(file: string, options: RewriteOptions = {}): void {
  rewriteDatabase(file, versionOf(file) === 0 ? CHAIN_VERSION_0 : CHAIN_VERSION_1, options);
}

function versionOf(file: string): number {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    return Number(database.pragma("user_version", { simple: true }));
  } finally {
    database.close();
  }
}
