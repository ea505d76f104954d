// Sealing a real chain: all that could be read before can be read afterwards, through every connection, and the rows go.
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, vi } from "vitest";
import { CHAIN_FILE } from "#node/storage/chain/chain-database.ts";
import { openChainReader } from "#node/storage/chain/chain-reader.ts";
import { type HistorySealer, startHistorySealer } from "#node/storage/chain/sealing/history-sealer.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { SEAL_LIMITS, type SealLimits } from "#node/storage/history/sealing/seal-segment.ts";
import { HISTORY_FOLDER, SealedHistory } from "#node/storage/history/sealing/sealed-history.ts";
import { openSqliteReader } from "#node/storage/sqlite-database.ts";
import { expectIndexComplete, expectReplayable, expectStateConsistent } from "#test/support/chain/chain-invariants.ts";
import { growChain, openGrownChain } from "#test/support/chain/grown-chain.ts";
import { mixedBlock } from "#test/support/chain/mixed-blocks.ts";
import { readAll } from "#test/support/chain/read-all.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { expectEqual } from "#test/support/host/expect-equal.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { GENESIS } from "#test/support/worlds/ledger-world.ts";

const LIMITS: SealLimits = { depth: 12, maxBlocks: 9, maxBytes: 1_000_000 };
const HEIGHT = 60;

function seal(chain: TestChain, limits: SealLimits = LIMITS): HistorySealer {
  return startHistorySealer({
    file: chain.database.file,
    history: new SealedHistory(openSqliteReader(chain.database.file, CHAIN_DATABASE)),
    tipHeight: chain.executor.tip().height,
    limits,
    onFailure: (error) => {
      throw error;
    },
  });
}

/** Files of one segment, sorted. */
function filesOf(range: string): readonly string[] {
  return ["acc", "ids", "seg"].map((extension) => `${range}.${extension}`);
}

function rowsOf(path: string): readonly unknown[] {
  const database = new Database(join(path, CHAIN_FILE), { readonly: true });
  const rows = ["SELECT COUNT(*), MIN(height) FROM block_bodies", "SELECT MIN(seq / 8192) FROM block_records"].flatMap((sql) =>
    Object.values(database.prepare(sql).get() as object),
  );
  database.close();
  return rows;
}

