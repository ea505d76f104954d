import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import {
  closeSqliteDatabase,
  type DatabaseKind,
  inImmediateTransaction,
  openSqliteDatabase,
  openSqliteReader,
  type SqliteDatabase,
  settleLog,
} from "#node/storage/sqlite-database.ts";
import { storageError } from "#node/storage/storage-error.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

const KIND: DatabaseKind = { applicationId: 77, initialSchema: "CREATE TABLE items (name TEXT PRIMARY KEY) STRICT;", migrations: [] };
const WITH_MIGRATIONS: DatabaseKind = {
  ...KIND,
  migrations: [
    { version: 1, up: (database): void => void database.exec("ALTER TABLE items ADD COLUMN color TEXT NOT NULL DEFAULT 'red'") },
    { version: 2, up: (database): void => void database.exec("INSERT INTO items (name, color) VALUES ('two', 'blue')") },
  ],
};

function errorOf(work: () => unknown): { code: string; message: string } {
  try {
    work();
  } catch (error) {
    if (isCodedError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("Nothing was thrown");
}

function pragma(database: SqliteDatabase, name: string): unknown {
  return database.pragma(name, { simple: true });
}

describe("SQLite database", () => {
  it("is durable on each commit: a write-ahead log with synchronous FULL", async () => {
    await using folder = await createTemporaryFolder();
    for (let opening = 0; opening < 2; opening += 1) {
      const database = openSqliteDatabase(join(folder.path, "new", "a.db"), KIND);
      expect(pragma(database, "journal_mode")).toBe("wal");
      expect(pragma(database, "synchronous")).toBe(2);
      expect(pragma(database, "foreign_keys")).toBe(1);
      expect(pragma(database, "wal_autocheckpoint")).toBe(10_000);
      expect(pragma(database, "user_version")).toBe(0);
      expect(pragma(database, "application_id")).toBe(77);
      closeSqliteDatabase(database);
      closeSqliteDatabase(database);
    }
  });

  it("brings an older file forward, keeping its contents, and each step once", async () => {
    await using folder = await createTemporaryFolder();
    const file = join(folder.path, "a.db");
    const old = openSqliteDatabase(file, KIND);
    old.exec("INSERT INTO items (name) VALUES ('one')");
    closeSqliteDatabase(old);
    for (let opening = 0; opening < 2; opening += 1) {
      const database = openSqliteDatabase(file, WITH_MIGRATIONS);
      expect(database.prepare("SELECT name, color FROM items ORDER BY name").all()).toEqual([
        { name: "one", color: "red" },
        { name: "two", color: "blue" },
      ]);
      expect(pragma(database, "user_version")).toBe(2);
      closeSqliteDatabase(database);
    }
  });

  it("gives a fresh file the newest version", async () => {
    await using folder = await createTemporaryFolder();
    const database = openSqliteDatabase(join(folder.path, "a.db"), WITH_MIGRATIONS);
    expect(pragma(database, "user_version")).toBe(2);
    closeSqliteDatabase(database);
  });

  it("leaves a file as it was when a migration fails", async () => {
    await using folder = await createTemporaryFolder();
    const file = join(folder.path, "a.db");
    closeSqliteDatabase(openSqliteDatabase(file, KIND));
    const broken: DatabaseKind = {
      ...KIND,
      migrations: [{ version: 1, up: (database): void => void database.exec("DROP TABLE items; DROP TABLE nothing") }],
    };
    expect(errorOf(() => openSqliteDatabase(file, broken)).code).toBe("STORAGE_FAILED");
    const database = openSqliteDatabase(file, KIND);
    expect(database.prepare("SELECT COUNT(*) FROM items").pluck().get()).toBe(0);
    closeSqliteDatabase(database);
  });

  it("refuses a newer file in one sentence", async () => {
    await using folder = await createTemporaryFolder();
    const file = join(folder.path, "a.db");
    closeSqliteDatabase(openSqliteDatabase(file, WITH_MIGRATIONS));
    const error = errorOf(() => openSqliteDatabase(file, KIND));
    expect(error.code).toBe("STORAGE_NEWER");
    expect(error.message).toContain("newer version (schema 2, this one knows 0): update the program");
  });

  it("refuses a file that is newer by one step", async () => {
    await using folder = await createTemporaryFolder();
    const file = join(folder.path, "a.db");
    closeSqliteDatabase(openSqliteDatabase(file, WITH_MIGRATIONS));
    const before: DatabaseKind = { ...WITH_MIGRATIONS, migrations: WITH_MIGRATIONS.migrations.slice(0, 1) };
    expect(errorOf(() => openSqliteDatabase(file, before)).code).toBe("STORAGE_NEWER");
    expect(errorOf(() => openSqliteReader(file, before)).code).toBe("STORAGE_NEWER");
    closeSqliteDatabase(openSqliteReader(file, WITH_MIGRATIONS));
  });

  it("refuses another program's file and leaves it alone", async () => {
    await using folder = await createTemporaryFolder();
    const file = join(folder.path, "a.db");
    const other = new Database(file);
    other.exec("CREATE TABLE bookmarks (url TEXT)");
    other.close();
    expect(errorOf(() => openSqliteDatabase(file, KIND))).toMatchObject({ code: "STORAGE_FOREIGN" });
    const again = new Database(file, { readonly: true });
    expect(again.prepare("SELECT name FROM sqlite_schema").pluck().all()).toEqual(["bookmarks"]);
    expect(again.pragma("journal_mode", { simple: true })).toBe("delete");
    again.close();
  });

  it("says that a file is damaged, whether it is no database or a torn one", async () => {
    await using folder = await createTemporaryFolder();
    const file = join(folder.path, "a.db");
    writeFileSync(file, "this is a text file, longer than a header of a database file, and surely not one of them at all");
    const error = errorOf(() => openSqliteDatabase(file, KIND));
    expect(error.code).toBe("STORAGE_CORRUPT");
    expect(error.message).toContain(file);
    expect(error.message).toContain("move the data folder away");
  });

  it("says that the folder cannot be used", async () => {
    await using folder = await createTemporaryFolder();
    writeFileSync(join(folder.path, "file"), "");
    expect(errorOf(() => openSqliteDatabase(join(folder.path, "file", "a.db"), KIND))).toMatchObject({ code: "STORAGE_FAILED" });
    mkdirSync(join(folder.path, "a.db"));
    expect(errorOf(() => openSqliteDatabase(join(folder.path, "a.db"), KIND))).toMatchObject({ code: "STORAGE_FAILED" });
  });

  it("says so also where SQLite has no room for the index of its log", () => {
    const error = storageError(new Database.SqliteError("disk I/O error", "SQLITE_IOERR_SHMSIZE"), "/data/chain.db");
    expect(error).toMatchObject({ code: "STORAGE_FULL", message: expect.stringContaining("/data/chain.db is full: free some space") });
  });

  it("says that a log cannot be moved into its file, and leaves it there", async () => {
    await using folder = await createTemporaryFolder();
    const file = join(folder.path, "a.db");
    const [database, other] = [openSqliteDatabase(file, KIND), openSqliteDatabase(file, KIND)];
    other.exec("BEGIN");
    other.prepare("SELECT COUNT(*) FROM items").get();
    database.exec("INSERT INTO items (name) VALUES ('in the log')");
    database.pragma("busy_timeout = 1");
    expect(errorOf(() => settleLog(database)).code).toBe("STORAGE_LOCKED");
    other.exec("COMMIT");
    settleLog(database);
    expect(statSync(`${file}-wal`).size).toBe(0);
    other.close();
    closeSqliteDatabase(database);
  });

  it("says that the disk is full, and keeps what was there", async () => {
    await using folder = await createTemporaryFolder();
    const database = openSqliteDatabase(join(folder.path, "a.db"), KIND);
    database.exec("INSERT INTO items (name) VALUES ('kept')");
    // SQLite reports the same error at its own page limit as at the end of a disk.
    database.pragma(`max_page_count = ${Number(pragma(database, "page_count"))}`);
    const fill = database.prepare("INSERT INTO items (name) VALUES (?)");
    const error = errorOf(() =>
      inImmediateTransaction(database, () => {
        for (let n = 0; n < 5_000; n += 1) fill.run(`a long name that takes room ${n}`);
      }),
    );
    expect(error.code).toBe("STORAGE_FULL");
    expect(error.message).toContain("free some space");
    expect(database.prepare("SELECT name FROM items").pluck().all()).toEqual(["kept"]);
    closeSqliteDatabase(database);
  });

  it("applies all of a transaction or nothing, and passes errors of the work on", async () => {
    await using folder = await createTemporaryFolder();
    const database = openSqliteDatabase(join(folder.path, "a.db"), KIND);
    const failure = new Error("of the work");
    expect(() =>
      inImmediateTransaction(database, () => {
        database.exec("INSERT INTO items (name) VALUES ('half')");
        throw failure;
      }),
    ).toThrow(failure);
    expect(inImmediateTransaction(database, () => database.prepare("SELECT COUNT(*) FROM items").pluck().get())).toBe(0);
    closeSqliteDatabase(database);
  });
});
