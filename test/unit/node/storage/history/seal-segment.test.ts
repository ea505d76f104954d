// Sealing on a machine that loses power at any operation: no block is ever lost, and what is left behind is tidied up.
import { describe, expect, it } from "vitest";
import { SEQ_PER_BLOCK } from "#node/storage/chain-schema.ts";
import { AccountRun } from "#node/storage/history/runs/account-run.ts";
import { IdRun, idKey } from "#node/storage/history/runs/id-run.ts";
import { type IndexSource, indexSegments, rebuildRun } from "#node/storage/history/sealing/index-segments.ts";
import {
  nextRange,
  openHistoryFolder,
  type SealLimits,
  type SealSource,
  type SegmentList,
  sealNext,
} from "#node/storage/history/sealing/seal-segment.ts";
import { type RunKindName, type RunList, type StoredRun, storedRunName } from "#node/storage/history/sealing/sealed-runs.ts";
import type { SealableBlock } from "#node/storage/history/segments/segment-block.ts";
import { type NamedSegment, SegmentFile } from "#node/storage/history/segments/segment-file.ts";
import { segmentName } from "#node/storage/history/segments/segment-format.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { decodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { transferBlocks } from "#test/support/chain/sealable-blocks.ts";
import { expectEqual, expectToHold } from "#test/support/host/expect-equal.ts";
import { createRandom, type Random } from "#test/support/host/random.ts";
import { PowerLoss } from "#test/support/host/simulated-disk.ts";
import { SimulatedFolder } from "#test/support/host/simulated-folder.ts";
import { extent, spreadBelow } from "#test/support/host/test-extent.ts";

const GENESIS_HASH = "0b".repeat(32);
const BLOCKS = transferBlocks(0, 40);
const ACCOUNT = Uint8Array.from({ length: 8 }, (_, at) => at);
/** Of random numbers, for each operation. */
const SEEDS = extent(2, 12);
const LIMITS: SealLimits = { depth: 5, maxBlocks: 4, maxBytes: 1_000_000 };

/** Tables in memory: a transaction is durable or did not happen, and rows of named segments are gone at once. */
class Tables implements SealSource, SegmentList, IndexSource, RunList {
  readonly genesisHash = GENESIS_HASH;
  segments: readonly NamedSegment[] = [];
  stored: readonly StoredRun[] = [];
  /** Names of runs that are damaged. */
  damaged: readonly string[] = [];
  readonly #folder: SimulatedFolder;
  readonly #tip: number;

  constructor(folder: SimulatedFolder, tip: number) {
    this.#folder = folder;
    this.#tip = tip;
  }

  tipHeight(): number {
    return this.#tip;
  }

  noteDamage(run: StoredRun): void {
    this.damaged = [...this.damaged, storedRunName(run)];
  }

  lowestHeight(): number {
    return 0;
  }

  *sizes(from: number, to: number): Generator<{ height: number; bytes: number }, void> {
    for (let height = from; height <= to; height += 1) yield { height, bytes: 100 + 400 * (BLOCKS[height]?.records.length ?? 0) };
  }

  block(height: number): SealableBlock {
    const block = BLOCKS[height];
    if (block === undefined || height <= this.lastHeight()) throw new Error(`There is no row of block ${height}`);
    return block;
  }

  all(): readonly NamedSegment[] {
    return this.segments;
  }

  lastHeight(): number {
    return this.segments.at(-1)?.last ?? -1;
  }

  droppedTo(): undefined {
    return undefined;
  }

  holds(first: number, last: number): boolean {
    return first >= 0 && last <= this.#tip;
  }

  hashOf(height: number): string | undefined {
    return BLOCKS[height]?.hash;
  }

