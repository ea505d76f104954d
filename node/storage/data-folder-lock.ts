// One process a data folder.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type FileLock, lockFile } from "./file-lock.ts";
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
  let held: FileLock | undefined;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    held = lockFile(file, waitMs);
  } catch (error) {
    throw storageError(error, file);
  }
  if (held === undefined) throw lockedError(directory);
  return { directory, ...held };
}
