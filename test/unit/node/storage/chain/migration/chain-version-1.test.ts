// A folder of schema version 1 becomes one of the current version: the same rows and responses as if it had always been one, with its files of old
// blocks, and nothing is lost whatever ends it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { CHAIN_VERSION_1 } from "#node/storage/chain/migration/chain-version-1.ts";
import { migrateFile } from "#node/storage/chain/migration/migrate-file.ts";
import { migrateChain } from "#node/storage/chain/migration/migration-thread.ts";
import { rewriteDatabase } from "#node/storage/chain/migration/rewrite-database.ts";
import { PAGE_KEY, PAGE_PREFIX, pageKey } from "#node/storage/chain/state-repository.ts";
import { toHex } from "#shared/util/bytes.ts";
import { databaseRows } from "#test/support/chain/database-rows.ts";
import { mixedBlock } from "#test/support/chain/mixed-blocks.ts";
import { changeChain, OLDER_IDENTITY, OlderChain } from "#test/support/chain/older-chain.ts";
import { sealTestChain } from "#test/support/chain/sealed-chain.ts";
import type { TestChain } from "#test/support/chain/test-chain.ts";
import { hasUnfinished, schemaVersion } from "#test/support/chain/version-0.ts";
import { writeVersion1 } from "#test/support/chain/version-1.ts";
import { expectEqual } from "#test/support/host/expect-equal.ts";
import { createRandom } from "#test/support/host/random.ts";
import { START_MS } from "#test/support/worlds/ledger-world.ts";

const KILLED = fileURLToPath(new URL("./migration-killed.ts", import.meta.url));
const BLOCKS = 40;
const SEALED = { depth: 12, maxBlocks: 9, maxBytes: 1_000_000 };

let old: OlderChain;
let path = "";

const chainFile = (): string => join(path, "chain.db");

beforeAll(async () => {
  const random = createRandom(20_261_130);
  const grow = async (chain: TestChain): Promise<void> => {
    for (let height = 1; height <= BLOCKS; height += 1) chain.commit(mixedBlock(height, random), START_MS + 1_000 * height);
    await sealTestChain(chain, SEALED);
  };
  old = await OlderChain.create({ blocks: BLOCKS, grow, write: writeVersion1 });
});
afterAll(() => old.remove());
beforeEach(() => {
  path = old.copy();
});

function expectCurrent(): void {
  old.expectCurrent(path);
  expectSound();
}

function expectSound(): void {
  expect(checkFolder(path, { isFull: true, onProgress: () => undefined }).findings).toEqual([]);
}

