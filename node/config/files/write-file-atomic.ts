// Writes a small file so that after a crash either the old or the new content is there, never a part of it.
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileError } from "./file-errors.ts";

export interface WriteOptions {
  /** Permissions; 0600 by default. */
  readonly mode?: number;
  /** Whether an existing file is replaced; true by default. When false and there is one, STORAGE_UNWRITABLE is thrown. */
  readonly replaces?: boolean;
}

/** Writes and syncs `content` to `path`. @throws CodedError STORAGE_FULL or STORAGE_UNWRITABLE; an existing file is then unchanged. */
export function writeFileAtomic(path: string, content: string | Uint8Array, options: WriteOptions = {}): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = openSync(temporary, "w", options.mode ?? 0o600);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (options.replaces ?? true) renameSync(temporary, path);
    else linkSync(temporary, path);
    syncFolder(dirname(path));
  } catch (error) {
    throw fileError(path, error);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Makes a new or renamed file durable with its folder. Windows cannot open a folder. */
export function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
