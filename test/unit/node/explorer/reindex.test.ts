import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { removeUnfinishedWork } from "#node/composition/node-start.ts";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { Explorer } from "#node/explorer/explorer.ts";
import { reindexFolder } from "#node/explorer/reindex/reindex-folder.ts";
import { DERIVED_TABLES, rewriteIndex } from "#node/explorer/reindex/rewrite-index.ts";
import { accountCodec } from "#node/ledger/records/records.ts";
import type { Log } from "#node/observability/log.ts";
import { SEQ_PER_BLOCK } from "#node/storage/chain-schema.ts";
import { encodedRecord, recordsOf } from "#node/storage/history/records/record-groups.ts";
import { encode } from "#shared/codec/codec.ts";
import { rewardId } from "#shared/protocol/transactions/transaction-id.ts";
import { transactionOf } from "#test/support/chain/chain-traffic.ts";
import { CONTRACTS_GENESIS } from "#test/support/chain/contract-calls.ts";
import { explorerResponses } from "#test/support/chain/explorer-responses.ts";
import { bindingOf } from "#test/support/chain/ledger-payloads.ts";
import { mixedBlock } from "#test/support/chain/mixed-blocks.ts";
import { sealTestChain } from "#test/support/chain/sealed-chain.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { expectEqual } from "#test/support/host/expect-equal.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, bob, START_MS, signed, validator } from "#test/support/worlds/ledger-world.ts";

const KILLED = fileURLToPath(new URL("./reindex-killed.ts", import.meta.url));
const ABI = '{"contract":"x","version":"1","methods":[{"name":"run","args":[]}]}';
const SEED = 20_260_101;
const BLOCKS = 30;
/** What blocks do not give: the chain itself. Every other table must be derived. */
const BASE_TABLES = [
  "meta",
  "blocks",
  "block_bodies",
  "block_records",
  "segments",
  "headers",
  "kept",
  "kept_ranges",
  "own",
  "validator_sets",
  "state",
  "tree_pages",
  "undo",
];

/** Made once; each test has a copy of it. */
let made: TemporaryFolder;
let folder: TemporaryFolder;
beforeAll(async () => {
  made = await createTemporaryFolder();
  writeFileSync(join(made.path, "genesis.json"), JSON.stringify(CONTRACTS_GENESIS));
  using chain = openTestChain(made.path, { genesis: CONTRACTS_GENESIS });
  const random = createRandom(SEED);
  for (let height = 1; height <= BLOCKS; height += 1) chain.commit(mixedBlock(height, random), START_MS + 1_000 * height);
});
afterAll(() => made.remove());
beforeEach(async () => {
  folder = await createTemporaryFolder();
  cpSync(made.path, folder.path, { recursive: true });
});
afterEach(() => folder.remove());

const open = (): TestChain => openTestChain(folder.path, { genesis: CONTRACTS_GENESIS });

function rowsOf(table: string): unknown {
  const database = new Database(join(folder.path, "chain.db"), { readonly: true });
  const rows = database.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get();
  database.close();
  return rows;
}

/** A group of records with another last byte of its first transaction, or of the receipt behind the last one. */
function replaced(group: Buffer, ofReceipt: number): Buffer {
  const [record = new Uint8Array(0)] = recordsOf(group);
  const at = ofReceipt === 1 ? group.length : group.indexOf(record) + encodedRecord(record).transaction.length;
  return Buffer.from(group.map((byte, index) => (index === at - 1 ? byte ^ 1 : byte)));
}

const responses = (chain: TestChain): unknown => explorerResponses(chain, BLOCKS);

const currentResults = (): unknown => {
  using chain = open();
  return responses(chain);
};

/** Changes the index behind the program's back. */
function damage(): void {
  const database = new Database(join(folder.path, "chain.db"));
  database.exec(`DELETE FROM ids WHERE seq % 3 = 0; UPDATE type_totals SET total = total + 5; DELETE FROM proposer_totals; UPDATE chart_hours SET blocks = blocks + 1;
    DELETE FROM contact_pairs; DELETE FROM contract_logs; DELETE FROM contracts; DELETE FROM account_entries WHERE account_id % 2 = 0;
    UPDATE rewards SET amount_ut = amount_ut + 1; INSERT INTO accounts (pub) VALUES (x'00');`);
  database.close();
}

