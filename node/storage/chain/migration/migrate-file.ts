// Which way leads from the version of a file to the current one.
import Database from "better-sqlite3";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { SCHEMA_VERSION } from "../../chain-schema.ts";
import { storageError } from "../../storage-error.ts";
import { CHAIN_VERSION_0 } from "./chain-version-0.ts";
import { CHAIN_VERSION_1 } from "./chain-version-1.ts";
import { type RewriteOptions, rewriteDatabase } from "./rewrite-database.ts";

/**
 * Brings a file of an older version up to date; one that another process has brought up to date meanwhile stays.
 * @throws CodedError as {@link rewriteDatabase}; STORAGE_CORRUPT for a row that no program wrote
 */
export function migrateFile(file: string, options: RewriteOptions = {}): void {
  const version = versionOf(file);
  if (version >= SCHEMA_VERSION) return;
  try {
    rewriteDatabase(file, version === 0 ? CHAIN_VERSION_0 : CHAIN_VERSION_1, options);
  } catch (error) {
    throw isRefusedRow(error) ? damaged(file, error) : error;
  }
}

function versionOf(file: string): number {
  let database: Database.Database | undefined;
  try {
    database = new Database(file, { readonly: true, fileMustExist: true });
    return Number(database.pragma("user_version", { simple: true }));
  } catch (error) {
    throw storageError(error, file);
  } finally {
    database?.close();
  }
}

/** True where the new tables do not take a row of the old ones, as text that is no hex. */
function isRefusedRow(error: unknown): error is CodedError {
  return isCodedError(error, "STORAGE_FAILED") && String(error.details.sqlite).startsWith("SQLITE_CONSTRAINT");
}

function damaged(file: string, cause: CodedError): CodedError {
  const table = /: (\w+)\./.exec(String(cause.cause))?.[1];
  const place = table === undefined ? "A row" : `A row of the table ${table}`;
  return new CodedError(
    "STORAGE_CORRUPT",
    `${place} of ${file} is damaged: move the data folder away and start again; the node then fetches the chain from its peers`,
    { cause },
  );
}
