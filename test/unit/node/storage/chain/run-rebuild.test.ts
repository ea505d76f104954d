// Damaged files of what finds transactions are made once more out of the blocks: at the start, while the node runs, and merged ones too.
import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChainReader } from "#node/storage/chain/chain-reader.ts";
import { type HistorySealer, type HistorySealerDependencies, startHistorySealer } from "#node/storage/chain/sealing/history-sealer.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { AccountRun } from "#node/storage/history/runs/account-run.ts";
import { IdRun } from "#node/storage/history/runs/id-run.ts";
import type { SealLimits } from "#node/storage/history/sealing/seal-segment.ts";
import { HISTORY_FOLDER } from "#node/storage/history/sealing/sealed-history.ts";
import { RUN_KIND_NAMES, storedRunName } from "#node/storage/history/sealing/sealed-runs.ts";
import { openSqliteReader } from "#node/storage/sqlite-database.ts";
import { beginAtTip } from "#test/support/chain/begun-chain.ts";
import { expectIndexComplete } from "#test/support/chain/chain-invariants.ts";
import { mixedBlock } from "#test/support/chain/mixed-blocks.ts";
import { readAll } from "#test/support/chain/read-all.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { expectEqual } from "#test/support/host/expect-equal.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

/** Nine segments of five blocks: eight of them have one run of each kind. */
const LIMITS: SealLimits = { depth: 5, maxBlocks: 5, maxBytes: 1_000_000 };
const HEIGHT = 52;

/** The chain of which each test has a copy. */
let original: TemporaryFolder;
let folder: TemporaryFolder;
let chain: TestChain;
let before: unknown;
let content: unknown;

beforeAll(async () => {
  original = await createTemporaryFolder();
  chain = openTestChain(original.path);
  grow(chain, HEIGHT);
  before = readAll(chain.database, HEIGHT);
  await seal().settled();
  removeRows();
  // What was merged goes with the next start.
  await seal().settled();
  expect(runNames()).toEqual(["0-39.acc", "0-39.ids", "40-44.acc", "40-44.ids"]);
  content = contentOf();
  chain.close();
});

beforeEach(async () => {
  folder = await createTemporaryFolder();
  cpSync(original.path, folder.path, { recursive: true });
  chain = openTestChain(folder.path);
});

afterEach(async () => {
  chain.close();
  await folder.remove();
});

afterAll(() => original.remove());

function grow(grown: TestChain, to: number): void {
  for (let height = grown.executor.tip().height + 1; height <= to; height += 1) grown.commit(mixedBlock(height, createRandom(height)));
}

function removeRows(): void {
  for (let times = 0; times < 3; times += 1) chain.database.inTransaction(() => chain.database.blocks.removeSealed());
}

function seal(over: Partial<HistorySealerDependencies> = {}): HistorySealer {
  return startHistorySealer({
    file: chain.database.file,
    history: chain.database.history,
    tipHeight: chain.executor.tip().height,
    limits: LIMITS,
    onFailure: (error) => {
      throw error;
    },
    ...over,
  });
}

const fileOf = (name: string): string => join(dirname(chain.database.file), HISTORY_FOLDER, name);

function runNames(): readonly string[] {
  return readdirSync(fileOf(""))
    .filter((name) => !name.endsWith(".seg"))
    .toSorted();
}

/** Every entry of every run: files made at other times have other bytes. */
function contentOf(): unknown {
  const { runs, files } = chain.database.history;
  return RUN_KIND_NAMES.flatMap((kind) =>
    runs.runs(kind).map((run) => {
      const file = kind === "ids" ? new IdRun(files, run) : new AccountRun(files, run);
      try {
        file.file.verify();
        return [storedRunName(run), run.level, [...file.entries()]];
      } finally {
        file.file.close();
      }
    }),
  );
}

function expectWhole(): void {
  expectEqual(contentOf(), content);
  expectEqual(readAll(chain.database, HEIGHT), before);
  expect(chain.database.history.runs.damaged()).toEqual([]);
  expectIndexComplete(chain.database);
}

/** All entries are others, while header, directory and footer are as they were. */
function damageEntries(name: string): void {
  const bytes = readFileSync(fileOf(name));
  bytes[58] = (bytes[58] ?? 0) ^ 1;
  writeFileSync(fileOf(name), bytes);
}

describe("a damaged run", () => {
  it.each<[string, (name: string) => void]>([
    ["is missing", (name): void => rmSync(fileOf(name))],
    ["is cut off", (name): void => truncateSync(fileOf(name), 100)],
    ["is empty", (name): void => writeFileSync(fileOf(name), "")],
    ["is one of other blocks", (name): void => copyFileSync(fileOf(name.startsWith("0") ? "40-44.ids" : "0-39.acc"), fileOf(name))],
  ])("is made once more at the start when it %s", async (_what, damage) => {
    for (const name of runNames()) {
      damage(name);
      await seal().settled();
      expectWhole();
    }
    for (const name of runNames()) damage(name);
    await seal().settled();
    expectWhole();
  });

  it("is made once more after it was read, while the node runs", async () => {
    chain.database.history.close();
    for (const name of runNames()) damageEntries(name);
    const sealer = seal();
    await sealer.settled();
    expect(() => readAll(chain.database, HEIGHT)).toThrow("is damaged at byte 58");
    expect(chain.database.history.runs.damaged()).toHaveLength(1);
    sealer.committed(HEIGHT, 1);
    await sealer.settled();
    expectWhole();
    await sealer.stop();
  });

  it("is named by a higher number than all before it, so that every connection opens it", async () => {
    const reader = openChainReader(folder.path);
    const newest = (): number => {
      const database = openSqliteReader(chain.database.file, CHAIN_DATABASE);
      const id = database.prepare<[], number>("SELECT MAX(run_id) FROM runs").pluck().get() ?? 0;
      database.close();
      return id;
    };
    try {
      expectEqual(readAll(reader, HEIGHT), before);
      for (const name of ["40-44.ids", "40-44.acc"]) {
        const known = newest();
        rmSync(fileOf(name));
        await seal().settled();
        expect(newest()).toBeGreaterThan(known);
      }
      expectEqual(readAll(reader, HEIGHT), before);
    } finally {
      reader.close();
    }
  });

  it("that cannot be merged keeps no block from being sealed", async () => {
    for (const name of ["40-44.ids", "40-44.acc"]) damageEntries(name);
    chain.database.history.close();
    grow(chain, 90);
    const failures: unknown[] = [];
    const sealer = seal({ onFailure: (error) => void failures.push(error), retryMs: [1, 1] });
    await expect.poll(() => chain.database.blocks.sealedTo(), { timeout: 20_000 }).toBe(84);
    await expect.poll(runNames, { timeout: 20_000 }).toContain("40-79.acc");
    await sealer.settled();
    await sealer.stop();
    expect(failures.length).toBeGreaterThan(0);
    expect(chain.database.history.runs.damaged()).toEqual([]);
    expectIndexComplete(chain.database);
  });

  it("of a chain that began with the state of a block has the same numbers again", async () => {
    const path = join(folder.path, "begun");
    beginAtTip(chain, path);
    const begun = openTestChain(path);
    chain.close();
    chain = begun;
    grow(chain, HEIGHT + 60);
    await seal().settled();
    removeRows();
    await seal().settled();
    content = contentOf();
    expect(runNames().length).toBeGreaterThan(6);
    for (const name of runNames()) rmSync(fileOf(name));
    await seal().settled();
    expectEqual(contentOf(), content);
  });
});