describe("a rebuilt index", () => {
  it.each([false, true])("gives the same results as before to every query, also when it was damaged; executed: %s", (isExecuted) => {
    const before = currentResults();
    expect(reindexFolder(folder.path, { isExecuted })).toMatchObject({ blocks: BLOCKS + 1 });
    expectEqual(currentResults(), before);
    damage();
    expect(currentResults()).not.toEqual(before);
    reindexFolder(folder.path, { isExecuted });
    expectEqual(currentResults(), before);
    expect(checkFolder(folder.path, { isFull: true, onProgress: () => undefined }).findings).toEqual([]);
  });

  it("knows the wallets that earnings went to, whatever the table of rewards says", () => {
    const [nowMs, wallet] = [START_MS + 1_000 * BLOCKS, bob];
    {
      using chain = open();
      chain.commit([signed(validator, { type: "BIND_WALLET", payload: bindingOf(validator, wallet), nowMs })], nowMs + 1_000);
      chain.commit([transactionOf([0, 1, 2, 7], nowMs + 2_000)], nowMs + 2_000);
      expect(chain.database.blocks.get(BLOCKS + 1)?.receipts[0]).toMatchObject({ isOk: true });
    }
    const rewards = (): unknown => {
      using chain = open();
      return [BLOCKS, BLOCKS + 1, BLOCKS + 2].map((height) => chain.database.explorer.transaction(rewardId(height))?.to);
    };
    const before = rewards();
    expect(before).toEqual([validator.pub, wallet.pub, wallet.pub]);
    reindexFolder(folder.path);
    expect(rewards()).toEqual(before);
  });

  it.each([false, true])("reads blocks out of files, and names one that is missing; executed: %s", async (isExecuted) => {
    const before = currentResults();
    {
      using chain = open();
      await sealTestChain(chain, { depth: 10, maxBlocks: 8, maxBytes: 1_000_000 });
      chain.database.inTransaction(() => chain.database.blocks.removeSealed());
    }
    reindexFolder(folder.path, { isExecuted });
    expectEqual(currentResults(), before);
    rmSync(join(folder.path, "history", "8-15.seg"));
    expect(() => reindexFolder(folder.path, { isExecuted })).toThrow(/8-15\.seg is damaged/);
    expect(readdirSync(folder.path).filter((name) => name.startsWith("chain.db."))).toEqual([]);
  });

  it.each([false, true])("grows no log while the index grows out of nothing; executed: %s", (isExecuted) => {
    const before = currentResults();
    damage();
    let [logged, seen] = [0, 0];
    const onProgress = (): void => {
      const names = readdirSync(folder.path).filter((name) => name.startsWith("chain.db"));
      seen += names.filter((name) => name === "chain.db.new").length;
      for (const name of names) if (/-(?:wal|journal)$/.test(name)) logged = Math.max(logged, statSync(join(folder.path, name)).size);
    };
    reindexFolder(folder.path, { isExecuted, onProgress });
    expect([seen, logged]).toEqual([BLOCKS + 1, 0]);
    expectEqual(currentResults(), before);
  });

  it("has all of its indexes and takes further blocks", () => {
    const schema = (): unknown => {
      const database = new Database(join(folder.path, "chain.db"), { readonly: true });
      const rows = database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").all();
      database.close();
      return rows;
    };
    const before = schema();
    reindexFolder(folder.path);
    expect(schema()).toEqual(before);
    using chain = open();
    const height = BLOCKS + 1;
    chain.commit([transactionOf([19, 0, 1, 3], START_MS + 1_000 * height)], START_MS + 1_000 * height);
    expect(new Explorer(chain.database).getBlock(height)).toMatchObject({ txCount: 1, transactions: [{ type: "TRANSFER" }] });
  });

  it("tells how far it is, for every block", () => {
    const reported: [number, number][] = [];
    reindexFolder(folder.path, { onProgress: (height, tip) => reported.push([height, tip]) });
    expect(reported).toEqual(Array.from({ length: BLOCKS + 1 }, (_, height) => [height, BLOCKS]));
  });

  it("covers every table that is not the chain itself", () => {
    const database = new Database(join(folder.path, "chain.db"), { readonly: true });
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").pluck().all();
    database.close();
    expect([...DERIVED_TABLES, ...BASE_TABLES].sort()).toEqual((tables as string[]).sort());
  });
});

