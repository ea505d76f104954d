// Files of names that commands write: read, changed and replaced by one command after the other, so that writers at once lose nothing.
import { closeSync, mkdirSync, openSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { fileError, systemErrorCode } from "#node/config/files/file-errors.ts";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import { type FileLock, lockFile } from "#node/storage/file-lock.ts";
import { CodedError } from "#shared/errors/coded-error.ts";

/** How long a command waits for another one that writes the file, ms: a write takes milliseconds. */
const LOCK_WAIT_MS = 5_000;

/** What a change leaves. */
export interface NextContent<T> {
  /** Undefined where the file stays as it is. */
  readonly text: string | undefined;
  readonly result: T;
}

/** Permissions of the file and of the lock beside it. */
export interface FileModes {
  /** Within the user's umask. */
  readonly mode: number;
}

/**
 * Changes a file while no other command does: `change` reads it and says what it becomes, which is on disk afterwards. The lock is a file
 * beside it, which stays. A link stays one: what it leads to is replaced.
 * @throws CodedError STORAGE_LOCKED, STORAGE_FULL, STORAGE_UNWRITABLE, and what `change` throws
 */
export function changeLocked<T>(path: string, { mode }: FileModes, change: (file: string) => NextContent<T>): T {
  const file = targetOf(path);
  let lock: FileLock | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Who may write the file may take its lock.
    closeSync(openSync(`${file}.lock`, "a", mode));
    lock = lockFile(`${file}.lock`, LOCK_WAIT_MS);
  } catch (error) {
    throw fileError(file, error);
  }
  if (lock === undefined) throw new CodedError("STORAGE_LOCKED", `Another command writes ${file}: try again`);
  try {
    const { text, result } = change(file);
    if (text !== undefined) writeFileAtomic(file, text, { mode });
    return result;
  } finally {
    lock.release();
  }
}

function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return path;
    throw fileError(path, error);
  }
}
