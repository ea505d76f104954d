// The files of history on a real disk.
import { existsSync, mkdirSync, readFileSync, readSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { diskFiles, type PartialCalls } from "#node/storage/history/files/disk-files.ts";
import { openHistoryFolder } from "#node/storage/history/sealing/seal-segment.ts";
import { SegmentFile } from "#node/storage/history/segments/segment-file.ts";
import { segmentName } from "#node/storage/history/segments/segment-format.ts";
import { SegmentWriter } from "#node/storage/history/segments/segment-writer.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { transferBlocks } from "#test/support/chain/sealable-blocks.ts";
import { openTestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

/** The system's calls, each of which does so much of what it is asked for. */
function shortCalls(lengthOf: (asked: number) => number): PartialCalls {
  return {
    read: (file, into, { offset, length, position }) => readSync(file, into, offset, Math.min(length, lengthOf(length)), position),
    write: (file, bytes, offset): number => {
      const asked = bytes.length - offset;
      return writeSync(file, bytes, offset, Math.min(asked, lengthOf(asked)));
    },
  };
}

describe("files on disk", () => {
  it("are made, read, renamed and removed", async () => {
    await using folder = await createTemporaryFolder();
    const files = diskFiles(join(folder.path, "history"));
    expect([files.list(), files.open("a"), files.stat("a")]).toEqual([[], undefined, undefined]);
    files.syncFolder();
    const file = files.create("a");
    file.append(utf8("hello "));
    file.append(utf8("there"));
    file.sync();
    file.close();
    files.rename("a", "b");
    files.syncFolder();
    const read = files.open("b");
    expect([read?.size, read?.read(6, 3), read?.read(9, 9), read?.read(20, 1)]).toEqual([11, utf8("the"), utf8("re"), new Uint8Array()]);
    read?.close();
    expect([files.list(), files.stat("b"), files.stat("a")]).toEqual([["b"], 11, undefined]);
    if (process.platform !== "win32") expect(statSync(files.path("b")).mode & 0o777).toBe(0o600);
    files.unlink("b");
    files.unlink("b");
    expect(files.list()).toEqual([]);
  });

  it.each([1, 2, 7, 11])(
    "are whole where each call of the system writes and reads less than it was asked for: %i at most",
    async (most) => {
      await using folder = await createTemporaryFolder();
      const files = diskFiles(
        folder.path,
        shortCalls(() => most),
      );
      const file = files.create("a");
      for (const part of ["hello ", "there", ""]) file.append(utf8(part));
      file.close();
      expect(readFileSync(files.path("a"), "utf8")).toBe("hello there");
      const read = files.open("a");
      expect([read?.read(0, 11), read?.read(3, 5), read?.read(9, 9)]).toEqual([utf8("hello there"), utf8("lo th"), utf8("re")]);
      read?.close();
    },
  );

  it("hold whole segments where any one call does less, by a byte or all but one", async () => {
    await using folder = await createTemporaryFolder();
    const blocks = transferBlocks(4, 6);
    const range = { first: 4, last: 9, genesisHash: "01".repeat(32) };
    const name = segmentName(range);
    /** Writes and reads a segment, with one short call; how many calls there were. */
    const run = (at: number, shortened: (asked: number) => number): number => {
      let calls = 0;
      const lengthOf = (asked: number): number => {
        calls += 1;
        return calls - 1 === at && asked > 1 ? shortened(asked) : asked;
      };
      const files = diskFiles(folder.path, shortCalls(lengthOf));
      const writer = new SegmentWriter(files, name, range);
      for (const block of blocks) writer.add(block);
      const file = new SegmentFile(files, { ...range, ...writer.finish() });
      file.verify();
      for (const { height, front, tail, records, reward } of blocks) expect(file.block(height)).toEqual({ front, tail, records, reward });
      file.close();
      return calls;
    };
    const calls = run(-1, (asked) => asked);
    expect(calls).toBeGreaterThan(10);
    for (let at = 0; at < calls; at += 1) for (const left of [(asked: number): number => asked - 1, (): number => 1]) run(at, left);
  });

  it("end with an error, and not never, where the system takes no bytes", async () => {
    await using folder = await createTemporaryFolder();
    const files = diskFiles(folder.path, { ...shortCalls(() => 1), write: () => 0 });
    const file = files.create("a");
    expect(() => file.append(utf8("a"))).toThrow(expect.objectContaining({ code: "STORAGE_FAILED" }));
    file.close();
  });

  it("are damaged where the disk cannot read a sector, from that byte on, and only there", async () => {
    await using folder = await createTemporaryFolder();
    const blocks = transferBlocks(4, 6);
    const range = { first: 4, last: 9, genesisHash: "01".repeat(32) };
    const writer = new SegmentWriter(diskFiles(folder.path), segmentName(range), range);
    for (const block of blocks) writer.add(block);
    const segment = { ...range, ...writer.finish() };
    let bad = Number.POSITIVE_INFINITY;
    const files = diskFiles(folder.path, {
      write: () => 0,
      read: (file, into, { offset, length, position }) => {
        if (position <= bad && bad < position + length) throw Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" });
        return readSync(file, into, offset, length, position);
      },
    });
    const file = new SegmentFile(files, segment);
    const { offset } = file.indexed(6);
    bad = offset + 20;
    expect(() => file.block(6)).toThrow(
      expect.objectContaining({ code: "STORAGE_CORRUPT", details: { file: files.path("4-9.seg"), offset: expect.any(Number) as number } }),
    );
    expect(() => file.block(6)).toThrow(/4-9\.seg is damaged at byte \d+ \(the disk cannot read it\)/);
    const { height, front, tail, records, reward } = blocks[5] ?? expect.fail("There are six");
    expect(file.block(height)).toEqual({ front, tail, records, reward });
    file.close();
  });

  it("are files alone: a folder that a mounted disk has there stays, and keeps no node from its start", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openTestChain(folder.path);
    const { history } = chain.database;
    const lost = join(folder.path, "history", "lost+found");
    mkdirSync(lost, { recursive: true });
    writeFileSync(history.files.path("0-3.seg.tmp"), "what a crash left");
    expect(history.files.list()).toEqual(["0-3.seg.tmp"]);
    openHistoryFolder(history.files, history, { runs: history.runs });
    expect([history.files.list(), existsSync(lost)]).toEqual([[], true]);
  });

  it("say in words what the system refuses", async () => {
    await using folder = await createTemporaryFolder();
    writeFileSync(join(folder.path, "history"), "a file where the folder should be");
    const files = diskFiles(join(folder.path, "history"));
    expect(() => files.create("a")).toThrow(/^The file .*history cannot be used \(EEXIST\)/);
    expect(() => files.stat("a")).toThrow("(ENOTDIR)");
    expect(() => files.rename("a", "b")).toThrow(expect.objectContaining({ code: "STORAGE_FAILED" }));
  });

  it("hold segments", async () => {
    await using folder = await createTemporaryFolder();
    const files = diskFiles(folder.path);
    const blocks = transferBlocks(4, 6);
    const range = { first: 4, last: 9, genesisHash: "01".repeat(32) };
    const writer = new SegmentWriter(files, segmentName(range), range);
    for (const block of blocks) writer.add(block);
    const segment = { ...range, ...writer.finish() };
    expect(files.stat("4-9.seg")).toBe(segment.bytes);
    const file = new SegmentFile(files, segment);
    file.verify();
    for (const { height, front, tail, records, reward } of blocks) expect(file.block(height)).toEqual({ front, tail, records, reward });
    file.close();
  });
});
