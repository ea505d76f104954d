// One chain database in the place of another. A rename takes the file alone, so neither may have a log: what is in that of the new one would
// be lost, and that of the old one would be taken for the new one's.
import { CHAIN_DATABASE } from "../../chain-schema.ts";
import { openSqliteDatabase, settleLog } from "../../sqlite-database.ts";
import { takePlace } from "./rewrite-database.ts";

/**
 * Puts a database that nothing has open into the place of another one.
 * @throws CodedError STORAGE_LOCKED while a program reads one of them, STORAGE_FULL, or as every opening of a database; both stay then.
 */
export function replaceDatabase(file: string, next: string): void {
  for (const each of [next, file]) settle(each);
  takePlace(file, next);
}

function settle(file: string): void {
  const database = openSqliteDatabase(file, CHAIN_DATABASE);
  try {
    settleLog(database);
  } finally {
    database.close();
  }
}
