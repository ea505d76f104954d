import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Explorer } from "#node/explorer/explorer.ts";
import { reindex } from "#node/explorer/reindex.ts";
import { reindexFolder } from "#node/explorer/reindex-folder.ts";
import { DERIVED_TABLES } from "#node/storage/explorer/explorer-rebuild.ts";
import { transactionOf } from "#test/support/chain/chain-traffic.ts";
import { CONTRACTS_GENESIS } from "#test/support/chain/contract-calls.ts";
import { explorerResponses } from "#test/support/chain/explorer-responses.ts";
import { mixedBlock } from "#test/support/chain/mixed-blocks.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { START_MS } from "#test/support/worlds/ledger-world.ts";

const KILLED = fileURLToPath(new URL("./reindex-killed.ts", import.meta.url));
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

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  await writeFile(join(folder.path, "genesis.json"), JSON.stringify(CONTRACTS_GENESIS));
  using chain = open();
  const random = createRandom(SEED);
  for (let height = 1; height <= BLOCKS; height += 1) chain.commit(mixedBlock(height, random), START_MS + 1_000 * height);
});
afterEach(() => folder.remove());

const open = (): TestChain => openTestChain(folder.path, { genesis: CONTRACTS_GENESIS });

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
  it("gives the same results as before to every query, also when it was damaged", () => {
    const before = currentResults();
    expect(reindexFolder(folder.path, () => undefined)).toMatchObject({ blocks: BLOCKS + 1 });
    expect(currentResults()).toEqual(before);
    damage();
    expect(currentResults()).not.toEqual(before);
    reindexFolder(folder.path, () => undefined);
    expect(currentResults()).toEqual(before);
  });

  it("has all of its indexes and takes further blocks", () => {
    const schema = (): unknown => {
      const database = new Database(join(folder.path, "chain.db"), { readonly: true });
      const rows = database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").all();
      database.close();
      return rows;
    };
    const before = schema();
    reindexFolder(folder.path, () => undefined);
    expect(schema()).toEqual(before);
    using chain = open();
    const height = BLOCKS + 1;
    chain.commit([transactionOf([19, 0, 1, 3], START_MS + 1_000 * height)], START_MS + 1_000 * height);
    expect(new Explorer(chain.database).getBlock(height)).toMatchObject({ txCount: 1, transactions: [{ type: "TRANSFER" }] });
  });

  it("tells how far it is, for every block", () => {
    const reported: [number, number][] = [];
    reindexFolder(folder.path, (height, tip) => reported.push([height, tip]));
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
    using chain = open();
    const fail = (height: number): void => {
      if (height === BLOCKS - 1) throw new Error("the disk is gone");
    };
    expect(() => reindex(chain.database, { genesis: CONTRACTS_GENESIS }, fail)).toThrow("the disk is gone");
    expect(responses(chain)).toEqual(before);
  });

  it("leaves the old index and a mark when it is killed, and the next one removes both", async () => {
    const before = currentResults();
    const child = spawn(process.execPath, [KILLED, folder.path, String(BLOCKS - 1)], { stdio: "inherit" });
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
    expect(existsSync(join(folder.path, "reindexing"))).toBe(true);
    expect(currentResults()).toEqual(before);
    reindexFolder(folder.path, () => undefined);
    expect(existsSync(join(folder.path, "reindexing"))).toBe(false);
    expect(currentResults()).toEqual(before);
  });

  it("refuses blocks that do not give what is stored", () => {
    const database = new Database(join(folder.path, "chain.db"));
    database.exec("UPDATE blocks SET hash = x'ff' WHERE height = 5");
    database.close();
    expect(() => reindexFolder(folder.path, () => undefined)).toThrow(/^Block 5 of .* is not what its transactions give: the index stays/);
  });

  it("needs a folder with a chain that no node uses", async () => {
    await using empty = await createTemporaryFolder();
    expect(() => reindexFolder(empty.path, () => undefined)).toThrow("holds no chain: name the data folder of a node");
    await writeFile(join(empty.path, "genesis.json"), JSON.stringify(CONTRACTS_GENESIS));
    expect(() => reindexFolder(empty.path, () => undefined)).toThrow("has always been a light one");
    expect(existsSync(join(empty.path, "chain.db"))).toBe(false);
  });
});
