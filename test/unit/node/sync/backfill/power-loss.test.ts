// A segment of older blocks on a folder that loses power at any operation: what tables name is whole, and the next attempt ends as one
// that nothing disturbed.
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { RunFile } from "#node/storage/history/runs/run-format.ts";
import { openHistoryFolder } from "#node/storage/history/sealing/seal-segment.ts";
import { SealedHistory } from "#node/storage/history/sealing/sealed-history.ts";
import { RUN_KINDS, storedRunName } from "#node/storage/history/sealing/sealed-runs.ts";
import { SegmentFile } from "#node/storage/history/segments/segment-file.ts";
import { type FillTables, openFillTables } from "#node/storage/snapshots/backfill/fill-tables.ts";
import { BackfillWork, type SegmentGoal } from "#node/sync/backfill/backfill-work.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { CONTRACTS_GENESIS } from "#test/support/chain/contract-calls.ts";
import { mixedBlock } from "#test/support/chain/mixed-blocks.ts";
import { createRandom } from "#test/support/host/random.ts";
import { PowerLoss } from "#test/support/host/simulated-disk.ts";
import { SimulatedFolder } from "#test/support/host/simulated-folder.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type BackfillWorld, createBackfillWorld } from "#test/support/worlds/backfill-world.ts";
import { validator } from "#test/support/worlds/ledger-world.ts";

const JOINED_AT = 12;
const [FIRST, LAST] = [5, JOINED_AT - 1];
const TABLES = [
  "blocks",
  "headers",
  "rewards",
  "validator_sets",
  "type_totals",
  "proposer_totals",
  "chart_hours",
  "channels",
  "contract_logs",
];

let folder: TemporaryFolder;
let world: BackfillWorld;
let runs = 0;

beforeAll(async () => {
  folder = await createTemporaryFolder();
});
afterAll(() => folder.remove());
afterEach(() => world.close());

/** A chain, and the folder of a node that joined it, of which tests use copies. */
function makeWorld(): void {
  runs += 1;
  const blocks = Array.from({ length: JOINED_AT }, (_, index) => mixedBlock(index + 1, createRandom(index + 1)));
  world = createBackfillWorld(join(folder.path, `run-${runs}`), blocks);
  world.joined().close();
}

/** Tables of a copy over files in memory. */
function openOver(files: SimulatedFolder, copy: string): FillTables & { close(): void } {
  const path = join(folder.path, `run-${runs}`, copy);
  if (!existsSync(path)) cpSync(world.joinedPath, path, { recursive: true });
  const tables = openFillTables(path);
  // Its runs open with it, and files of segments are not read while they are filled.
  Object.assign(tables.history, { files });
  return tables;
}

function goalOf(): SegmentGoal {
  const { blocks, validatorSets } = world.whole.database;
  const headers = Array.from({ length: LAST - FIRST + 1 }, (_, index) => blocks.header(FIRST + index)).filter(
    (header) => header !== undefined,
  );
  return {
    ...{ first: FIRST, last: LAST, timeBelowMs: blocks.header(FIRST - 1)?.timeMs },
    headers: headers.map((header) => ({ header, hash: headerHash(header) })),
    sets: [{ fromHeight: FIRST, validators: validatorSets.at(FIRST) }],
    isSameSetAbove: true,
    wallets: { [validator.pub]: validator.pub },
  };
}

/** All of a segment, as the thread is asked for it. @throws PowerLoss */
function fill(tables: FillTables): boolean {
  const { blocks } = world.whole.database;
  const work = new BackfillWork(tables, firstParams(CONTRACTS_GENESIS.params));
  work.begin(goalOf());
  for (let height = FIRST; height <= LAST; height += 1) {
    const [block, receipts] = [blocks.encodedBlock(height), blocks.encodedReceipts(height)];
    if (block === undefined || receipts === undefined) throw new Error("the chain has its blocks");
    expect(work.add([{ block, receipts }])).toEqual({ kind: "added" });
  }
  work.finish();
  return work.publish(undefined);
}

