// Files of the profile that only the person may read: replaced as a whole and durable before the call returns, under a lock that other
// processes of the profile respect.
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { withVaultLock } from "./vault-lock.ts";

/** The whole content; undefined when there is no file. @throws CodedError STORAGE_UNWRITABLE when it cannot be read. */
export function readPrivateFile(path: string): Uint8Array | undefined {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new CodedError("STORAGE_UNWRITABLE", `${path} cannot be read: check its permissions`, { cause: error });
  }
}

/** What is to be written, and under which lock. */
export interface PrivateWrite<T> {
  /** Made when it is missing. */
  readonly folder: string;
  /** Name of the lock in the folder. */
  readonly lock: string;
  /** For the words of an error. */
  readonly path: string;
  readonly task: () => T;
}

/** Does a task that writes. @throws CodedError STORAGE_UNWRITABLE when the file system refuses, or what the lock or the task throws. */
export async function writePrivately<T>({ folder, lock, path, task }: PrivateWrite<T>): Promise<T> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return await withVaultLock(join(folder, lock), task);
  } catch (cause) {
    if (isCodedError(cause)) throw cause;
    throw new CodedError("STORAGE_UNWRITABLE", `${path} cannot be written: check permissions and free space`, { cause });
  }
}

/** Writes beside a file of a folder and renames, so that it is always whole. */
export function replacePrivateFile(folder: string, path: string, bytes: Uint8Array): void {
  const temporary = `${path}.new`;
  const file = openSync(temporary, "w", 0o600);
  try {
    writeFileSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  syncFolder(folder);
}

/** True for the error of a file that does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** Makes names in a folder durable. */
function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
