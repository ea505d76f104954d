// A folder of schema version 0 becomes one of the current version: the same rows as if it had always been one, the same responses, and
// nothing is lost whatever ends it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { backupFolder } from "#node/engine/recovery/backup-folder.ts";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { rollbackFolder } from "#node/engine/recovery/rollback-folder.ts";
import { reindexFolder } from "#node/explorer/reindex/reindex-folder.ts";
import { openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { CHAIN_VERSION_0 } from "#node/storage/chain/migration/chain-version-0.ts";
import { migrateChain } from "#node/storage/chain/migration/migration-thread.ts";
import { rewriteDatabase } from "#node/storage/chain/migration/rewrite-database.ts";
import { databaseRows } from "#test/support/chain/database-rows.ts";
import { mixedBlock } from "#test/support/chain/mixed-blocks.ts";
import { changeChain, OLDER_IDENTITY, OlderChain, openOlderChain } from "#test/support/chain/older-chain.ts";
import type { TestChain } from "#test/support/chain/test-chain.ts";
import { hasUnfinished, schemaVersion, writeVersion0 } from "#test/support/chain/version-0.ts";
import { expectEqual } from "#test/support/host/expect-equal.ts";
import { createRandom } from "#test/support/host/random.ts";
import { alice, bob, carol, START_MS, signed } from "#test/support/worlds/ledger-world.ts";

const KILLED = fileURLToPath(new URL("./migration-killed.ts", import.meta.url));
const BLOCKS = 40;
/** A block with several groups of records. */
const LARGE_HEIGHT = 20;

let old: OlderChain;
let path = "";

beforeAll(async () => {
  const random = createRandom(20_261_123);
  const grow = (chain: TestChain): void => {
    for (let height = 1; height <= BLOCKS; height += 1)
      chain.commit(height === LARGE_HEIGHT ? largeBlock() : mixedBlock(height, random), START_MS + 1_000 * height);
  };
  old = await OlderChain.create({ blocks: BLOCKS, grow, write: writeVersion0 });
});
afterAll(() => old.remove());
beforeEach(() => {
  path = old.copy();
});

const chainFile = (): string => join(path, "chain.db");

function largeBlock(): ReturnType<typeof mixedBlock> {
  return Array.from({ length: 100 }, (_, n) => ({
    ...signed(n % 2 === 0 ? alice : bob, {
      type: "TRANSFER",
      to: carol.pub,
      amount: 1 + n,
      payload: n % 10 === 0 ? { memo: "m".repeat(120) } : {},
    }),
    id: `large-${n}`,
  }));
}

describe("a folder of version 0", () => {
  it("has the rows and gives the responses of one that always was of this version", () => {
    expect(schemaVersion(path)).toBe(0);
    const before = statSync(chainFile()).size;
    old.expectCurrent(path);
    expect(statSync(chainFile()).size).toBeLessThan(before);
  });

  it("says how far it is, block by block, and once only", () => {
    const reported: [number, number][] = [];
    for (let opening = 0; opening < 2; opening += 1)
      openChainDatabase(path, OLDER_IDENTITY, (done, total) => reported.push([done, total])).close();
    expect(reported).toEqual(Array.from({ length: BLOCKS + 1 }, (_, block) => [block + 1, BLOCKS + 1]));
  });

  it("may be one from before the index of events", () => {
    changeChain(path, `DROP INDEX contract_logs_unindexed; ALTER TABLE contract_logs DROP COLUMN is_indexed; DROP TABLE contract_events`);
    old.expectResponses(path);
    reindexFolder(path);
    old.expectCurrent(path);
  });

  it("takes blocks, gives them back, and is sound", async () => {
    {
      using chain = openOlderChain(path);
      chain.commit();
    }
    await rollbackFolder(path, BLOCKS - 5);
    await rollbackFolder(path, BLOCKS - 7);
    {
      using chain = openOlderChain(path);
      chain.commit([signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: {} })]);
    }
    expect(checkFolder(path, { isFull: true, onProgress: () => undefined }).findings).toEqual([]);
  });

  it("knows the ids of the last hours", () => {
    using chain = openOlderChain(path);
    const again = largeBlock().slice(0, 3);
    expect(chain.commit(again).transactions).toEqual([]);
  });
});

