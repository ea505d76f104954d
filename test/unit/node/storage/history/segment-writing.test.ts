// Writing a segment on a disk that fails: what is finished and named is whole, and what is not finished says so.
import { describe, expect, it } from "vitest";
import { SegmentFile } from "#node/storage/history/segments/segment-file.ts";
import { segmentName } from "#node/storage/history/segments/segment-format.ts";
import { SegmentWriter, type WrittenFile } from "#node/storage/history/segments/segment-writer.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { transferBlocks } from "#test/support/chain/sealable-blocks.ts";
import { createRandom } from "#test/support/host/random.ts";
import { PowerLoss } from "#test/support/host/simulated-disk.ts";
import { SimulatedFolder } from "#test/support/host/simulated-folder.ts";

const BLOCKS = transferBlocks(0, 5, { least: 1 });
const RANGE = { first: 0, last: 4, genesisHash: "09".repeat(32) };
const NAME = segmentName(RANGE);

function write(folder: SimulatedFolder): WrittenFile {
  const writer = new SegmentWriter(folder, `${NAME}.tmp`, RANGE, 1);
  for (const block of BLOCKS) writer.add(block);
  const written = writer.finish();
  folder.rename(`${NAME}.tmp`, NAME);
  folder.syncFolder();
  return written;
}

describe("writing a segment", () => {
  const whole = new SimulatedFolder();
  const written = write(whole);

  it("leaves a whole file under its name, or none, at whatever operation the power is lost", () => {
    for (let operation = 0; operation < whole.operations; operation += 1)
      for (let seed = 0; seed < 20; seed += 1) {
        const folder = new SimulatedFolder();
        folder.failAfter(operation);
        expect(() => write(folder)).toThrow(PowerLoss);
        folder.restart(createRandom(seed * 1_000 + operation));
        if (folder.stat(NAME) === undefined) continue;
        new SegmentFile(folder, { ...RANGE, ...written }).verify();
      }
    expect(whole.operations).toBeGreaterThan(9);
  });

  it("never takes a file for whole whose end was not synced", () => {
    let damaged = 0;
    for (let seed = 0; seed < 200; seed += 1) {
      const folder = new SimulatedFolder();
      // The last operation before the sync is the end of the footer.
      folder.failAfter(whole.operations - 3);
      expect(() => write(folder)).toThrow(PowerLoss);
      folder.restart(createRandom(seed));
      if (folder.stat(`${NAME}.tmp`) === undefined) continue;
      folder.rename(`${NAME}.tmp`, NAME);
      try {
        new SegmentFile(folder, { ...RANGE, ...written }).verify();
      } catch (error) {
        expect(isCodedError(error, "STORAGE_CORRUPT")).toBe(true);
        damaged += 1;
      }
    }
    expect(damaged).toBeGreaterThan(50);
  });

  it("says that the disk is full", () => {
    for (const room of [0, 10, 100, written.bytes - 1]) {
      const folder = new SimulatedFolder();
      folder.room = room;
      expect(() => write(folder)).toThrow(expect.objectContaining({ code: "STORAGE_FULL" }));
      expect(folder.stat(NAME)).toBeUndefined();
    }
  });
});
