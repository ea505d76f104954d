// What SQLite reports → coded errors that say what to do next.
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { CodedError } from "#shared/errors/coded-error.ts";

/** Without room, the index of a log cannot be made either: that says SQLite of itself. */
const FULL = ["SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"];

/** Message for a data folder that another process holds. */
export function lockedError(directory: string, cause?: unknown): CodedError {
  return new CodedError(
    "STORAGE_LOCKED",
    `Another node uses the data folder ${directory}: stop it, or choose another folder with --data-dir`,
    { cause, details: { directory } },
  );
}

/** The coded error of a failure of SQLite on the given file; any other error as it is. */
export function storageError(error: unknown, file: string): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const details = { file, sqlite: error.code };
  if (error.code.startsWith("SQLITE_BUSY") || error.code.startsWith("SQLITE_LOCKED")) return lockedError(dirname(file), error);
  if (FULL.includes(error.code))
    return new CodedError("STORAGE_FULL", `The disk that holds ${file} is full: free some space, then start again; nothing was lost`, {
      cause: error,
      details,
    });
  if (error.code.startsWith("SQLITE_CORRUPT") || error.code === "SQLITE_NOTADB")
    return new CodedError(
      "STORAGE_CORRUPT",
      `The database ${file} is damaged: move the data folder away and start again; the node then fetches the chain from its peers`,
      { cause: error, details },
    );
  return new CodedError(
    "STORAGE_FAILED",
    `The database ${file} cannot be used (${error.code}): check that the folder exists and is writable`,
    {
      cause: error,
      details,
    },
  );
}
