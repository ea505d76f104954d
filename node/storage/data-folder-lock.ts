// One process a data folder. The lock is SQLite's own lock on a file: the operating system drops it when the process ends in any way,
// so that a killed node leaves no stale lock behind. Nothing is ever written to the file.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { createPrivateFile } from "./private-file.ts";
import { lockedError, storageError } from "./storage-error.ts";

/** A held lock. */
export interface DataFolderLock {
  readonly directory: string;
  release(): void;
}

/** How long a second process waits, ms. */
export const LOCK_WAIT_MS = 3_000;

/**
 * Takes the exclusive lock of a data folder, creating the folder when it is missing. Blocks for at most `waitMs`.
 * @throws CodedError STORAGE_LOCKED naming the folder when another process (or another node in this one) holds it.
 */
export function lockDataFolder(directory: string, waitMs: number = LOCK_WAIT_MS): DataFolderLock {
  const file = join(directory, "lock");
  let database: Database.Database | undefined;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    createPrivateFile(file);
    database = new Database(file, { timeout: waitMs });
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database?.close();
    const isBusy = error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
    throw isBusy ? lockedError(directory, error) : storageError(error, file);
  }
  const held = database;
  return { directory, release: (): void => void held.close() };
}
