import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ContractExplorer } from "#node/explorer/contract-explorer.ts";
import { Explorer } from "#node/explorer/explorer.ts";
import { NodeExplorer } from "#node/explorer/node-explorer.ts";
import { createChannelQueries } from "#node/explorer/queries/channel-queries.ts";
import { reindex } from "#node/explorer/reindex.ts";
import { reindexFolder } from "#node/explorer/reindex-folder.ts";
import { DERIVED_TABLES } from "#node/storage/explorer/explorer-rebuild.ts";
import { PEOPLE, transactionOf } from "#test/support/chain/chain-traffic.ts";
import { CONTRACTS_GENESIS } from "#test/support/chain/contract-calls.ts";
import { mixedBlock } from "#test/support/chain/mixed-blocks.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, bob, carol, START_MS, validator } from "#test/support/worlds/ledger-world.ts";

const KILLED = fileURLToPath(new URL("./reindex-killed.ts", import.meta.url));
const SEED = 20_260_101;
const BLOCKS = 30;
/** What blocks do not give: the chain itself. Every other table must be derived. */
const BASE_TABLES = ["meta", "blocks", "block_bodies", "validator_sets", "state", "tree_pages", "undo", "seen_ids"];

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

/** Every query that reads the index, for everybody. */
function responses({ database }: TestChain): unknown {
  const [explorer, contracts, nodes] = [new Explorer(database), new ContractExplorer(database), new NodeExplorer(database)];
  const keys = [...new Set([...PEOPLE, alice, bob, carol, validator].map(({ pub }) => pub))];
  const recent = explorer.recentTransactions(1_000);
  const all = contracts.list({ limit: 100 }).items;
  return {
    stats: explorer.netStats(),
    charts: [explorer.chart(1, 48), explorer.chart(24, 48)],
    blocks: Array.from({ length: BLOCKS + 1 }, (_, height) => explorer.getBlock(height)),
    recent,
    details: recent.map(({ id }) => explorer.getTransaction(id)),
    rewards: Array.from({ length: BLOCKS + 1 }, (_, height) => explorer.getTransaction(`reward-${height}`)),
    histories: keys.map((key) => explorer.accountHistory(key, { limit: 1_000, offset: 0 })),
    ranges: keys.flatMap((key) =>
      (["asc", "desc"] as const).map((order) => explorer.accountHistoryRange(key, { limit: 100, order, afterBlock: 3, beforeBlock: 20 })),
    ),
    channels: keys.map((key) => createChannelQueries(database).channels(key, { limit: 100 })),
    contacts: keys.map((key) => [explorer.contactsOf(key, { limit: 100 }), explorer.contactsRequestedBy(key, { limit: 100 })]),
    contracts: all,
    wellKnown: contracts.wellKnown(100),
    logs: all.map(({ id }) => contracts.logs(id, { limit: 100, order: "desc" })),
    tokens: contracts.tokens({ limit: 100 }),
    nfts: contracts.nfts({ limit: 100 }),
    nodes: keys.map((key) => nodes.nodeStats(key, 10)),
  };
}

const currentResults = (): unknown => {
  using chain = open();
  return responses(chain);
};

/** Changes the index behind the program's back. */
function damage(): void {
  const database = new Database(join(folder.path, "chain.db"));
  database.exec(`DELETE FROM transactions WHERE seq % 3 = 0; UPDATE type_totals SET total = total + 5; DELETE FROM proposer_totals; UPDATE chart_hours SET blocks = blocks + 1;
    DELETE FROM contact_pairs; DELETE FROM contract_logs; DELETE FROM contracts; DELETE FROM account_entries WHERE account_id % 2 = 0;
    UPDATE transactions SET memo = 'false', is_ok = 1 - is_ok; INSERT INTO accounts (pub) VALUES ('none');`);
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
    database.exec("UPDATE blocks SET hash = 'ff' || substr(hash, 3) WHERE height = 5");
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
