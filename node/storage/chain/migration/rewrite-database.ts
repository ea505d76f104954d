// A database file, written once more into a new file beside it, which then takes its place: the old one is whole until the new one is, and
// what was free in it is given back.
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { CodedError } from "#shared/errors/coded-error.ts";
import { createPrivateFile } from "../../private-file.ts";
import { type DatabaseKind, openSqliteDatabase, type SqliteDatabase, settleLog } from "../../sqlite-database.ts";
import { lockedError, storageError } from "../../storage-error.ts";
import { requireFreeRoom } from "./free-room.ts";

/** How far it is. */
export type RewriteProgress = (done: number, total: number) => void;

/** How the new file comes about. */
export interface Rewrite {
  readonly from: DatabaseKind;
  readonly to: DatabaseKind;
  /** What it is for, as in "must be written once more for this version". */
  readonly purpose: string;
  /** Most of the old file's size that the new one may have, and bytes beside that. */
  readonly share: number;
  readonly extraBytes?: number;
  /** Fills the new database; the old one is attached to it as `old`. Statements over many rows ask {@link GOES_ON} for each. */
  copy(database: SqliteDatabase, onProgress: RewriteProgress): void;
}

/** What a caller may choose. */
export interface RewriteOptions {
  readonly onProgress?: RewriteProgress | undefined;
  /** Asked for each row; true ends the work. */
  readonly isStopped?: (() => boolean) | undefined;
  /** Bytes that are free on the disk of a folder; what the system says unless given. */
  readonly freeBytes?: ((directory: string) => number) | undefined;
}

/** SQL that is 1 for a row that is to be copied, and ends the statement once the work is to end. */
export const GOES_ON = "goes_on()";

/** Statistics of every table, from samples, also of those that were not asked for: the first plans are as good as later ones. */
const ALL_TABLES = 0x1_0012;

const CACHE_KIB = 262_144;
const SUFFIXES = ["-wal", "-shm", "-journal"] as const;

/**
 * Writes a file once more. Whatever ends it before the end leaves the old file, and the next call begins again.
 * @throws CodedError STORAGE_FULL before anything is changed when there is too little room, STORAGE_FAILED when it was stopped; as every
 * opening of a database otherwise.
 */
export function rewriteDatabase(file: string, rewrite: Rewrite, options: RewriteOptions = {}): void {
  const target = targetOf(file);
  removeUnfinished(file);
  requireRoom(file, rewrite, options.freeBytes);
  // Takes in what an earlier process left in the log, and adds what files of the version may lack.
  const old = openSqliteDatabase(file, rewrite.from);
  try {
    settleLog(old);
  } finally {
    old.close();
  }
  try {
    fill(file, target, rewrite, options);
    requireAlone(file);
    takePlace(file, target);
  } catch (error) {
    removeFiles(target);
    throw storageError(error, file);
  }
}

function fill(file: string, target: string, { to, copy }: Rewrite, { onProgress, isStopped }: RewriteOptions): void {
  const goOn = (): number => {
    if (isStopped?.() === true)
      throw new CodedError("STORAGE_FAILED", `${file} is still of the older version: bringing it up to date was stopped`);
    return 1;
  };
  createPrivateFile(target);
  const database = new Database(target);
  try {
    // A file that is not whole is thrown away: it needs no log. OFF is refused by the driver; in memory it holds nothing of a file that was empty.
    for (const pragma of ["journal_mode = MEMORY", "synchronous = OFF", "temp_store = MEMORY", `cache_size = -${CACHE_KIB}`])
      database.pragma(pragma);
    database.function(GOES_ON.slice(0, -2), { deterministic: false }, goOn);
    database.prepare("ATTACH ? AS old").run(file);
    database.transaction(() => {
      database.exec(to.initialSchema);
      for (const { sql } of to.additions ?? []) database.exec(sql);
      copy(database, (done, total) => {
        goOn();
        onProgress?.(done, total);
      });
      database.pragma(`application_id = ${to.applicationId}`);
      database.pragma(`user_version = ${to.initialVersion ?? 0}`);
    })();
    database.exec("DETACH old");
    database.pragma(`optimize = ${ALL_TABLES}`);
  } finally {
    database.close();
  }
  syncPath(target, "r+");
}

function requireRoom(file: string, { share, extraBytes = 0, purpose }: Rewrite, freeBytes: RewriteOptions["freeBytes"]): void {
  const bytes = Math.ceil(statSync(file).size * share) + extraBytes;
  requireFreeRoom({ directory: dirname(file), bytes, work: `${file} must be written once more ${purpose}`, freeBytes });
}

/** The old file has no log any more: what is in one would be taken for the new file's. @throws CodedError STORAGE_LOCKED */
function requireAlone(file: string): void {
  const bytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes > 0) throw lockedError(dirname(file));
}

/** Puts a file that is whole and durable into the place of one that has no log any more. */
export function takePlace(file: string, target: string): void {
  for (const suffix of SUFFIXES) rmSync(`${file}${suffix}`, { force: true });
  renameSync(target, file);
  syncPath(dirname(file), "r");
}

/** Removes what an earlier call that was interrupted left beside a file that nothing rewrites now. */
export function removeUnfinished(file: string): void {
  removeFiles(targetOf(file));
}

const targetOf = (file: string): string => `${file}.new`;

function removeFiles(file: string): void {
  for (const suffix of ["", ...SUFFIXES]) rmSync(`${file}${suffix}`, { force: true });
}

/** Folders cannot be opened on Windows, which makes renames durable by itself. */
function syncPath(path: string, flags: "r" | "r+"): void {
  if (flags === "r" && process.platform === "win32") return;
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
