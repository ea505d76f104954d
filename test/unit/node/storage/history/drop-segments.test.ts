// Dropping on a machine that loses power at any operation: what is named is whole, and what is not is gone after the next start.
import { describe, expect, it } from "vitest";
import { AccountRunBuilder } from "#node/storage/history/runs/account-run.ts";
import { IdRunBuilder } from "#node/storage/history/runs/id-run.ts";
import {
  type DroppedFiles,
  type DropTables,
  dropSegments,
  type KeptEntry,
  type KeptHeader,
} from "#node/storage/history/sealing/drop-segments.ts";
import { openHistoryFolder } from "#node/storage/history/sealing/seal-segment.ts";
import { type RunKindName, type StoredRun, storedRunName } from "#node/storage/history/sealing/sealed-runs.ts";
import { type NamedSegment, SegmentFile } from "#node/storage/history/segments/segment-file.ts";
import { segmentName } from "#node/storage/history/segments/segment-format.ts";
import { SegmentWriter } from "#node/storage/history/segments/segment-writer.ts";
import { transferBlocks } from "#test/support/chain/sealable-blocks.ts";
import { expectEqual, expectToHold } from "#test/support/host/expect-equal.ts";
import { createRandom, type Random } from "#test/support/host/random.ts";
import { PowerLoss } from "#test/support/host/simulated-disk.ts";
import { SimulatedFolder } from "#test/support/host/simulated-folder.ts";
import { extent } from "#test/support/host/test-extent.ts";

const GENESIS_HASH = "0b".repeat(32);
const BLOCKS = transferBlocks(0, 40);
/** Of random numbers, for each operation. */
const SEEDS = extent(2, 12);
const SEGMENT_BLOCKS = 4;
const LAST = 39;
const BORDER = { bodiesFrom: 27, headersFrom: 14 };

/** Tables in memory: a transaction is durable or did not happen. */
class Tables implements DropTables {
  readonly genesisHash = GENESIS_HASH;
  segments: readonly NamedSegment[] = [];
  stored: readonly StoredRun[] = [];
  headers: readonly KeptHeader[] = [];
  own: readonly KeptEntry[] = [];
  /** Up to here rows are gone. */
  clearTo = LAST;
  readonly #folder: SimulatedFolder;
  #keptOf = -1;
  #refusals = 0;

  constructor(folder: SimulatedFolder) {
    this.#folder = folder;
  }

  all(): readonly NamedSegment[] {
    return this.segments;
  }

  lastHeight(): number {
    return this.segments.at(-1)?.last ?? -1;
  }

  droppedTo(): number {
    return (this.segments[0]?.first ?? 0) - 1;
  }

  holds(first: number, last: number): boolean {
    return first >= 0 && last <= LAST;
  }

  hashOf(height: number): string | undefined {
    return height <= this.droppedTo() ? undefined : BLOCKS[height]?.hash;
  }

  name(): void {
    throw new Error("Nothing is sealed here");
  }

  runs(kind: RunKindName): readonly StoredRun[] {
    return this.stored.filter((run) => run.kind === kind);
  }

  nameRuns(): void {
    throw new Error("Nothing is merged here");
  }

  noteDamage({ first, last }: StoredRun): void {
    throw new Error(`A run of ${first} to ${last} is damaged`);
  }

  droppableTo(): number {
    return this.clearTo;
  }