describe("a rebuild that does not come to its end", () => {
  it("leaves the old index when it fails", () => {
    const before = currentResults();
    const onProgress = (height: number): void => {
      if (height === BLOCKS - 1) throw new Error("the disk is gone");
    };
    expect(() => reindexFolder(folder.path, { onProgress })).toThrow("the disk is gone");
    expect(readdirSync(folder.path).filter((name) => name.startsWith("chain.db.new"))).toEqual([]);
    expectEqual(currentResults(), before);
  });

  it.each([
    ["at a block", String(BLOCKS - 1), false],
    ["before the new file has its place", "before", false],
    ["once it has it", "after", true],
  ])("leaves a whole index and a mark when it is killed %s, and the next start and rebuild tidy up", async (_when, moment, isNew) => {
    const whole = currentResults();
    damage();
    const damaged = currentResults();
    const child = spawn(process.execPath, [KILLED, folder.path, moment], { stdio: "inherit" });
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
    expect(existsSync(join(folder.path, "reindexing"))).toBe(true);
    expectEqual(currentResults(), isNew ? whole : damaged);
    const warn = vi.fn<Log["warn"]>();
    removeUnfinishedWork({ paths: dataFolderPaths(folder.path) }, { warn });
    expect(warn).toHaveBeenCalledOnce();
    expect(readdirSync(folder.path).filter((name) => !name.startsWith("lock"))).toEqual(["chain.db", "genesis.json", "reindexing"]);
    reindexFolder(folder.path);
    expect(existsSync(join(folder.path, "reindexing"))).toBe(false);
    expectEqual(currentResults(), whole);
  });

  it.each([
    ["a header", "UPDATE blocks SET hash = x'ff' WHERE height = 5", 5],
    ["a receipt", "UPDATE block_records SET records = replaced(records, 1) WHERE seq = (SELECT MIN(seq) FROM block_records)", 1],
    ["a signature", "UPDATE block_records SET records = replaced(records, 0) WHERE seq = (SELECT MIN(seq) FROM block_records)", 1],
    ["a body", "DELETE FROM block_bodies WHERE height = 8", 8],
  ])("refuses blocks of which %s is another one", (_what, sql, height) => {
    const before = DERIVED_TABLES.map((table) => rowsOf(table));
    const database = new Database(join(folder.path, "chain.db"));
    database.function("replaced", replaced);
    database.exec(sql);
    database.close();
    expect(() => reindexFolder(folder.path)).toThrow(
      new RegExp(`^Block ${height} of .* is not what its transactions give: the index stays`),
    );
    expect(DERIVED_TABLES.map((table) => rowsOf(table))).toEqual(before);
  });

  it("refuses a whole block of another chain", async () => {
    await using other = await createTemporaryFolder();
    {
      using chain = openTestChain(other.path, { genesis: CONTRACTS_GENESIS });
      for (let height = 1; height <= 5; height += 1) chain.commit([transactionOf([0, 1, 2, height], START_MS)], START_MS + 1_000 * height);
    }
    const database = new Database(join(folder.path, "chain.db"));
    database.prepare("ATTACH ? AS other").run(join(other.path, "chain.db"));
    const inBlock = `seq >= 5 * ${SEQ_PER_BLOCK} AND seq < 6 * ${SEQ_PER_BLOCK}`;
    database.exec(`DELETE FROM main.block_records WHERE ${inBlock}; INSERT INTO main.block_records SELECT * FROM other.block_records WHERE ${inBlock};
      DELETE FROM main.block_bodies WHERE height = 5; INSERT INTO main.block_bodies SELECT * FROM other.block_bodies WHERE height = 5;
      UPDATE main.blocks SET hash = (SELECT hash FROM other.blocks WHERE height = 5) WHERE height = 5`);
    database.close();
    expect(() => reindexFolder(folder.path)).toThrow(/^Block 5 of .* is not what its transactions give/);
  });

  it("lists no contract that could not be deployed", () => {
    const timeMs = START_MS + 1_000 * (BLOCKS + 1);
    {
      using chain = open();
      chain.commit(
        [signed(alice, { type: "DEPLOY_CONTRACT", payload: { wasm_b64: "AGFzbQEAAAA=", abi_json: ABI, gas_limit: 1_000_000 } })],
        timeMs,
      );
      expect(chain.database.blocks.get(BLOCKS + 1)?.receipts[0]?.isOk).toBe(false);
    }
    const before = currentResults();
    reindexFolder(folder.path);
    expectEqual(currentResults(), before);
  });

  it("refuses, when it executes, a block that gives another header", () => {
    const database = new Database(join(folder.path, "chain.db"));
    database.exec("UPDATE blocks SET hash = x'ff' WHERE height = 5");
    database.close();
    expect(() => reindexFolder(folder.path, { isExecuted: true })).toThrow(/^Block 5 of .* is not what its transactions give/);
  });

  it("refuses histories that are not as long as the state says", () => {
    const database = new Database(join(folder.path, "chain.db"));
    database
      .prepare("UPDATE state SET value = ? WHERE namespace = 'account' AND key = unhex(?)")
      .run(encode(accountCodec, { balanceUt: 1, historyCount: 3, historyHash: new Uint8Array(32) }), alice.pub);
    database.close();
    expect(() => reindexFolder(folder.path)).toThrow(/give account .* entries, and its record counts 3: the index stays/);
  });

  it("begins only where the disk has room for a second file", () => {
    const fill = vi.fn<() => void>();
    expect(() => rewriteIndex(folder.path, fill, { freeBytes: () => 10_000 })).toThrow(
      /must be written once more with a new index, which takes/,
    );
    expect(fill).not.toHaveBeenCalled();
  });

  it("needs a folder with a chain that no node uses", async () => {
    await using empty = await createTemporaryFolder();
    expect(() => reindexFolder(empty.path)).toThrow("holds no chain: name the data folder of a node");
    writeFileSync(join(empty.path, "genesis.json"), JSON.stringify(CONTRACTS_GENESIS));
    expect(() => reindexFolder(empty.path)).toThrow("has always been a light one");
    expect(existsSync(join(empty.path, "chain.db"))).toBe(false);
  });
});
