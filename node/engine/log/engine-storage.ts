// The two files of the engine as interfaces (tests inject faults and crashes), and their implementation on disk.
// The data folder's own lock keeps other nodes out; what is here only notices when that failed.
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { syncFolder } from "#node/config/files/write-file-atomic.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { equalBytes } from "#shared/util/bytes.ts";

/** A file that grows at its end. */
export interface AppendFile {
  /** The whole content. */
  read(): Uint8Array;
  /** @throws CodedError STORAGE_LOCKED when another process changed the file, STORAGE_FULL when the disk is full. */
  append(bytes: Uint8Array): void;
  /** Returns when everything appended is durable. */
  sync(): void;
  truncate(length: number): void;
  close(): void;
}

/** A small file that is replaced as a whole: after a crash it holds either the old or the new content. */
export interface ReplaceableFile {
  /** The content, undefined when there is no file. */
  read(): Uint8Array | undefined;
  /** Returns when the new content is durable. @throws CodedError STORAGE_LOCKED when another process changed the file. */
  replace(bytes: Uint8Array): void;
}

/** Where the engine stores what must survive a crash. */
export interface EngineStorage {
  openLog(): AppendFile;
  openGuard(): ReplaceableFile;
}

/** Files `consensus.wal` and `sign-guard` in a folder, which is made when missing. */
export function createEngineStorage(folder: string): EngineStorage {
  return {
    openLog: () => openAppendFile(join(folder, "consensus.wal")),
    openGuard: () => openReplaceableFile(join(folder, "sign-guard")),
  };
}

/** Opens or makes an append file. */
export function openAppendFile(path: string): AppendFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, "a+", 0o600);
  let length = fstatSync(file).size;
  if (length === 0) syncFolder(dirname(path));
  return {
    read: () => readFileSync(path),
    append(bytes): void {
      if (fstatSync(file).size !== length) throw locked(path);
      writeAll(file, bytes);
      length += bytes.length;
    },
    sync: () => fdatasyncSync(file),
    truncate(newLength): void {
      ftruncateSync(file, newLength);
      length = newLength;
    },
    close: () => closeSync(file),
  };
}

/** Opens a replaceable file. A left-over temporary file of a crash is overwritten by the next replacement. */
export function openReplaceableFile(path: string): ReplaceableFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let known = readIfPresent(path);
  return {
    read: () => known,
    replace(bytes): void {
      const current = readIfPresent(path);
      const isUnchanged = current === undefined || known === undefined ? current === known : equalBytes(current, known);
      if (!isUnchanged) throw locked(path);
      const temporaryPath = `${path}.new`;
      const file = openSync(temporaryPath, "w", 0o600);
      try {
        writeAll(file, bytes);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(temporaryPath, path);
      syncFolder(dirname(path));
      known = Uint8Array.from(bytes);
    },
  };
}

function readIfPresent(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  try {
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(file, bytes, offset);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOSPC")
      throw new CodedError("STORAGE_FULL", "The disk is full: free some space and start again", { cause });
    throw cause;
  }
}

function locked(path: string): CodedError {
  return new CodedError("STORAGE_LOCKED", `Another process changed ${path}: stop the other node`);
}