describe("a sealed chain", () => {
  it("leaves its files to others while they ask for that, one after the other, and goes on behind them", async () => {
    await using folder = await createTemporaryFolder();
    const chain = openGrownChain(folder.path, HEIGHT);
    const files = (): number => readdirSync(join(folder.path, HISTORY_FOLDER)).length;
    // The thread is at work from the start on: the first one waits for its end.
    const sealer = seal(chain);
    const order: string[] = [];
    let before = 0;
    const first = sealer.exclusive(async () => {
      order.push("first");
      growChain(chain, HEIGHT + 30);
      for (let height = HEIGHT + 1; height <= HEIGHT + 30; height += 1) sealer.committed(height, 1);
      before = files();
      await new Promise((resolve) => setImmediate(resolve));
      expect(files()).toBe(before);
      order.push("first ends");
      throw new Error("it fails");
    });
    const second = sealer.exclusive(() => Promise.resolve(order.push("second")));
    await expect(first).rejects.toThrow("it fails");
    expect(await second).toBe(3);
    expect(before).toBeGreaterThan(0);
    await sealer.settled();
    expect(files()).toBeGreaterThan(before);
    await sealer.stop();
    chain.close();
  });

  it("says the same as before, through every connection, and its rows go", async () => {
    await using folder = await createTemporaryFolder();
    const chain = openGrownChain(folder.path, HEIGHT);
    const before = readAll(chain.database, HEIGHT);
    const reader = openChainReader(folder.path);
    const sealer = seal(chain);
    await sealer.settled();
    // Five segments of nine blocks are deep enough: 0 to 44.
    expect(readdirSync(join(folder.path, HISTORY_FOLDER)).toSorted()).toEqual([
      ...filesOf("0-8"),
      ...filesOf("18-26"),
      ...filesOf("27-35"),
      ...filesOf("36-44"),
      ...filesOf("9-17"),
    ]);
    expectEqual(readAll(chain.database, HEIGHT), before);
    expect(await reader.inSnapshot(() => Promise.resolve(readAll(reader, HEIGHT)))).toEqual(before);
    expect(rowsOf(folder.path)).toEqual([HEIGHT + 1, 0, 1]);
    growChain(chain, HEIGHT + 1);
    expect(rowsOf(folder.path)).toEqual([HEIGHT + 1 - 44, 45, 45]);
    growChain(chain, HEIGHT + 10);
    expect(readAll(chain.database, HEIGHT)).not.toEqual(before);
    const grown = readAll(chain.database, HEIGHT + 10);
    expectEqual(readAll(reader, HEIGHT + 10), grown);
    sealer.committed(HEIGHT + 10, 1);
    await sealer.settled();
    expect(chain.database.blocks.sealedTo()).toBe(53);
    expectEqual(readAll(chain.database, HEIGHT + 10), grown);
    expectReplayable(chain.database, GENESIS);
    expectIndexComplete(chain.database);
    await sealer.stop();
    reader.close();
    chain.close();
    // A start over sealed blocks, whose first block is in a file.
    using again = openTestChain(folder.path);
    expectEqual(readAll(again.database, HEIGHT + 10), grown);
    growChain(again, HEIGHT + 12);
    expectStateConsistent(again.database);
    expectReplayable(again.database, GENESIS);
  }, 60_000);

  it("cannot be rolled back into a file", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openGrownChain(folder.path, 30);
    await seal(chain).settled();
    expect(chain.database.blocks.sealedTo()).toBe(17);
    expect(() => chain.database.rollback(16)).toThrow("Block 17 is sealed");
    chain.database.rollback(17);
    expect(chain.database.blocks.tipHeight()).toBe(17);
    expect(chain.database.blocks.get(17)?.block.header.height).toBe(17);
    expectReplayable(chain.database, GENESIS);
  });

  it("does nothing where a chain is too low, and tidies up what a crash left", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openGrownChain(folder.path, 5);
    await seal(chain, SEAL_LIMITS).settled();
    expect(chain.database.blocks.sealedTo()).toBe(-1);
    growChain(chain, 30);
    await seal(chain).settled();
    for (const name of ["18-26.seg.tmp", "18-26.ids"]) writeFileSync(join(folder.path, HISTORY_FOLDER, name), "left by a crash");
    await seal(chain).settled();
    expect(readdirSync(join(folder.path, HISTORY_FOLDER)).toSorted()).toEqual([...filesOf("0-8"), ...filesOf("9-17")]);
  });

  it("is not opened when a file of blocks is missing or cut off: the file is named", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openGrownChain(folder.path, 30);
    await seal(chain).settled();
    const file = join(folder.path, HISTORY_FOLDER, "9-17.seg");
    truncateSync(file, 100);
    expect(() => seal(chain)).toThrow(/^The history file .*9-17\.seg is damaged at byte 100 \(it has 100 bytes instead of/);
    rmSync(file);
    expect(() => seal(chain)).toThrow(/^The history file .*9-17\.seg is damaged at byte 0 \(it is missing\)/);
  });

  it("has damage that keeps the node neither from its blocks nor from its start, and lets no id pass twice", async () => {
    await using folder = await createTemporaryFolder();
    const chain = openGrownChain(folder.path, 29);
    const [again] = mixedBlock(30, createRandom(30));
    if (again === undefined) throw new Error("A mixed block has transactions");
    chain.commit([again]);
    growChain(chain, 60);
    await seal(chain, { depth: 12, maxBlocks: 45, maxBytes: 1_000_000 }).settled();
    expect(chain.database.blocks.sealedTo()).toBe(44);
    chain.database.inTransaction(() => chain.database.blocks.removeSealed());
    chain.close();
    const file = join(folder.path, HISTORY_FOLDER, "0-44.seg");
    const bytes = readFileSync(file);
    // Every byte of the blocks; header, index and footer are as they were.
    writeFileSync(file, bytes.fill(0, 58, bytes.length - 50 - 45 * 46));
    using opened = openTestChain(folder.path);
    expect(() => opened.database.blocks.header(30)).toThrow(/0-44\.seg is damaged at byte/);
    growChain(opened, 62);
    expect(opened.executor.tip().height).toBe(62);
    expect(opened.executor.hasSeenId(again.id)).toBe(true);
    expect(opened.executor.hasSeenId("tx1".padEnd(83, "0"))).toBe(false);
    await seal(opened).stop();
  });

  it("ends in the middle of a file, and goes on with the next start", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openGrownChain(folder.path, 40);
    const before = readAll(chain.database, 40);
    await seal(chain, { ...LIMITS, maxBlocks: 28 }).stop();
    expectEqual(readAll(chain.database, 40), before);
    await seal(chain, { ...LIMITS, maxBlocks: 28 }).settled();
    expect(chain.database.blocks.sealedTo()).toBe(27);
    expect(readdirSync(join(folder.path, HISTORY_FOLDER)).toSorted()).toEqual(filesOf("0-27"));
    expectEqual(readAll(chain.database, 40), before);
  });

  it("is tried again after a pause that grows, while the node runs", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openGrownChain(folder.path, 30);
    const inTheWay = join(folder.path, HISTORY_FOLDER);
    const pauses: number[] = [];
    const sealer = startHistorySealer({
      file: chain.database.file,
      history: new SealedHistory(openSqliteReader(chain.database.file, CHAIN_DATABASE)),
      tipHeight: 30,
      limits: LIMITS,
      retryMs: [1, 4],
      // The first thing that happens on the new thread is to write a file.
      onFailure: (error, retryMs) => {
        expect(error).toMatchObject({ code: "STORAGE_FAILED" });
        pauses.push(retryMs);
        if (pauses.length === 4) rmSync(inTheWay);
      },
    });
    // Behind the look at the folder of the start, before any file is made.
    writeFileSync(inTheWay, "no folder");
    await vi.waitUntil(() => chain.database.blocks.sealedTo() === 17, { timeout: 20_000 });
    expect(pauses).toEqual([1, 2, 4, 4]);
    // What finds the transactions of a segment is made once it is named.
    await sealer.settled();
    await sealer.stop();
    expect(readdirSync(inTheWay).toSorted()).toEqual([...filesOf("0-8"), ...filesOf("9-17")]);
  });

  it("lets who catches up wait while too much is unsealed", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openGrownChain(folder.path, 3 + LIMITS.depth);
    const sealer = seal(chain);
    await sealer.settled();
    await sealer.room();
    growChain(chain, 4 * LIMITS.maxBlocks + LIMITS.depth + 3);
    sealer.committed(chain.executor.tip().height, 1);
    expect(chain.database.blocks.sealedTo()).toBe(-1);
    await sealer.room();
    expect(chain.database.blocks.sealedTo()).toBeGreaterThan(7);
    await sealer.stop();
  });
});
