// Opening an SQLite file: pragmas set and read back, program id, schema version, migrations. The one place that knows these rules.
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { CodedError } from "#shared/errors/coded-error.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { createPrivateFile } from "./private-file.ts";
import { lockedError, storageError } from "./storage-error.ts";

/** One step forward from the version before it. Runs in a transaction of its own. */
export interface Migration {
  /** Version that the database has afterwards, 1 or more. */
  readonly version: number;
  up(database: Database.Database): void;
}

/**
 * A table that follows from the others, added to files that lack it. The version stays: a program that does not know it leaves nothing wrong
 * behind, since what it writes is marked by the defaults of the columns.
 */
export interface DerivedAddition {
  /** Table that is there when all of it is. */
  readonly table: string;
  readonly sql: string;
}

/** What a kind of database file is. */
export interface DatabaseKind {
  /** Stamp that tells our files from those of other programs. */
  readonly applicationId: number;
  /** SQL of the version that new files have before the migrations. */
  readonly initialSchema: string;
  /** That version; 0 unless it is said. Older files are not opened: who knows them writes them once more. */
  readonly initialVersion?: number;
  /** Ascending by version, without gaps; the last one's version is the current one. */
  readonly migrations: readonly Migration[];
  readonly additions?: readonly DerivedAddition[];
}

/** An open file. */
export type SqliteDatabase = Database.Database;

const BUSY_TIMEOUT_MS = 3_000;
const CACHE_KIB = 65_536;
/** Pages of the write-ahead log before it is moved into the file: checkpoints are rare, so that a block costs one fsync. */
const CHECKPOINT_PAGES = 10_000;
const LOG_LIMIT_BYTES = 67_108_864;
const SYNCHRONOUS_FULL = 2;

/**
 * Opens or creates a database file, every commit durable on return. `cacheKib` is what its pages may take of memory.
 * @throws CodedError STORAGE_FOREIGN, STORAGE_NEWER, STORAGE_OLDER, STORAGE_CORRUPT, STORAGE_LOCKED, STORAGE_FULL or STORAGE_FAILED.
 */
export function openSqliteDatabase(file: string, kind: DatabaseKind, cacheKib: number = CACHE_KIB): SqliteDatabase {
  let database: SqliteDatabase | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    createPrivateFile(file);
    database = new Database(file, { timeout: BUSY_TIMEOUT_MS });
    checkOwner(database, kind, file);
    applyPragmas(database, cacheKib);
    prepareSchema(database, kind);
    return database;
  } catch (error) {
    database?.close();
    if (isFileError(error))
      throw new CodedError("STORAGE_FAILED", `The data folder ${dirname(file)} cannot be used (${error.code}): check that it is writable`, {
        cause: error,
      });
    throw storageError(error, file);
  }
}

/**
 * Opens an existing file for reading, also while its node runs.
 * @throws CodedError as {@link openSqliteDatabase}; STORAGE_FAILED when there is no file.
 */
export function openSqliteReader(file: string, kind: DatabaseKind): SqliteDatabase {
  let database: SqliteDatabase | undefined;
  try {
    database = new Database(file, { timeout: BUSY_TIMEOUT_MS, readonly: true, fileMustExist: true });
    checkOwner(database, kind, file);
    return database;
  } catch (error) {
    database?.close();
    throw storageError(error, file);
  }
}

/** Closes a file in order: statistics, then the log moved into it. */
export function closeSqliteDatabase(database: SqliteDatabase): void {
  if (!database.open) return;
  try {
    database.pragma("optimize");
    database.pragma("wal_checkpoint(TRUNCATE)");
  } catch (error) {
    // Tidying up may fail on a full disk; every commit is in the log already, and the next start finds it there.
    if (!(error instanceof Database.SqliteError)) throw error;
  } finally {
    database.close();
  }
}

/** Moves the log of a file into it, all of it. @throws CodedError of the storage: what is in the log stays there */
export function settleLog(database: SqliteDatabase): void {
  let rows: readonly { readonly busy: number }[];
  try {
    rows = database.pragma("wal_checkpoint(TRUNCATE)") as typeof rows;
  } catch (error) {
    throw storageError(error, database.name);
  }
  if (rows.some(({ busy }) => busy !== 0)) throw lockedError(dirname(database.name));
}