describe("a folder of version 1", () => {
  it("has the rows and gives the responses of one that always was of this version, and is sound", () => {
    expect(schemaVersion(path)).toBe(1);
    expectCurrent();
  });

  it("says how far it is, and once only, on a thread of its own too", async () => {
    const reported: [number, number][] = [];
    const onProgress = (done: number, total: number): void => void reported.push([done, total]);
    await migrateChain(chainFile(), { onProgress });
    await migrateChain(chainFile(), { onProgress: () => expect.fail("The file is up to date") });
    const total = reported[0]?.[1];
    expect(reported).toEqual([
      [0, total],
      [total, total],
    ]);
    expectCurrent();
  });

  it("says how far it is every few hundred blocks", async () => {
    changeChain(
      path,
      `WITH RECURSIVE above(height) AS (SELECT ${BLOCKS + 1} UNION ALL SELECT height + 1 FROM above WHERE height < 1000)
      INSERT INTO block_bodies SELECT height, x'', x'', NULL FROM above`,
    );
    const reported: number[] = [];
    await migrateChain(chainFile(), { onProgress: (done) => void reported.push(done) });
    expect(reported.slice(0, -1)).toEqual([0, 256, 512, 768]);
  });

  it("without what was added to the version later gives the same responses", () => {
    changeChain(
      path,
      `DROP INDEX contract_logs_unindexed; ALTER TABLE contract_logs DROP COLUMN is_indexed; DROP TABLE contract_events;
      DROP TABLE kept; DROP TABLE own; DROP TABLE kept_ranges`,
    );
    openChainDatabase(path, OLDER_IDENTITY).close();
    old.expectResponses(path);
    expectSound();
  });

  it("stays once another process has brought it up to date", () => {
    migrateFile(chainFile());
    migrateFile(chainFile(), { onProgress: () => expect.fail("The file is up to date") });
    expectCurrent();
  });

  it.each([
    ["tree_pages", "INSERT INTO tree_pages VALUES ('no hex', x'00')"],
    ["contracts", "UPDATE contracts SET contract_id = 'abc' WHERE contract_num = 1"],
    [
      "contracts",
      "INSERT INTO contracts SELECT 99, upper(contract_id), name, version, height FROM contracts ORDER BY contract_id DESC LIMIT 1",
    ],
    ["proposer_totals", "INSERT INTO proposer_totals VALUES ('no hex', 1)"],
  ])("with a damaged row is named with the table %s, and stays", async (table, sql) => {
    changeChain(path, sql);
    const before = databaseRows(path);
    await expect(migrateChain(chainFile(), { onProgress: () => undefined })).rejects.toMatchObject({
      code: "STORAGE_CORRUPT",
      message: expect.stringMatching(new RegExp(`^A row of the table ${table} of .*chain\\.db is damaged: move the data folder away`)),
    });
    expectEqual(databaseRows(path), before);
    expect([schemaVersion(path), hasUnfinished(path)]).toEqual([1, false]);
  });

  it("that cannot be read is refused in words", () => {
    writeFileSync(chainFile(), "not a database at all, but long enough for one".repeat(200));
    expect(() => migrateFile(chainFile())).toThrowError(expect.objectContaining({ code: "STORAGE_CORRUPT" }));
  });

  it("being killed leaves it as it was", async () => {
    const before = databaseRows(path);
    let blocks = 0;
    rewriteDatabase(chainFile(), {
      ...CHAIN_VERSION_1,
      copy: (database, onProgress) =>
        CHAIN_VERSION_1.copy(database, (done, total) => {
          blocks = done;
          onProgress(done, total);
        }),
    });
    old.copy(path);
    const child = spawn(process.execPath, [KILLED, path, OLDER_IDENTITY.chainId, OLDER_IDENTITY.genesisHash, String(blocks)], {
      stdio: "inherit",
    });
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
    expect(hasUnfinished(path)).toBe(true);
    expectEqual(databaseRows(path), before);
    expectCurrent();
  });

  it("being stopped at any row leaves it as it was", () => {
    const before = databaseRows(path);
    for (const row of [1, 5, 50, 200]) {
      let asked = 0;
      const isStopped = (): boolean => {
        asked += 1;
        return asked === row;
      };
      expect(() => rewriteDatabase(chainFile(), CHAIN_VERSION_1, { isStopped })).toThrow(/is still of the older version/);
      expect([schemaVersion(path), hasUnfinished(path)]).toEqual([1, false]);
    }
    expectEqual(databaseRows(path), before);
    expectCurrent();
  });
});

it("the place of a page leads back to its prefix, in SQL as in the program", () => {
  const database = new Database(":memory:");
  const read = database
    .prepare<[string], [Buffer, string]>(
      `SELECT key, (SELECT ${PAGE_PREFIX} FROM (SELECT key AS prefix)) FROM (SELECT ${PAGE_KEY} AS key FROM (SELECT ? AS prefix))`,
    )
    .raw();
  for (const prefix of ["", "0", "f", "00", "01", "0001", "00010", "0123456789", "abc"]) {
    const [key, again] = read.get(prefix) ?? [];
    expect([toHex(key ?? new Uint8Array(0)), again]).toEqual([toHex(pageKey(prefix)), prefix]);
  }
  database.close();
});
