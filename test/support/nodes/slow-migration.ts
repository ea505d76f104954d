// Loaded before a node's program: a folder of an older version is brought up to date so slowly that a test can end it at any step.
import { CHAIN_VERSION_0 } from "#node/storage/chain/migration/chain-version-0.ts";
import { CHAIN_VERSION_1 } from "#node/storage/chain/migration/chain-version-1.ts";
import type { SqliteDatabase } from "#node/storage/sqlite-database.ts";

const STEP_MS = 60;
const still = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
const wait = (): void => void Atomics.wait(still, 0, 0, STEP_MS);

/** The same database, whose statements over whole tables wait. */
function slowed(database: SqliteDatabase): SqliteDatabase {
  const exec: SqliteDatabase["exec"] = (sql) => {
    wait();
    return database.exec(sql);
  };
  return Object.create(database, { exec: { value: exec } }) as SqliteDatabase;
}

const { copy: fromVersion0 } = CHAIN_VERSION_0;
Object.assign(CHAIN_VERSION_0, {
  copy: (database, onProgress) =>
    fromVersion0(database, (done, total) => {
      wait();
      onProgress(done, total);
    }),
} satisfies Pick<typeof CHAIN_VERSION_0, "copy">);

// Most of its work is tables: blocks are copied by the hundred.
const { copy: fromVersion1 } = CHAIN_VERSION_1;
Object.assign(CHAIN_VERSION_1, {
  copy: (database, onProgress) => fromVersion1(slowed(database), onProgress),
} satisfies Pick<typeof CHAIN_VERSION_1, "copy">);
