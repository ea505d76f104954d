// Replaces a small file of the profile so that a crash leaves the old one or the new one, readable by its user alone.
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Writes and syncs beside the file, then renames. @throws the system's error; the file is then as it was. */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  // What an earlier process of this number left, whatever it is, is not written through.
  rmSync(temporary, { force: true });
  try {
    writeSynced(temporary, text);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function writeSynced(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
