// The files of a folder on disk.
import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { CodedError } from "#shared/errors/coded-error.ts";
import { damagedFile } from "./damaged-file.ts";
import type { FileLayer, ReadableFile, WritableFile } from "./file-layer.ts";

/** The calls of the system that may do less than they are asked for. */
export interface PartialCalls {
  /** Bytes that it read; 0 at the end of the file. */
  read(file: number, into: Uint8Array, range: { readonly offset: number; readonly length: number; readonly position: number }): number;
  /** Bytes that it wrote, from an offset on. */
  write(file: number, bytes: Uint8Array, offset: number): number;
}

const SYSTEM: PartialCalls = { read: readSync, write: writeSync };

/** Files of a folder, which is made with its first file. `calls` are replaced by tests. */
export function diskFiles(folder: string, calls: PartialCalls = SYSTEM): FileLayer {
  const path = (name: string): string => join(folder, name);
  const at = <T>(name: string, work: (path: string) => T): T => inWords(path(name), () => work(path(name)));
  return {
    path,
    create: (name): WritableFile => {
      at("", () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
      const file = at(name, (full) => openSync(full, "w", 0o600));
      return writable(file, path(name), calls);
    },
    open: (name): ReadableFile | undefined => {
      const file = at(name, (full) => unlessMissing(() => openSync(full, "r")));
      return file === undefined ? undefined : readable(file, path(name), calls);
    },
    rename: (from, to) => at(to, (full) => renameSync(path(from), full)),
    syncFolder: () => at("", () => unlessMissing(() => syncFolder(folder))),
    unlink: (name) => at(name, (full) => rmSync(full, { force: true })),
    stat: (name) => at(name, (full) => unlessMissing(() => statSync(full).size)),
    list: () => at("", () => unlessMissing(() => namesOfFiles(folder)) ?? []),
  };
}

function readable(file: number, path: string, calls: PartialCalls): ReadableFile {
  return {
    size: inWords(path, () => fstatSync(file).size),
    read: (at, length): Uint8Array => {
      // Out of a pool, and not filled with zeros first: a look into a run of ids reads 3 KB for 12 bytes.
      const room = Buffer.allocUnsafe(length);
      const bytes = new Uint8Array(room.buffer, room.byteOffset, length);
      let read = 0;
      for (let more = 1; more > 0 && read < length; read += more)
        more = inWords(path, () =>
          unlessUnreadable(path, at + read, () => calls.read(file, bytes, { offset: read, length: length - read, position: at + read })),
        );
      return read === length ? bytes : bytes.subarray(0, read);
    },
    close: () => closeSync(file),
  };
}

function writable(file: number, path: string, calls: PartialCalls): WritableFile {
  return {
    append: (bytes): void => {
      for (let written = 0; written < bytes.length; ) {
        const more = inWords(path, () => calls.write(file, bytes, written));
        // Without an end otherwise: the system says neither that it can nor that it cannot.
        if (more === 0) throw new CodedError("STORAGE_FAILED", `The file ${path} takes no more bytes`, { details: { file: path } });
        written += more;
      }
    },
    sync: () => inWords(path, () => fsyncSync(file)),
    close: () => closeSync(file),
  };
}

/** A sector that the disk cannot read is damage of the file like any other: what is there is to come from peers. */
function unlessUnreadable<T>(path: string, offset: number, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw (cause as NodeJS.ErrnoException).code === "EIO" ? damagedFile(path, offset, "the disk cannot read it", cause) : cause;
  }
}

/** What is no file is none of ours: a disk that is mounted there has folders of its own. */
function namesOfFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [] : [entry.name]));
}

function unlessMissing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** What the system reports, as a coded error that says what to do. */
function inWords<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined || cause instanceof CodedError) throw cause;
    const details = { file: path, system: code };
    if (code === "ENOSPC" || code === "EDQUOT")
      throw new CodedError("STORAGE_FULL", `The disk that holds ${path} is full: free some space, then start again; nothing was lost`, {
        cause,
        details,
      });
    throw new CodedError("STORAGE_FAILED", `The file ${path} cannot be used (${code}): check that the folder exists and is writable`, {
      cause,
      details,
    });
  }
}

/** Windows cannot open a folder. */
function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
