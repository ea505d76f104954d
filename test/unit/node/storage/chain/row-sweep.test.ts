// Rows of the index go once runs have what they say, a few at a time: what is read stays the same, through rollbacks, starts and a new index.
import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rebuildIndex } from "#node/explorer/reindex/rebuild-index.ts";
import { CHAIN_FILE } from "#node/storage/chain/chain-database.ts";
import { openChainReader } from "#node/storage/chain/chain-reader.ts";
import type { SealLimits } from "#node/storage/history/sealing/seal-segment.ts";
import { HISTORY_FOLDER, REMOVED_ROWS } from "#node/storage/history/sealing/sealed-history.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { expectIndexComplete } from "#test/support/chain/chain-invariants.ts";
import { transactionOf } from "#test/support/chain/chain-traffic.ts";
import { readAll } from "#test/support/chain/read-all.ts";
import { sealTestChain } from "#test/support/chain/sealed-chain.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { expectEqual } from "#test/support/host/expect-equal.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { GENESIS, START_MS } from "#test/support/worlds/ledger-world.ts";

const LIMITS: SealLimits = { depth: 12, maxBlocks: 9, maxBytes: 1_000_000 };
const HEIGHT = 320;
const BLOCK_MS = 60_000;
/** More than {@link HEIGHT} blocks have. */
const MOST_ROWS = 28_000;
/** Blocks 128 below the newest one, and two hours more. */
const OLD = HEIGHT - 128 - SEEN_WINDOW_MS / BLOCK_MS;

function grow(chain: TestChain, to: number): void {
  for (let height = chain.executor.tip().height + 1; height <= to; height += 1) {
    const random = createRandom(height);
    const nowMs = START_MS + BLOCK_MS * height;
    const transactions = Array.from({ length: random.between(0, 3) }, () =>
      transactionOf([random.between(0, 19), random.between(0, 4), random.between(0, 4), random.between(0, 200)], nowMs),
    );
    chain.commit(transactions, nowMs);
  }
}

/** Rows of ids and of entries, and the lowest block that has an id. */
function rowsOf(path: string): { readonly ids: number; readonly entries: number; readonly lowest: number } {
  const database = new Database(join(path, CHAIN_FILE), { readonly: true });
  const count = (sql: string): number => Number(database.prepare(sql).pluck().get());
  const rows = {
    ids: count("SELECT COUNT(*) FROM ids"),
    entries: count("SELECT COUNT(*) FROM account_entries"),
    lowest: count("SELECT MIN(seq) / 8192 FROM ids"),
  };
  database.close();
  return rows;
}

/** Removes all that is to go, so many rows at a time. */
function sweep({ database }: TestChain, limit: number): void {
  for (let rows = 0; rows < MOST_ROWS; rows += limit) database.inTransaction(() => database.history.removeRows(limit));
}

/** A copy of the chain of {@link HEIGHT} blocks. */
function openGrown(directory: string): TestChain {
  cpSync(grown.path, directory, { recursive: true });
  return openTestChain(directory);
}

let grown: TemporaryFolder;
beforeAll(async () => {
  grown = await createTemporaryFolder();
  using chain = openTestChain(grown.path);
  grow(chain, HEIGHT);
});
afterAll(() => grown.remove());

describe("rows that runs have", () => {
  it("go, but for those that count, and nothing reads otherwise", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openGrown(folder.path);
    const before = readAll(chain.database, HEIGHT);
    const all = rowsOf(folder.path);
    const reader = openChainReader(folder.path);
    expectEqual(readAll(reader, HEIGHT), before);
    await sealTestChain(chain, LIMITS);
    expect(rowsOf(folder.path)).toEqual(all);
    sweep(chain, 7);
    const left = rowsOf(folder.path);
    expect(left.ids).toBeLessThan(all.ids);
    expect(left.entries).toBeLessThan(all.entries / 4);
    expect(left.lowest).toBeGreaterThan(OLD);
    expect(left.lowest).toBeLessThan(OLD + 10);
    expectEqual(readAll(chain.database, HEIGHT), before);
    expectEqual(readAll(reader, HEIGHT), before);
    expectIndexComplete(chain.database);
    // 34 segments: four merged runs, and two that are not.
    const runs = readdirSync(join(folder.path, HISTORY_FOLDER)).filter((name) => name.endsWith(".acc"));
    expect(runs).toContain("216-287.acc");
    expect(runs).toContain("297-305.acc");
    reader.close();
  }, 120_000);

  it("go faster with a full block: a few for each of its transactions", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openTestChain(folder.path);
    const payments = (height: number, count: number): void => {
      const nowMs = START_MS + BLOCK_MS * height;
      const transactions = Array.from({ length: count }, (_, n) => transactionOf([19, n % 20, (n + 1) % 20, 1 + (n % 97)], nowMs + n));
      chain.commit(transactions, nowMs + count);
    };
    for (let height = 1; height <= 6; height += 1) payments(height, 500);
    grow(chain, 60);
    await sealTestChain(chain, LIMITS);
    const all = rowsOf(folder.path);
    expect(all.entries).toBeGreaterThan(REMOVED_ROWS + 1_500);
    payments(61, 500);
    const added = 2 * (chain.database.blocks.get(61)?.block.transactions.length ?? 0);
    expect(all.entries + added - rowsOf(folder.path).entries).toBeGreaterThan(REMOVED_ROWS + 500);
    expectIndexComplete(chain.database);
  }, 120_000);

  it("leave the memory of two hours, the numbers of accounts and the way back whole", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openGrown(folder.path);
    await sealTestChain(chain, LIMITS);
    sweep(chain, 500);
    chain.database.rollback(chain.database.blocks.sealedTo() + 1);
    using again = openTestChain(folder.path);
    grow(again, HEIGHT);
    const grown = readAll(again.database, HEIGHT);
    const { timeMs } = again.executor.tip();
    for (let height = 1; height <= HEIGHT; height += 1)
      for (const { id } of again.database.blocks.get(height)?.block.transactions ?? [])
        expect(again.database.seenIds.has(id, timeMs), `block ${height}`).toBe(START_MS + BLOCK_MS * height > timeMs - SEEN_WINDOW_MS);
    expectIndexComplete(again.database);
    // What the blocks give, with a row for everything.
    again.close();
    rebuildIndex(folder.path, { genesis: GENESIS });
    using rebuilt = openTestChain(folder.path);
    expectEqual(readAll(rebuilt.database, HEIGHT), grown);
  }, 120_000);

  it("come back with a new index, also where a file of the old one is lost, and go again", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openGrown(folder.path);
    const before = readAll(chain.database, HEIGHT);
    const all = rowsOf(folder.path);
    await sealTestChain(chain, LIMITS);
    sweep(chain, 500);
    rmSync(join(folder.path, HISTORY_FOLDER, "216-287.acc"));
    chain.close();
    rebuildIndex(folder.path, { genesis: GENESIS });
    expect(rowsOf(folder.path)).toEqual(all);
    using rebuilt = openTestChain(folder.path);
    expect(rebuilt.database.history.runs.coveredTo()).toBe(-1);
    expectEqual(readAll(rebuilt.database, HEIGHT), before);
    await sealTestChain(rebuilt, LIMITS);
    sweep(rebuilt, 500);
    expect(rowsOf(folder.path).entries).toBeLessThan(all.entries / 4);
    expectEqual(readAll(rebuilt.database, HEIGHT), before);
  }, 120_000);
});