  header(height: number): KeptHeader {
    const segment = this.segments.find(({ first, last }) => first <= height && height <= last);
    if (segment === undefined) throw new Error(`Block ${height} is in no segment`);
    const file = new SegmentFile(this.#folder, segment);
    const { front } = file.front(height);
    file.close();
    return { height, header: front, commitRecord: null };
  }

  keep({ first, last }: NamedSegment): void {
    const at = [first, last].map((height) => ({
      publicKey: "ab",
      number: height + 1,
      seq: height,
      key: null,
      entry: Uint8Array.of(height),
    }));
    // Step by step, and again after a crash: what is there is not stored twice.
    for (const entry of at.filter(({ seq }) => !this.own.some((own) => own.seq === seq)))
      this.#folder.operation(() => {
        this.own = [...this.own, entry];
      });
    this.#keptOf = first;
  }

  drop({ segment, runs, headers }: DroppedFiles): boolean {
    if (this.#keptOf !== segment.first) throw new Error("What is to be kept is kept first");
    // As when an account was named meanwhile.
    this.#refusals += 1;
    if (this.#refusals % 3 === 0) return false;
    this.#folder.operation(() => {
      this.segments = this.segments.filter(({ first }) => first !== segment.first);
      this.stored = this.stored.filter((run) => !runs.includes(run));
      this.headers = [...this.headers, ...headers];
    });
    return true;
  }

  names(): readonly string[] {
    return [...this.segments.map(segmentName), ...this.stored.map(storedRunName)].toSorted();
  }

  /** Each block that is named is there, and each header that was promised. */
  expectWhole(): void {
    const first = this.segments[0]?.first ?? 0;
    for (let height = 0; height <= LAST; height += 1) {
      const segment = this.segments.find((named) => named.first <= height && height <= named.last);
      expectEqual(segment !== undefined, height >= first);
      if (segment === undefined) {
        const isKept = height >= BORDER.headersFrom || height === 0;
        expectEqual(this.headers.find((header) => header.height === height)?.header, isKept ? BLOCKS[height]?.front : undefined);
        continue;
      }
      const file = new SegmentFile(this.#folder, segment);
      expectToHold(BLOCKS[height], file.block(height));
      file.close();
    }
    // Each entry of a dropped segment exactly once.
    const dropped = this.own.map(({ seq }) => seq).filter((seq) => seq < first);
    expect(dropped).toEqual(
      Array.from({ length: first / SEGMENT_BLOCKS }, (_, at) => [at * SEGMENT_BLOCKS, (at + 1) * SEGMENT_BLOCKS - 1]).flat(),
    );
    for (const run of this.stored) expectEqual(this.#folder.stat(storedRunName(run)), run.bytes);
  }
}

/** A folder with a run for two segments, and one for the newest four. */
function sealedFolder(): { readonly folder: SimulatedFolder; readonly tables: Tables } {
  const folder = new SimulatedFolder();
  const tables = new Tables(folder);
  const range = (first: number, last: number): { first: number; last: number; genesisHash: string } => ({
    first,
    last,
    genesisHash: GENESIS_HASH,
  });
  for (let first = 0; first <= LAST; first += SEGMENT_BLOCKS) {
    const of = range(first, first + SEGMENT_BLOCKS - 1);
    const writer = new SegmentWriter(folder, segmentName(of), of);
    for (const block of BLOCKS.slice(of.first, of.last + 1)) writer.add(block);
    tables.segments = [...tables.segments, { ...of, ...writer.finish() }];
  }
  for (const of of [range(0, 7), range(8, 15), range(16, 23), range(24, 39)]) {
    const [ids, accounts] = [new IdRunBuilder(), new AccountRunBuilder()];
    ids.add(of.first + 1, of.first * 8_192);
    accounts.add(new Uint8Array(8), 1, of.first * 8_192);
    for (const [kind, builder] of [["ids", ids] as const, ["acc", accounts] as const]) {
      const run = { kind, level: 1, ...of };
      const name = storedRunName({ ...run, bytes: 0, sha256: "" });
      tables.stored = [...tables.stored, { ...run, ...builder.write(folder, name, of) }];
    }
  }
  folder.syncFolder();
  folder.operations = 0;
  return { folder, tables };
}

function start(folder: SimulatedFolder, tables: Tables): void {
  openHistoryFolder(folder, tables, { runs: tables });
  expect(folder.list().toSorted()).toEqual(tables.names());
}

function dropUntilLoss(folder: SimulatedFolder, tables: Tables): void {
  try {
    dropSegments(folder, tables, BORDER);
  } catch (error) {
    if (!(error instanceof PowerLoss)) throw error;
  }
}

function loseAndRecover(operation: number, random: Random): void {
  const { folder, tables } = sealedFolder();
  folder.failAfter(operation);
  expect(() => dropSegments(folder, tables, BORDER)).toThrow(PowerLoss);
  for (let again = random.between(0, 3); again > 0; again -= 1) {
    folder.restart(random);
    tables.expectWhole();
    start(folder, tables);
    folder.failAfter(random.between(0, 12));
    dropUntilLoss(folder, tables);
  }
  folder.restart(random);
  start(folder, tables);
  tables.expectWhole();
  dropSegments(folder, tables, BORDER);
  expect(folder.list().toSorted()).toEqual(tables.names());
  expect(tables.segments[0]?.first).toBe(24);
  tables.expectWhole();
}

describe("dropping", () => {
  it("takes segments and runs that are wholly below, never the newest, and keeps the headers", () => {
    const { folder, tables } = sealedFolder();
    expect(dropSegments(folder, tables, { bodiesFrom: 3, headersFrom: 0 })).toBeUndefined();
    // A run that also finds blocks that stay is needed for these.
    tables.clearTo = 5;
    expect(dropSegments(folder, tables, BORDER)).toBe(3);
    for (const kind of ["ids", "acc"] as const) expect(tables.runs(kind).map(({ first }) => first)).toEqual([0, 8, 16, 24]);
    tables.clearTo = 10;
    expect(dropSegments(folder, tables, BORDER)).toBe(7);
    expect(tables.runs("ids").map(({ first }) => first)).toEqual([8, 16, 24]);
    tables.clearTo = LAST;
    expect(dropSegments(folder, tables, BORDER)).toBe(23);
    expect(tables.segments.map(({ first }) => first)).toEqual([24, 28, 32, 36]);
    expect(tables.names().filter((name) => !name.endsWith(".seg"))).toEqual(["24-39.acc", "24-39.ids"]);
    tables.expectWhole();
    expect(dropSegments(folder, tables, { bodiesFrom: 1_000, headersFrom: 0 })).toBe(35);
    expect(folder.list().toSorted()).toEqual(["24-39.acc", "24-39.ids", "36-39.seg"]);
    expect(folder.openFiles).toBe(0);
  });

  it("leaves nothing behind that a start does not remove, at whatever operation the power goes", () => {
    const { folder, tables } = sealedFolder();
    dropSegments(folder, tables, BORDER);
    const { operations } = folder;
    expect(operations).toBeGreaterThan(15);
    for (let operation = 0; operation < operations; operation += 1)
      for (let seed = 0; seed < SEEDS; seed += 1) loseAndRecover(operation, createRandom(seed * 1_000 + operation));
  });

  it("loses nothing, and continues, where the disk was full at whatever operation", () => {
    for (let operation = 0, isFull = true; isFull; operation += 1) {
      const { folder, tables } = sealedFolder();
      folder.fullAfter(operation);
      isFull = false;
      try {
        dropSegments(folder, tables, BORDER);
      } catch (error) {
        expect(error).toMatchObject({ code: "STORAGE_FULL" });
        isFull = true;
      }
      tables.expectWhole();
      folder.fullAfter(Number.POSITIVE_INFINITY);
      start(folder, tables);
      dropSegments(folder, tables, BORDER);
      expect(tables.segments.map(({ first }) => first)).toEqual([24, 28, 32, 36]);
      start(folder, tables);
      expect(isFull || operation > 10).toBe(true);
    }
  });

  it("stops before a segment whose file is damaged, and takes it once it is whole again", () => {
    const { folder, tables } = sealedFolder();
    const bytes = folder.content("16-19.seg");
    folder.replace("16-19.seg", Uint8Array.from(bytes).fill(0, 60, 400));
    expect(() => dropSegments(folder, tables, BORDER)).toThrow(expect.objectContaining({ code: "STORAGE_CORRUPT" }));
    expect(tables.segments[0]?.first).toBe(16);
    folder.replace("16-19.seg", bytes);
    expect(dropSegments(folder, tables, BORDER)).toBe(23);
    tables.expectWhole();
  });
});
