// Dropping old blocks of a real chain: what stays reads as before, what went says so, and what follows is the same as everywhere.
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { createReadQueries } from "#node/explorer/queries/read-queries.ts";
import { BlockServer } from "#node/gossip/block-server.ts";
import { LightReads } from "#node/light/server/light-reads.ts";
import { type LightResponse, lightResponseCodec } from "#node/light/wire/light-responses.ts";
import { CHAIN_FILE } from "#node/storage/chain/chain-database.ts";
import { openChainReader } from "#node/storage/chain/chain-reader.ts";
import { headerSource } from "#node/storage/chain/sealing/header-source.ts";
import { startHistorySealer } from "#node/storage/chain/sealing/history-sealer.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { dropSegments } from "#node/storage/history/sealing/drop-segments.ts";
import { DroppedRows } from "#node/storage/history/sealing/dropped-rows.ts";
import type { Border } from "#node/storage/history/sealing/retention-border.ts";
import type { SealLimits } from "#node/storage/history/sealing/seal-segment.ts";
import { closeHistory, HISTORY_FOLDER, sealedHistory } from "#node/storage/history/sealing/sealed-history.ts";
import { openSqliteDatabase } from "#node/storage/sqlite-database.ts";
import { decode } from "#shared/codec/codec.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { PEOPLE } from "#test/support/chain/chain-traffic.ts";
import { growChain, openGrownChain } from "#test/support/chain/grown-chain.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { GENESIS } from "#test/support/worlds/ledger-world.ts";

const LIMITS: SealLimits = { depth: 12, maxBlocks: 9, maxBytes: 1_000_000 };
const HEIGHT = 80;

/** Seals, and drops what lies below a border. */
async function drop({ database, executor }: TestChain, border: Partial<Border> | undefined): Promise<readonly number[]> {
  const dropped: number[] = [];
  const { file, history } = database;
  const whole = border && { bodiesFrom: 0, headersFrom: 0, maxRunBlocks: 18, ...border };
  const sealer = startHistorySealer({
    ...{ file, history, tipHeight: executor.tip().height, limits: LIMITS, border: () => whole },
    onDropped: (to) => void dropped.push(to),
    onFailure: (error) => {
      throw error;
    },
  });
  await sealer.settled();
  await sealer.stop();
  return dropped;
}

/** Lets the rows of sealed blocks go. */
function sweep({ database }: TestChain): void {
  for (let rounds = 0; rounds < 300; rounds += 1) database.inTransaction(() => database.blocks.removeSealed());
}

function count(path: string, table: string): number {
  const database = new Database(join(path, CHAIN_FILE), { readonly: true });
  const rows = Number(database.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get());
  database.close();
  return rows;
}

function codeOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return isCodedError(error) ? error.code : String(error);
  }
}

/** Ids of blocks by height. */
function idsOf(chain: TestChain, to: number): readonly (readonly string[])[] {
  return Array.from({ length: to + 1 }, (_, height) => chain.database.blocks.get(height)?.block.transactions.map(({ id }) => id) ?? []);
}

