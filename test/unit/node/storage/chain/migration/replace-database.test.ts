// One chain database in the place of another, whatever is in their logs.
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { replaceDatabase } from "#node/storage/chain/migration/replace-database.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { openSqliteDatabase, openSqliteReader } from "#node/storage/sqlite-database.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

let folder: TemporaryFolder;
let file = "";
let next = "";
beforeEach(async () => {
  folder = await createTemporaryFolder();
  mkdirSync(join(folder.path, "next"));
  [file, next] = [join(folder.path, "chain.db"), join(folder.path, "next", "chain.db")];
  for (const [path, value] of [
    [file, "old"],
    [next, "new"],
  ] as const)
    leaveInLog(path, value);
});
afterEach(() => folder.remove());

/** A database as a process leaves it that is killed: its only row is in the log. */
function leaveInLog(path: string, value: string): void {
  const made = `${path}.made`;
  const database = openSqliteDatabase(made, CHAIN_DATABASE);
  database.pragma("wal_checkpoint(TRUNCATE)");
  database.prepare("INSERT INTO meta (name, value) VALUES ('which', ?)").run(value);
  for (const suffix of ["", "-wal"]) copyFileSync(made + suffix, path + suffix);
  database.close();
}

function valueIn(path: string): unknown {
  const database = openSqliteReader(path, CHAIN_DATABASE);
  const value = database.prepare("SELECT value FROM meta WHERE name = 'which'").pluck().get();
  database.close();
  return value;
}

it("takes what is in the log of the new one along, and nothing of the old one's", () => {
  replaceDatabase(file, next);
  expect([existsSync(next), existsSync(`${file}-wal`)]).toEqual([false, false]);
  expect(valueIn(file)).toBe("new");
});

it("leaves both where a program still reads the new one out of its log", () => {
  const reader = openSqliteReader(next, CHAIN_DATABASE);
  reader.exec("BEGIN");
  reader.prepare("SELECT COUNT(*) FROM meta").get();
  expect(() => replaceDatabase(file, next)).toThrow("Another node uses the data folder");
  reader.close();
  expect([valueIn(file), valueIn(next)]).toEqual(["old", "new"]);
});
