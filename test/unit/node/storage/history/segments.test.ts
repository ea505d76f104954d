// Segments: what is written comes back byte by byte, and no damage passes as content.
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OpenSegments } from "#node/storage/history/segments/open-segments.ts";
import type { SealableBlock } from "#node/storage/history/segments/segment-block.ts";
import { type NamedSegment, SegmentFile } from "#node/storage/history/segments/segment-file.ts";
import { segmentName } from "#node/storage/history/segments/segment-format.ts";
import { SegmentWriter } from "#node/storage/history/segments/segment-writer.ts";
import { type CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { outcomes, sealableBlock, transferBlocks } from "#test/support/chain/sealable-blocks.ts";
import { expectEqual, expectToHold } from "#test/support/host/expect-equal.ts";
import { SimulatedFolder } from "#test/support/host/simulated-folder.ts";
import { spreadBelow } from "#test/support/host/test-extent.ts";

const GENESIS_HASH = "07".repeat(32);
const SALT = 0x1234_5678;

function write(folder: SimulatedFolder, blocks: readonly SealableBlock[], salt = SALT): NamedSegment {
  const range = { first: blocks[0]?.height ?? 0, last: blocks.at(-1)?.height ?? 0, genesisHash: GENESIS_HASH };
  const writer = new SegmentWriter(folder, segmentName(range), range, salt);
  for (const block of blocks) writer.add(block);
  return { ...range, ...writer.finish() };
}

/** Everything that can be read of a segment, by what is asked for. */
function readAll(file: SegmentFile, { first, last }: NamedSegment): Map<string, unknown> {
  const read = new Map<string, unknown>();
  const note = (name: string, ask: () => unknown): void => {
    try {
      read.set(name, ask());
    } catch (error) {
      if (!isCodedError(error, "STORAGE_CORRUPT")) throw error;
      read.set(name, error);
    }
  };
  for (let height = first; height <= last; height += 1) {
    note(`front ${height}`, () => file.front(height));
    note(`block ${height}`, () => file.block(height));
    for (let position = 0; position < 3; position += 1) note(`record ${height} ${position}`, () => file.record(height, position));
  }
  note("all", () => file.verify());
  return read;
}

function errorOf(work: () => unknown): CodedError {
  try {
    work();
  } catch (error) {
    if (isCodedError(error)) return error;
    throw error;
  }
  throw new Error("Nothing was thrown");
}

describe("a segment", () => {
  it("gives back blocks of any transactions, whole and in parts", () => {
    fc.assert(
      fc.property(fc.array(fc.array(outcomes, { maxLength: 5 }), { minLength: 1, maxLength: 6 }), fc.nat({ max: 9 }), (lists, first) => {
        const folder = new SimulatedFolder();
        const blocks = lists.map((list, at) =>
          sealableBlock(first + at, list, at % 2 === 0 ? null : { to: "cd".repeat(32), amountUt: at }),
        );
        const segment = write(folder, blocks);
        const file = new SegmentFile(folder, segment);
        for (const [at, block] of blocks.entries()) {
          const { front, tail, records, reward, height, hash, timeMs } = block;
          expectEqual(file.block(height), { front, tail, records, reward });
          expectEqual(file.front(height), { front, tail, reward });
          expect(file.indexed(height)).toMatchObject({ hash, timeMs, count: records.length });
          for (const [position, record] of records.entries()) expectEqual(file.record(height, position), record);
          expect(file.record(height, lists[at]?.length ?? 0)).toBeUndefined();
        }
        file.verify();
        file.close();
      }),
      { numRuns: 40 },
    );
  });

  it("gives back every record of a large block by its position", () => {
    const folder = new SimulatedFolder();
    const blocks = [...transferBlocks(1, 1, { least: 700, most: 700 }), ...transferBlocks(2, 1, { least: 3 })];
    const segment = write(folder, blocks);
    const file = new SegmentFile(folder, segment);
    for (const { height, records } of blocks)
      for (const [position, record] of records.entries()) expectEqual(file.record(height, position), record);
    expect([file.record(1, 700), file.record(1, -1)]).toEqual([undefined, undefined]);
  });

  it("shows every single bit that is flipped, and never gives other bytes", () => {
    const folder = new SimulatedFolder();
    const segment = write(folder, transferBlocks(3, 2, { least: 1, most: 2 }));
    const name = segmentName(segment);
    const whole = readAll(new SegmentFile(folder, segment), segment);
    expect([...whole.values()].some((value) => value instanceof Error)).toBe(false);
    const bytes = folder.content(name);
    // In part: one of each byte.
    for (const bit of spreadBelow(bytes.length * 8, bytes.length)) {
      const flipped = Uint8Array.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      folder.replace(name, flipped);
      const file = opened(folder, segment);
      if (file instanceof Error) continue;
      const read = readAll(file, segment);
      file.close();
      expectToHold(read.get("all") as CodedError, { code: "STORAGE_CORRUPT", details: { file: `history/${name}` } });
      for (const [what, value] of read) if (!(value instanceof Error)) expectEqual(value, whole.get(what));
    }
  });

  it("is found cut off at every length, and grown", () => {
    const folder = new SimulatedFolder();
    const segment = write(folder, transferBlocks(0, 2));
    const name = segmentName(segment);
    const bytes = folder.content(name);
    for (let length = 0; length < bytes.length; length += 1) {
      folder.replace(name, bytes.slice(0, length));
      expect(opened(folder, segment)).toMatchObject({ code: "STORAGE_CORRUPT" });
      // Also where the list of segments says the same length.
      expect(opened(folder, { ...segment, bytes: length })).toMatchObject({ code: "STORAGE_CORRUPT" });
    }
    folder.replace(name, Uint8Array.of(...bytes, 0));
    expect(opened(folder, segment)).toMatchObject({ code: "STORAGE_CORRUPT" });
    expect(folder.openFiles).toBe(0);
  });

  it("names file and place of what is damaged", () => {
    const folder = new SimulatedFolder();
    const blocks = [sealableBlock(5, []), ...transferBlocks(6, 1, { least: 2, most: 3 })];
    const segment = write(folder, blocks);
    const name = segmentName(segment);
    const file = new SegmentFile(folder, segment);
    const { offset, count } = file.indexed(6);
    expect(count).toBeGreaterThan(0);
    const bytes = folder.content(name);
    const damage = (at: number): void => {
      bytes[at] = (bytes[at] ?? 0) ^ 1;
    };
    damage(offset + 20 + 4 * count);
    expect(errorOf(() => file.front(6))).toMatchObject({ code: "STORAGE_CORRUPT", details: { file: `history/${name}`, offset } });
    // A record is read without the front.
    expect(file.record(6, 0)).toBeDefined();
    damage(offset + 20 + 4 * count);
    const last = file.record(6, count - 1);
    const signature = Buffer.from(bytes).lastIndexOf(blocks.at(-1)?.records.at(-1)?.transaction.subarray(-64) ?? "");
    damage(signature);
    const error = errorOf(() => file.record(6, count - 1));
    expect(error.message).toMatch(/^The history file history\/5-6\.seg is damaged at byte \d+ \(The checksum of the record differs\)/);
    expect(Number(error.details.offset)).toBeGreaterThan(offset);
    expect(Number(error.details.offset)).toBeLessThan(signature);
    expect(file.front(6)).toBeDefined();
    damage(signature);
    expect(file.record(6, count - 1)).toEqual(last);
  });

  it("is refused in the place of another one", () => {
    const folder = new SimulatedFolder();
    const blocks = transferBlocks(0, 2);
    const segment = write(folder, blocks);
    expect(opened(folder, { ...segment, genesisHash: "08".repeat(32) })).toMatchObject({ code: "STORAGE_CORRUPT" });
    expect(opened(folder, { ...segment, sha256: "00".repeat(32) })).toMatchObject({ code: "STORAGE_CORRUPT" });
    const salted = write(folder, blocks, SALT + 1);
    expect(salted.bytes).toBe(segment.bytes);
    expect(opened(folder, segment)).toMatchObject({ message: expect.stringContaining("it is another file") });
    folder.unlink(segmentName(segment));
    expect(opened(folder, segment)).toMatchObject({ message: expect.stringContaining("it is missing") });
  });

  it("has other checksums for other salts, so that bytes of one pass in no other", () => {
    const folder = new SimulatedFolder();
    const blocks = transferBlocks(6, 1, { least: 1 });
    const segment = write(folder, blocks);
    const original = Uint8Array.from(folder.content(segmentName(segment)));
    const salted = write(folder, blocks, SALT + 1);
    const bytes = folder.content(segmentName(salted));
    const { offset } = new SegmentFile(folder, salted).indexed(6);
    bytes.set(original.subarray(offset, bytes.length - 96), offset);
    const file = new SegmentFile(folder, salted);
    expect(() => file.front(6)).toThrow("The checksum of the block differs");
    expect(() => file.record(6, 0)).toThrow("The checksum of the record differs");
  });

  it("of a later format asks for a later program", () => {
    const folder = new SimulatedFolder();
    const segment = write(folder, transferBlocks(0, 1));
    const name = segmentName(segment);
    // All checksums are made again, as that program would make them.
    folder.replace(name, withFormat(folder.content(name), 2));
    const { sha256 } = segment;
    expect(opened(folder, { ...segment, sha256 })).toMatchObject({ code: "STORAGE_NEWER" });
  });
});

describe("open segments", () => {
  it("find the file of a height, and hold few open", () => {
    const folder = new SimulatedFolder();
    const named = Array.from({ length: 10 }, (_, at) => write(folder, transferBlocks(at * 3, 3)));
    const segments = new OpenSegments(folder, 4);
    expect(segments.at(0)).toBeUndefined();
    segments.name(named);
    for (const height of [0, 29, 3, 12, 14, 20, 27, 1, 8, 9, 10, 0])
      expect(segments.at(height)?.front(height).front.length).toBeGreaterThan(0);
    expect(segments.at(30)).toBeUndefined();
    expect(folder.mostOpen).toBeLessThanOrEqual(5);
    expect(folder.openFiles).toBe(4);
    // Those that were dropped, for an answer in use: heights below the first are not sealed here any more.
    segments.name(named.slice(5));
    expect(segments.at(14)).toBeUndefined();
    expect(segments.at(15)?.indexed(15)).toBeDefined();
    segments.close();
    expect(folder.openFiles).toBe(0);
    expect(segments.at(15)).toBeUndefined();
  });
});

function opened(folder: SimulatedFolder, segment: NamedSegment): SegmentFile | Error {
  try {
    return new SegmentFile(folder, segment);
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return error;
  }
}

/** The same segment of another format, its checksum of the frame made again. */
function withFormat(segment: Uint8Array, format: number): Uint8Array {
  const bytes = Buffer.from(segment);
  bytes.writeUInt16LE(format, 8);
  const footerAt = bytes.length - 50;
  const covered = bytes.subarray(bytes.readUIntLE(footerAt, 6), footerAt + 6);
  bytes.writeUInt32LE(crc32(covered, crc32(bytes.subarray(0, 58))), footerAt + 6);
  return bytes;
}