describe("a chain whose old blocks are dropped", () => {
  it("drops nothing more once nothing is to go, as when no other node has them any more", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openGrownChain(folder.path, HEIGHT);
    await drop(chain, undefined);
    sweep(chain);
    const { file, history, blocks } = chain.database;
    let bodiesFrom = 40;
    const border = (): Border => ({ bodiesFrom, headersFrom: 0, maxRunBlocks: 18 });
    const onFailure = (error: unknown): void => expect.fail(String(error));
    // The thread begins to drop at once, and takes the message before it does.
    const sealer = startHistorySealer({ ...{ file, history, tipHeight: HEIGHT, limits: LIMITS, border, onFailure } });
    bodiesFrom = 0;
    sealer.look();
    await sealer.settled();
    expect(blocks.firstHeight()).toBe(0);
    bodiesFrom = 40;
    sealer.look();
    await sealer.settled();
    expect(blocks.firstHeight()).toBe(36);
    await sealer.stop();
  });

  it("drops what is to go once it lies in files, also where that was known only while they were written, and no block comes", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openGrownChain(folder.path, HEIGHT);
    const { file, history, blocks } = chain.database;
    let bodiesFrom: number | undefined;
    const border = (): Border | undefined => {
      // As with the next blocks: what lies in files as well has no rows.
      if (history.lastHeight() > 0) sweep(chain);
      return bodiesFrom === undefined ? undefined : { bodiesFrom, headersFrom: 0, maxRunBlocks: 18 };
    };
    const onFailure = (error: unknown): void => expect.fail(String(error));
    const sealer = startHistorySealer({ ...{ file, history, tipHeight: HEIGHT, limits: LIMITS, border, onFailure } });
    // Nothing lies in a file yet.
    bodiesFrom = 40;
    sealer.look();
    await sealer.settled();
    await sealer.stop();
    expect([history.lastHeight(), blocks.firstHeight()]).toEqual([62, 36]);
  });

  it("keeps all of them where no border is given", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openGrownChain(folder.path, HEIGHT);
    await drop(chain, undefined);
    sweep(chain);
    expect(await drop(chain, undefined)).toEqual([]);
    expect(await drop(chain, { bodiesFrom: 0 })).toEqual([]);
    expect(chain.database.blocks.firstHeight()).toBe(0);
    expect(count(folder.path, "headers")).toBe(0);
  });

  it("promises no header that went with its file, whatever happens before other headers go", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openGrownChain(folder.path, HEIGHT);
    await drop(chain, undefined);
    sweep(chain);
    const other = openSqliteDatabase(chain.database.file, CHAIN_DATABASE);
    const history = sealedHistory(other);
    const tables = new DroppedRows(other, history, {
      header: headerSource(other),
      kept: { keep: (): void => undefined, hasKept: () => true },
    });
    expect(dropSegments(history.files, tables, { bodiesFrom: 40, headersFrom: 30 })).toBe(35);
    closeHistory(other);
    other.close();
    const { blocks } = chain.database;
    expect([blocks.firstHeader(), blocks.firstHeight()]).toEqual([30, 36]);
    for (let height = 30; height <= HEIGHT; height += 1) expect(blocks.header(height)?.height).toBe(height);
  });

  it("says of them that they are not here, reads the rest as before, and continues every history", async () => {
    await using folder = await createTemporaryFolder();
    writeFileSync(join(folder.path, "genesis.json"), JSON.stringify(GENESIS));
    const chain = openGrownChain(folder.path, HEIGHT);
    const ids = idsOf(chain, HEIGHT);
    const headers = ids.map((_, height) => [chain.database.blocks.header(height), chain.database.blocks.commit(height)]);
    const { explorer } = chain.database;
    const histories = PEOPLE.map(({ pub }) => explorer.historyPage(pub, 1_000, 0));
    const totals = explorer.typeTotals();
    await drop(chain, { bodiesFrom: 40 });
    // No block goes whose rows are still there.
    expect(chain.database.blocks.firstHeight()).toBe(0);
    sweep(chain);
    expect(await drop(chain, { bodiesFrom: 40 })).toEqual([35]);
    const first = 36;
    expect(chain.database.blocks.firstHeight()).toBe(first);
    expect(chain.database.blocks.firstHeader()).toBe(0);
    expect(
      readdirSync(join(folder.path, HISTORY_FOLDER))
        .filter((name) => name.endsWith(".seg"))
        .toSorted(),
    ).toEqual(["36-44.seg", "45-53.seg", "54-62.seg"]);
    expect(explorer.typeTotals()).toEqual(totals);
    // What was dropped stays counted.
    expect(explorer.countedFrom()).toBe(1);
    for (const [height, [header, commit]] of headers.entries()) {
      expect(chain.database.blocks.header(height)).toEqual(header);
      expect(chain.database.blocks.commit(height)).toEqual(commit);
      expect(chain.database.blocks.get(height) !== undefined).toBe(height >= first);
      expect(chain.database.blocks.encodedBlock(height) !== undefined).toBe(height >= first);
      expect(chain.database.blocks.encodedReceipts(height) !== undefined).toBe(height >= first);
    }
    for (const height of [1, 19, 35]) {
      expect(codeOf(() => explorer.transactionsOf(height))).toBe("HISTORY_PRUNED");
      expect(["HISTORY_PRUNED", undefined]).toContain(codeOf(() => explorer.transaction(ids[height]?.[0] ?? "none")));
    }
    for (const [at, { pub }] of PEOPLE.entries()) {
      const before = histories[at] ?? [];
      expect(explorer.historyPage(pub, 1_000, 0)).toEqual(before.filter(({ blockHeight }) => blockHeight >= first));
      expect(explorer.historyRange(pub, { limit: 1_000, order: "asc" })).toEqual(
        before.filter(({ blockHeight }) => blockHeight >= first).toReversed(),
      );
      const gone = before.filter(({ blockHeight }) => blockHeight < first).length;
      expect(explorer.history.missing(pub)).toEqual({ firstHeight: first, count: gone });
      expect(explorer.hasWholeHistory(pub)).toBe(before.every(({ blockHeight }) => blockHeight >= first));
    }
    expect(explorer.recentTransactions(1_000)).toHaveLength(ids.slice(first).flat().length);
    growChain(chain, HEIGHT + 3);
    sweep(chain);
    for (const [at, { pub }] of PEOPLE.entries())
      expect(explorer.historyPage(pub, 1_000, 0).slice(-1)).toEqual(
        (histories[at] ?? []).filter(({ blockHeight }) => blockHeight >= first).slice(-1),
      );
    const server = new BlockServer({
      ...{
        chainId: GENESIS.chain_id,
        blocks: chain.database.blocks,
        tip: () => chain.executor.tip(),
        snapshots: () => [],
        keepsFrom: () => 0,
      },
      ...{ validatorsAt: (height) => chain.database.validatorSets.at(height), verify: verifyZip215 },
    });
    expect(server.status()).toMatchObject({ firstHeight: first, firstHeader: 0 });
    expect([...server.range(first - 1, 3)]).toEqual([]);
    expect([...server.range(first, 3)]).toHaveLength(3);
    const light = new LightReads(chain.database);
    const read = (height: number): LightResponse => decode(lightResponseCodec, light.respond({ kind: "block", height, knownSet: null }));
    // Header, commit and validators are as good for a light node as before.
    expect(read(first - 5)).toMatchObject({ kind: "block", header: headers[first - 5]?.[0], commit: headers[first - 5]?.[1] });
    expect(decode(lightResponseCodec, light.respond({ kind: "body", height: first - 5 })).kind).toBe("unknown");
    expect(decode(lightResponseCodec, light.respond({ kind: "blocks", from: 3, count: 50 }))).toMatchObject({ blocks: { length: 50 } });
    chain.close();
    const report = checkFolder(folder.path, { isFull: true, onProgress: () => undefined });
    expect(report.findings).toEqual([]);
    using again = openTestChain(folder.path);
    growChain(again, HEIGHT + 5);
    expect(again.database.history.droppedTo()).toBe(35);
    expect(await createReadQueries(again.database, { nowMs: () => 0, monotonicMs: () => 0 }).explorer.getBlock(first)).toMatchObject({
      index: first,
    });
  }, 60_000);

  it("keeps headers and commits from a height on, and one of a thousand below", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openGrownChain(folder.path, HEIGHT);
    await drop(chain, undefined);
    sweep(chain);
    const { blocks } = chain.database;
    const before = Array.from({ length: HEIGHT + 1 }, (_, height) => [
      blocks.header(height),
      blocks.commit(height),
      blocks.summary(height),
    ]);
    const expectFrom = (from: number): void => {
      expect(blocks.firstHeader()).toBe(from);
      for (const [height, all] of before.entries())
        expect([blocks.header(height), blocks.commit(height), blocks.summary(height)]).toEqual(
          height >= from || height === 0 ? all : [undefined, undefined, undefined],
        );
    };
    expect(await drop(chain, { bodiesFrom: 30, headersFrom: 20 })).toEqual([26]);
    expectFrom(20);
    // A border that is further back gives nothing again, and one above the first transactions takes no header of them.
    expect(await drop(chain, { bodiesFrom: 40, headersFrom: 5 })).toEqual([35]);
    expectFrom(20);
    await drop(chain, { bodiesFrom: 45, headersFrom: 60 });
    expectFrom(45);
  }, 60_000);

  it("drops further and further, and has no more rows and files than before", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openTestChain(folder.path);
    const sizes: number[][] = [];
    for (let height = 60; height <= 240; height += 20) {
      growChain(chain, height);
      sweep(chain);
      await drop(chain, { bodiesFrom: height - 40, headersFrom: height - 45, maxRunBlocks: 0 });
      sizes.push([
        ...["blocks", "headers", "rewards", "segments", "runs", "contract_logs", "contract_events"].map((table) =>
          count(folder.path, table),
        ),
        readdirSync(join(folder.path, HISTORY_FOLDER)).length,
      ]);
    }
    const [early = [], late = []] = [sizes[3], sizes.at(-1)];
    for (const [at, size] of late.entries()) expect(size).toBeLessThan((early[at] ?? 0) * 1.6 + 12);
    expect(chain.database.blocks.firstHeight()).toBeGreaterThan(180);
  }, 120_000);

  it("stays readable to who reads the tables of before, without an answer that is wrong", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openGrownChain(folder.path, HEIGHT);
    await drop(chain, undefined);
    sweep(chain);
    const [id = ""] = idsOf(chain, HEIGHT)[5] ?? [];
    const [{ pub } = { pub: "" }] = PEOPLE;
    const reader = openChainReader(folder.path);
    await reader.inSnapshot(async () => {
      expect(reader.blocks.firstHeight()).toBe(0);
      expect(await drop(chain, { bodiesFrom: 40 })).toEqual([35]);
      expect(existsSync(join(folder.path, HISTORY_FOLDER, "0-8.seg"))).toBe(false);
      // The snapshot names files that are gone.
      expect(reader.blocks.firstHeight()).toBe(0);
      expect(codeOf(() => reader.blocks.header(30))).toBe("HISTORY_PRUNED");
      expect(codeOf(() => reader.blocks.encodedBlock(5))).toBe("HISTORY_PRUNED");
      expect(codeOf(() => reader.explorer.transactionsOf(5))).toBe("HISTORY_PRUNED");
      expect(["HISTORY_PRUNED", undefined]).toContain(codeOf(() => reader.explorer.transaction(id)));
      expect(["HISTORY_PRUNED", undefined]).toContain(codeOf(() => reader.explorer.historyPage(pub, 1_000, 0)));
      expect(reader.blocks.header(50)?.height).toBe(50);
    });
    expect(reader.blocks.firstHeight()).toBe(36);
    expect(reader.blocks.header(30)?.height).toBe(30);
    expect(reader.explorer.historyPage(pub, 1_000, 0).every(({ blockHeight }) => blockHeight >= 36)).toBe(true);
    reader.close();
  }, 60_000);
});