/** Runs reads on one state of the file: they take its lock once, which costs more than most of them. Inside a transaction they are part of it. */
export function readTogether(database: SqliteDatabase): <T>(work: () => T) => T {
  const [begin, end] = ["BEGIN DEFERRED", "COMMIT"].map((sql) => database.prepare(sql));
  return (work) => {
    if (database.inTransaction) return work();
    begin?.run();
    try {
      return work();
    } finally {
      end?.run();
    }
  };
}

/** Runs the work in one immediate transaction: all of it, or nothing. @throws CodedError of the storage, or what the work throws. */
export function inImmediateTransaction<T>(database: SqliteDatabase, work: () => T): T {
  try {
    return database.transaction(work).immediate();
  } catch (error) {
    throw storageError(error, database.name);
  }
}

function checkOwner(database: SqliteDatabase, kind: DatabaseKind, file: string): void {
  const applicationId = pragmaNumber(database, "application_id");
  if (applicationId !== kind.applicationId && !isFresh(database))
    throw new CodedError("STORAGE_FOREIGN", `${file} belongs to another program: choose another folder with --data-dir`, {
      details: { file },
    });
  const version = pragmaNumber(database, "user_version");
  const current = currentVersion(kind);
  if (version > current)
    throw new CodedError(
      "STORAGE_NEWER",
      `${file} was written by a newer version (schema ${version}, this one knows ${current}): update the program`,
      { details: { file, version, current } },
    );
  if (version < (kind.initialVersion ?? 0) && !isFresh(database))
    throw new CodedError(
      "STORAGE_OLDER",
      `${file} was written by an older version (schema ${version}, this one has ${current}): start its node once, which brings it up to date`,
      { details: { file, version, current } },
    );
}

function applyPragmas(database: SqliteDatabase, cacheKib: number): void {
  const mode = database.pragma("journal_mode = WAL", { simple: true });
  assertInvariant(mode === "wal", `SQLite keeps no write-ahead log here (${String(mode)})`);
  database.pragma("synchronous = FULL");
  if (process.platform === "darwin") {
    database.pragma("fullfsync = ON");
    database.pragma("checkpoint_fullfsync = ON");
  }
  database.pragma("foreign_keys = ON");
  database.pragma("temp_store = MEMORY");
  database.pragma(`cache_size = -${cacheKib}`);
  database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  database.pragma(`journal_size_limit = ${LOG_LIMIT_BYTES}`);
  // A write-ahead log falls back to NORMAL silently in some builds, and then loses the last blocks with the power.
  assertInvariant(pragmaNumber(database, "synchronous") === SYNCHRONOUS_FULL, "SQLite does not run with synchronous = FULL");
  assertInvariant(pragmaNumber(database, "foreign_keys") === 1, "SQLite does not enforce foreign keys");
}

function prepareSchema(database: SqliteDatabase, kind: DatabaseKind): void {
  // Inside the transaction: another process may have created the file in the meantime.
  database
    .transaction(() => {
      if (!isFresh(database)) return;
      database.exec(kind.initialSchema);
      database.pragma(`application_id = ${kind.applicationId}`);
      database.pragma(`user_version = ${kind.initialVersion ?? 0}`);
    })
    .immediate();
  for (const { version, up } of kind.migrations) {
    database
      .transaction(() => {
        if (pragmaNumber(database, "user_version") >= version) return;
        up(database);
        database.pragma(`user_version = ${version}`);
      })
      .immediate();
  }
  for (const { table, sql } of kind.additions ?? [])
    database.transaction(() => hasTable(database, table) || database.exec(sql)).immediate();
}

function hasTable(database: SqliteDatabase, name: string): boolean {
  return database.prepare<[string]>("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;
}

function currentVersion(kind: DatabaseKind): number {
  return kind.migrations.at(-1)?.version ?? kind.initialVersion ?? 0;
}

function isFresh(database: SqliteDatabase): boolean {
  return database.prepare("SELECT COUNT(*) FROM sqlite_schema").pluck().get() === 0;
}

function pragmaNumber(database: SqliteDatabase, name: string): number {
  return Number(database.pragma(name, { simple: true }));
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && "code" in error;
}