  name(segment: NamedSegment): void {
    this.#folder.operation(() => {
      this.segments = [...this.segments, segment];
    });
  }

  runs(kind: RunKindName): readonly StoredRun[] {
    return this.stored.filter((run) => run.kind === kind).toSorted((a, b) => a.first - b.first);
  }

  nameRuns(added: readonly StoredRun[], merged: readonly StoredRun[]): void {
    this.#folder.operation(() => {
      this.stored = [...this.stored.filter((run) => !merged.some((gone) => storedRunName(gone) === storedRunName(run))), ...added];
    });
  }

  *ids(first: number, last: number): Generator<{ key: number; seq: number }, void> {
    this.#expectRows("ids", first);
    for (const { key, seq } of placesOf(first, last)) yield { key, seq };
  }

  *entries(first: number, last: number): Generator<{ name: Uint8Array; number: number; seq: number }, void> {
    this.#expectRows("acc", first);
    for (const { number, seq } of placesOf(first, last)) yield { name: ACCOUNT, number, seq };
  }

  /** Every id and every entry that has no row, found by the files that are named. */
  expectFound(): void {
    const all = placesOf(0, this.#covered("ids"));
    const ids = this.runs("ids").map((run) => new IdRun(this.#folder, run));
    expectEqual(
      all.map(({ key }) => ids.flatMap((run) => run.places(key))),
      all.map(({ seq }) => [seq]),
    );
    const accounts = this.runs("acc").map((run) => new AccountRun(this.#folder, run));
    const places = accounts.flatMap((run) => [...run.places(ACCOUNT, 0, 10_000)]);
    expectEqual(
      places,
      placesOf(0, this.#covered("acc")).map(({ number, seq }) => [number, seq]),
    );
    for (const run of [...ids, ...accounts]) run.file.close();
  }

  /** Rows of blocks that a run covers are gone at once. */
  #expectRows(kind: RunKindName, first: number): void {
    if (first <= this.#covered(kind)) throw new Error(`There are no rows of block ${first}`);
  }

  #covered(kind: RunKindName): number {
    return this.runs(kind).at(-1)?.last ?? -1;
  }

  /** Every block, out of the file or the rows. */
  expectWhole(): void {
    this.expectFound();
    for (let height = 0; height <= this.#tip; height += 1) {
      const segment = this.segments.find(({ first, last }) => first <= height && height <= last);
      if (segment === undefined) {
        expectEqual(this.block(height), BLOCKS[height]);
        continue;
      }
      const file = new SegmentFile(this.#folder, segment);
      expectToHold(BLOCKS[height], file.block(height));
      file.close();
    }
  }
}

/** Ids of all blocks with their places; all of them are entries of one account too. */
const PLACES = BLOCKS.flatMap(({ records }, height) =>
  records.map(({ transaction }, position) => ({ id: decodeTransaction(transaction).id, height, seq: height * SEQ_PER_BLOCK + position })),
).map((place, at) => ({ ...place, key: idKey(place.id), number: at + 1 }));

function placesOf(first: number, last: number): typeof PLACES {
  return PLACES.filter(({ height }) => height >= first && height <= last);
}

/** With runs that are merged soon. */
function sealAll(folder: SimulatedFolder, tables: Tables): void {
  openHistoryFolder(folder, tables, { runs: tables });
  do indexSegments(folder, { source: tables, segments: tables.segments, list: tables, mergedRuns: 2 });
  while (sealNext(folder, tables, tables, LIMITS) !== undefined);
}

/** Names of all files that are named. */
function namesOf(tables: Tables): readonly string[] {
  return [...tables.segments.map(segmentName), ...tables.stored.map(storedRunName)].toSorted();
}

/** Loses power at an operation of sealing, then up to three times more on the way, and looks at every block in between. */
function loseAndRecover(operation: number, random: Random): void {
  const folder = new SimulatedFolder();
  const tables = new Tables(folder, 16);
  folder.failAfter(operation);
  expect(() => sealAll(folder, tables)).toThrow(PowerLoss);
  for (let again = random.between(0, 3); again > 0; again -= 1) {
    folder.restart(random);
    tables.expectWhole();
    folder.failAfter(random.between(0, 25));
    sealUntilLoss(folder, tables);
  }
  folder.restart(random);
  tables.expectWhole();
  sealAll(folder, tables);
  tables.expectWhole();
  openHistoryFolder(folder, tables, { runs: tables });
  expect(folder.list().toSorted()).toEqual(namesOf(tables));
  expect([tables.lastHeight(), tables.runs("ids").at(-1)?.last, tables.runs("acc").at(-1)?.last]).toEqual([11, 11, 11]);
}

function sealUntilLoss(folder: SimulatedFolder, tables: Tables): void {
  try {
    sealAll(folder, tables);
  } catch (error) {
    if (!(error instanceof PowerLoss)) throw error;
  }
}

describe("sealing", () => {
  it("takes blocks that are deep, when they fill a segment", () => {
    const folder = new SimulatedFolder();
    expect(nextRange(new Tables(folder, 7), new Tables(folder, 7), LIMITS)).toBeUndefined();
    expect(nextRange(new Tables(folder, 8), new Tables(folder, 8), LIMITS)).toMatchObject({ first: 0, last: 3 });
    const few = { ...LIMITS, maxBytes: 1 };
    expect(nextRange(new Tables(folder, 5), new Tables(folder, 5), few)).toMatchObject({ first: 0, last: 0 });
    expect(nextRange(new Tables(folder, 4), new Tables(folder, 4), few)).toBeUndefined();
    const tables = new Tables(folder, 39);
    sealAll(folder, tables);
    expect(tables.segments.map(({ first, last }) => [first, last])).toEqual(Array.from({ length: 8 }, (_, at) => [4 * at, 4 * at + 3]));
    openHistoryFolder(folder, tables, { runs: tables });
    expect(folder.list().toSorted()).toEqual(namesOf(tables));
    expect(tables.stored.map(storedRunName)).toEqual(["0-31.ids", "0-31.acc"]);
    expect(folder.openFiles).toBe(0);
    tables.expectWhole();
  });

  it("loses nothing at whatever operation the power goes, again and again", () => {
    const whole = new SimulatedFolder();
    sealAll(whole, new Tables(whole, 16));
    const operations = whole.operations;
    expect(operations).toBeGreaterThan(30);
    for (let operation = 0; operation < operations; operation += 1)
      for (let seed = 0; seed < SEEDS; seed += 1) loseAndRecover(operation, createRandom(seed * 1_000 + operation));
  });

  it("leaves nothing of a file that a disk did not write as it was given", () => {
    const folder = new SimulatedFolder();
    const tables = new Tables(folder, 16);
    const rename = folder.rename.bind(folder);
    folder.rename = (from, to): void => {
      rename(from, to);
      folder.content(to).fill(0);
    };
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(failure(() => sealNext(folder, tables, tables, LIMITS))).toMatchObject({ code: "STORAGE_CORRUPT" });
      expect(folder.list()).toEqual([]);
    }
    folder.rename = rename;
    sealAll(folder, tables);
    tables.expectWhole();
  });

  it("goes on when a full disk has room again", () => {
    for (const step of spreadBelow(163, 41)) {
      const room = step * 37;
      const folder = new SimulatedFolder();
      const tables = new Tables(folder, 16);
      folder.room = room;
      expect(() => sealAll(folder, tables)).toThrow(expect.objectContaining({ code: "STORAGE_FULL" }));
      tables.expectWhole();
      openHistoryFolder(folder, tables, { runs: tables });
      expect(folder.list().toSorted()).toEqual(namesOf(tables));
      folder.room = Number.POSITIVE_INFINITY;
      sealAll(folder, tables);
      tables.expectWhole();
      expect(tables.lastHeight()).toBe(11);
    }
  });
});

describe("a disk that is full from any operation on", () => {
  /** Works until the disk is full at each operation in turn, then looks, and again with room. @returns how many operations there are */
  function fillAt(work: (folder: SimulatedFolder, tables: Tables) => void, prepare: typeof work = nothing): number {
    for (let operation = 0; ; operation += 1) {
      const folder = new SimulatedFolder();
      const tables = new Tables(folder, 16);
      prepare(folder, tables);
      folder.fullAfter(operation);
      const isFull = failsFull(() => work(folder, tables));
      // A run that is made once more was damaged before.
      if (prepare === nothing) tables.expectWhole();
      folder.fullAfter(Number.POSITIVE_INFINITY);
      work(folder, tables);
      tables.expectWhole();
      openHistoryFolder(folder, tables, { runs: tables });
      expect(folder.list().toSorted()).toEqual(namesOf(tables));
      expect(folder.openFiles).toBe(0);
      if (!isFull) return operation;
    }
  }

  function nothing(): void {
    // Sealing begins with an empty folder.
  }

  function failsFull(work: () => void): boolean {
    try {
      work();
      return false;
    } catch (error) {
      if (!isCodedError(error, "STORAGE_FULL")) throw error;
      return true;
    }
  }

  it("loses no block that is sealed", () => {
    expect(fillAt(sealAll)).toBeGreaterThan(30);
  });

  it("makes a damaged run once more when it has room again", () => {
    const rebuild = (folder: SimulatedFolder, tables: Tables): void => {
      const source: IndexSource = {
        ids: (first, last): ReturnType<IndexSource["ids"]> => placesOf(first, last),
        entries: (first, last): ReturnType<IndexSource["entries"]> => placesOf(first, last).map((place) => ({ ...place, name: ACCOUNT })),
      };
      for (const run of tables.stored) rebuildRun(folder, tables, { run, source });
    };
    expect(fillAt(rebuild, sealAll)).toBeGreaterThan(10);
  });
});

describe("a folder of segments", () => {
  it("is refused by name when a file is missing, cut off or another one", () => {
    const folder = new SimulatedFolder();
    const tables = new Tables(folder, 16);
    sealAll(folder, tables);
    for (const name of ["4-7.seg", "0-7.ids", "8-11.acc"]) {
      const bytes = folder.content(name);
      for (const damage of [
        (): void => folder.unlink(name),
        (): void => folder.replace(name, bytes.slice(0, -1)),
        (): void => folder.replace(name, folder.content("0-3.seg")),
        (): void => folder.replace(name, new Uint8Array(bytes.length)),
      ]) {
        damage();
        tables.damaged = [];
        const open = (): void => openHistoryFolder(folder, tables, { runs: tables });
        if (name.endsWith(".seg"))
          expect(failure(open)).toMatchObject({ code: "STORAGE_CORRUPT", message: expect.stringContaining(`history/${name}`) });
        else {
          // What finds transactions is made once more out of the blocks.
          open();
          expect(tables.damaged).toEqual([name]);
        }
        folder.replace(name, bytes);
      }
      openHistoryFolder(folder, tables, { runs: tables });
    }
    const runs = tables.stored;
    tables.stored = runs.map((run) => (run.first === 8 && run.kind === "acc" ? { ...run, first: 9 } : run));
    expect(failure(() => openHistoryFolder(folder, tables, { runs: tables }))).toMatchObject({
      message: expect.stringContaining("history/9-11.acc"),
    });
    tables.segments = tables.segments.filter(({ first }) => first !== 4);
    expect(failure(() => openHistoryFolder(folder, tables, { runs: tables }))).toMatchObject({
      message: expect.stringContaining("from 4 to 7"),
    });
    expect(folder.openFiles).toBe(0);
  });
});

function failure(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (isCodedError(error)) return error;
    throw error;
  }
  throw new Error("Nothing was thrown");
}
