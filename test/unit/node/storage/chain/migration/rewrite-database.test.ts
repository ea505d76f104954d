// A file that was written once more: what the first plans over it go by.
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { rewriteDatabase } from "#node/storage/chain/migration/rewrite-database.ts";
import { type DatabaseKind, openSqliteDatabase } from "#node/storage/sqlite-database.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

const KIND: DatabaseKind = {
  applicationId: 7,
  initialSchema: "CREATE TABLE rows (key INTEGER PRIMARY KEY, value INTEGER NOT NULL) STRICT; CREATE INDEX rows_by_value ON rows (value);",
  migrations: [],
};

it("has statistics from samples: to read all of a large file for them would take as long as to write it", async () => {
  await using folder = await createTemporaryFolder();
  const file = join(folder.path, "rows.db");
  const old = openSqliteDatabase(file, KIND);
  // The first 3,000 have a value each, and all others the same one.
  old.exec(`WITH RECURSIVE keys (key) AS (SELECT 1 UNION ALL SELECT key + 1 FROM keys WHERE key < 20000)
    INSERT INTO rows SELECT key, min(key, 3000) FROM keys`);
  old.close();
  const copy = "INSERT INTO main.rows SELECT * FROM old.rows";
  rewriteDatabase(file, { from: KIND, to: KIND, purpose: "for a test", share: 1, copy: (database) => void database.exec(copy) });
  const written = new Database(file, { readonly: true });
  const [statistics] = written.prepare<[], string>("SELECT stat FROM sqlite_stat1 WHERE idx = 'rows_by_value'").pluck().all();
  written.close();
  expect(statistics).toMatch(/^\d+ 1$/);
});
