// The journal of connections as a file of the profile: appended and flushed before what it says happens, replaced as a whole by renaming.
// It is written only while it has the length that was read of it.
import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { JournalStorage } from "#shared/apps/storage/app-journal.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { syncFolder } from "./file-vault.ts";
import { withVaultLock } from "./vault-lock.ts";

/** A file `apps-journal` in `folder`, readable by the person alone. */
export function createFileJournal(folder: string): JournalStorage {
  const path = join(folder, "apps-journal");
  const write = async (length: number, task: () => void): Promise<boolean> => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return await withVaultLock(join(folder, "apps.lock"), () => {
        if (lengthOf(path) !== length) return false;
        task();
        return true;
      });
    } catch (cause) {
      if (isCodedError(cause)) throw cause;
      throw new CodedError("STORAGE_UNWRITABLE", `${path} cannot be written: check permissions and free space`, { cause });
    }
  };
  return {
    read: async () => readJournal(path),
    append: (length, bytes) => write(length, () => append(path, bytes)),
    replace: (length, bytes) => write(length, () => replace(folder, path, bytes)),
  };
}

function readJournal(path: string): Uint8Array | undefined {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new CodedError("STORAGE_UNWRITABLE", `${path} cannot be read: check its permissions`, { cause: error });
  }
}

/** What was written of a line that could not be written to its end is taken away again. */
function append(path: string, bytes: Uint8Array): void {
  const file = openSync(path, "a", 0o600);
  const before = fstatSync(file).size;
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } catch (error) {
    ftruncateSync(file, before);
    throw error;
  } finally {
    closeSync(file);
  }
}

function replace(folder: string, path: string, bytes: Uint8Array): void {
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

function lengthOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