/** What a start finds. */
function start(files: SimulatedFolder, tables: FillTables): void {
  const history = new SealedHistory(tables.database, files);
  let others: readonly string[] = [];
  openHistoryFolder(files, history, {
    runs: history.runs,
    onOthers: (names): void => {
      others = names;
    },
  });
  for (const segment of history.all()) verify(new SegmentFile(files, segment));
  const named = (["ids", "acc"] as const).flatMap((kind) => history.runs.runs(kind));
  for (const run of named) verify(new RunFile(files, RUN_KINDS[run.kind], run));
  expect(history.runs.damaged()).toEqual([]);
  // Whatever the crash came to, nothing is left but files of blocks that are nowhere else: the next attempt replaces them.
  const filled = ["seg", "ids", "acc"].map((ending) => `${FIRST}-${LAST}.${ending}`);
  expect(others.filter((name) => !filled.includes(name))).toEqual([]);
  if (tables.blocks.firstHeight() === FIRST) expect(others).toEqual([]);
  expect(files.list()).toHaveLength(history.all().length + named.map(storedRunName).length + others.length);
}

function verify(file: { verify(): void; close(): void }): void {
  file.verify();
  file.close();
}

function rowsOf({ database }: FillTables): unknown {
  return TABLES.map((table) => database.prepare(`SELECT * FROM ${table}`).raw().all());
}

function entriesOf({ database }: FillTables): unknown {
  return database.prepare("SELECT hex(pub), number, seq FROM account_entries JOIN accounts USING (account_id) ORDER BY 1, 2").raw().all();
}

describe("a segment of older blocks", () => {
  it("is there as a whole or not at all, at whatever operation the power goes, and comes again", () => {
    makeWorld();
    const untroubled = new SimulatedFolder();
    const whole = openOver(untroubled, "untroubled");
    expect(fill(whole)).toBe(true);
    start(untroubled, whole);
    const [expected, entries] = [rowsOf(whole), entriesOf(whole)];
    whole.close();
    const operations = untroubled.operations;
    for (let left = 0; left < operations; left += 1) {
      const files = new SimulatedFolder();
      files.failAfter(left);
      let tables = openOver(files, `copy-${left}`);
      expect(() => fill(tables)).toThrow(PowerLoss);
      tables.close();
      files.restart(createRandom(left));
      tables = openOver(files, `copy-${left}`);
      start(files, tables);
      const isThere = tables.blocks.firstHeight() === FIRST;
      if (!isThere) expect(fill(tables)).toBe(true);
      start(files, tables);
      expect(rowsOf(tables)).toEqual(expected);
      expect(entriesOf(tables)).toEqual(entries);
      tables.close();
    }
    expect(operations).toBeGreaterThan(20);
  }, 300_000);

  it("removes no segment of its name that it has not written, and gives one of other blocks another name", () => {
    makeWorld();
    const files = new SimulatedFolder();
    const tables = openOver(files, "others");
    const [name, other] = [`${FIRST}-${LAST}.seg`, Uint8Array.of(1, 2, 3)];
    files.replace(name, other);
    const work = new BackfillWork(tables, firstParams(CONTRACTS_GENESIS.params));
    work.begin(goalOf());
    work.abandon();
    expect(files.content(name)).toEqual(other);
    expect(fill(tables)).toBe(true);
    verify(new SegmentFile(files, tables.history.all()[0] ?? expect.fail("No segment is named")));
    expect(files.content(`${name}.other-1`)).toEqual(other);
    tables.close();
  });

  it("is durable once tables name it", () => {
    makeWorld();
    for (let seed = 0; seed < 8; seed += 1) {
      const files = new SimulatedFolder();
      const tables = openOver(files, `durable-${seed}`);
      expect(fill(tables)).toBe(true);
      files.restart(createRandom(seed));
      start(files, tables);
      expect(tables.blocks.firstHeight()).toBe(FIRST);
      tables.close();
    }
  });

  it("leaves nothing behind on a disk that is full at any point, and goes on when there is room", () => {
    makeWorld();
    const files = new SimulatedFolder();
    const tables = openOver(files, "full");
    let attempts = 0;
    for (files.room = 100; ; files.room = 100 + attempts * 700) {
      const work = new BackfillWork(tables, firstParams(CONTRACTS_GENESIS.params));
      try {
        if (fill(tables)) break;
      } catch (error) {
        expect(error).toMatchObject({ code: "STORAGE_FULL" });
      }
      work.abandon();
      attempts += 1;
    }
    expect(attempts).toBeGreaterThan(3);
    start(files, tables);
    tables.close();
  });
});
