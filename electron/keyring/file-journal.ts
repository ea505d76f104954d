// The journal of connections as a file of the profile: appended and flushed before what it says happens, replaced as a whole by renaming.
// It is written only while it has the length that was read of it.
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { JournalStorage } from "#shared/apps/storage/app-journal.ts";
import { isMissing, readPrivateFile, replacePrivateFile, writePrivately } from "./private-files.ts";

/** A file `apps-journal` in `folder`, readable by the person alone. */
export function createFileJournal(folder: string): JournalStorage {
  const path = join(folder, "apps-journal");
  const write = (length: number, change: () => void): Promise<boolean> => {
    const task = (): boolean => {
      if (lengthOf(path) !== length) return false;
      change();
      return true;
    };
    return writePrivately({ folder, lock: "apps.lock", path, task });
  };
  return {
    read: async () => readPrivateFile(path),
    append: (length, bytes) => write(length, () => append(path, bytes)),
    replace: (length, bytes) => write(length, () => replacePrivateFile(folder, path, bytes)),
  };
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

function lengthOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}
