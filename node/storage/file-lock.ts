// One process at a time. The lock is SQLite's own lock on a file: the operating system drops it when the process ends in any way, so that a
// killed process leaves no stale lock behind. Nothing is ever written to the file.
import Database from "better-sqlite3";
import { createPrivateFile } from "./private-file.ts";

/** A held lock. */
export interface FileLock {
  release(): void;
}

/** Takes the lock of a file in an existing folder; undefined when another holder has it after `waitMs`, for which this blocks. @throws SqliteError */
export function lockFile(file: string, waitMs: number): FileLock | undefined {
  createPrivateFile(file);
  const database = new Database(file, { timeout: waitMs });
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) return undefined;
    throw error;
  }
  return { release: (): void => void database.close() };
}
