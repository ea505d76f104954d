// What fails is held against the file of a snapshot only where the file is to blame.
import Database from "better-sqlite3";
import { expect, it, vi } from "vitest";
import { openProvenSnapshot } from "#node/storage/snapshots/proven-snapshot.ts";
import { storageError } from "#node/storage/storage-error.ts";

const FILE = import.meta.filename;
let failsWith = "";

vi.mock("#node/storage/snapshots/snapshot-file.ts", () => ({
  openSnapshot: (): never => {
    throw storageError(new Database.SqliteError("it fails", failsWith), FILE);
  },
}));

it.each([
  ["SQLITE_CANTOPEN", "STORAGE_FAILED"],
  ["SQLITE_NOMEM", "STORAGE_FAILED"],
  ["SQLITE_FULL", "STORAGE_FULL"],
  ["SQLITE_BUSY", "STORAGE_LOCKED"],
  ["SQLITE_IOERR_READ", "STORAGE_CORRUPT"],
  ["SQLITE_CORRUPT", "STORAGE_CORRUPT"],
])("a snapshot that fails with %s is %s", (sqlite, code) => {
  failsWith = sqlite;
  const open = (): unknown => openProvenSnapshot(FILE, { height: 6, stateRoot: "00".repeat(32) });
  expect(open).toThrow(expect.objectContaining({ code }));
});