describe("what ends it before its end", () => {
  it.each([1, LARGE_HEIGHT, BLOCKS + 1])("being killed at block %i leaves a folder that starts", async (block) => {
    const before = databaseRows(path);
    const child = spawn(process.execPath, [KILLED, path, OLDER_IDENTITY.chainId, OLDER_IDENTITY.genesisHash, String(block)], {
      stdio: "inherit",
    });
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
    expect(hasUnfinished(path)).toBe(true);
    expectEqual(databaseRows(path), before);
    old.expectCurrent(path);
  });

  it("being stopped at any row or block leaves the file as it was", () => {
    const before = databaseRows(path);
    let asked = 0;
    const stopAt = (row: number): void => {
      asked = 0;
      const isStopped = (): boolean => {
        asked += 1;
        return asked === row;
      };
      rewriteDatabase(chainFile(), CHAIN_VERSION_0, { isStopped });
    };
    for (const row of [1, 2, 30, 100, 300, 600]) {
      expect(() => stopAt(row)).toThrow(/chain\.db is still of the older version: bringing it up to date was stopped$/);
      expect(asked).toBe(row);
      expect([schemaVersion(path), hasUnfinished(path)]).toEqual([0, false]);
    }
    expectEqual(databaseRows(path), before);
    stopAt(-1);
    // Rows of every table, and blocks.
    expect(asked).toBeGreaterThan(650);
    old.expectCurrent(path);
  });

  it("a thread of its own says how far it is, and stops when it is told to", async () => {
    const before = databaseRows(path);
    await expect(migrateChain(chainFile(), { onProgress: () => undefined, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "STORAGE_FAILED",
    });
    expect([databaseRows(path), hasUnfinished(path), schemaVersion(path)]).toEqual([before, false, 0]);
    const reported: [number, number][] = [];
    const onProgress = (done: number, total: number): void => void reported.push([done, total]);
    await migrateChain(chainFile(), { onProgress });
    expect([reported[0], reported.at(-1)]).toEqual([
      [1, BLOCKS + 1],
      [BLOCKS + 1, BLOCKS + 1],
    ]);
    old.expectCurrent(path);
    await migrateChain(chainFile(), { onProgress: () => expect.fail("The file is up to date") });
    await migrateChain(join(path, "missing.db"), { onProgress: () => expect.fail("There is no file") });
  });

  it("a thread of its own passes on what is wrong with the file", async () => {
    changeChain(path, "DELETE FROM block_bodies WHERE height = 7");
    await expect(migrateChain(chainFile(), { onProgress: () => undefined })).rejects.toThrow(/^Block 7 of .*chain\.db is damaged/);
    expect([hasUnfinished(path), schemaVersion(path)]).toEqual([false, 0]);
  });

  it("what an earlier one left is written over", () => {
    writeFileSync(`${chainFile()}.new`, "half a page");
    old.expectCurrent(path);
  });

  it("too little room is said in one sentence, before anything is changed", () => {
    const before = databaseRows(path);
    const rewrite = (): void => rewriteDatabase(chainFile(), CHAIN_VERSION_0, { freeBytes: () => 10_000 });
    expect(rewrite).toThrow(
      /^.*chain\.db must be written once more for this version, which takes \d+ MiB, and 1 MiB are free: free some space, then start again; nothing was changed$/,
    );
    expect(rewrite).toThrowError(expect.objectContaining({ code: "STORAGE_FULL" }));
    expect([databaseRows(path), hasUnfinished(path)]).toEqual([before, false]);
    old.expectCurrent(path);
  });

  it.each([
    ["a missing body", "DELETE FROM block_bodies WHERE height = 7"],
    ["a body of other bytes", "UPDATE block_bodies SET block = x'8400' WHERE height = 7"],
    [
      "receipts of another block",
      "UPDATE block_bodies SET receipts = (SELECT receipts FROM block_bodies WHERE height = 8) WHERE height = 6",
    ],
  ])("%s is named, and the file stays", (_, sql) => {
    changeChain(path, sql);
    const before = databaseRows(path);
    expect(() => openChainDatabase(path, OLDER_IDENTITY)).toThrow(/^Block [67] of .*chain\.db is damaged: move the data folder away/);
    expect([databaseRows(path), hasUnfinished(path), schemaVersion(path)]).toEqual([before, false, 0]);
  });
});

describe("commands that only read", () => {
  it("refuse an older folder in words, and change nothing", () => {
    const before = databaseRows(path);
    const older = expect.objectContaining({
      code: "STORAGE_OLDER",
      message: expect.stringMatching(/start its node once, which brings it/),
    });
    expect(() => backupFolder(path, join(path, "..", "backup"), { hasKeys: false })).toThrowError(older);
    expectEqual(databaseRows(path), before);
  });
});
