import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AppendFile, openAppendFile } from "#node/engine/log/engine-storage.ts";
import { openWriteAheadLog } from "#node/engine/log/write-ahead-log.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

const HEADER_BYTES = 28;
const FRAME_BYTES = 22;
const texts = (payloads: readonly Uint8Array[]): readonly string[] => payloads.map((payload) => Buffer.from(payload).toString());

async function withLog(records: readonly string[], test: (path: string) => void): Promise<void> {
  await using folder = await createTemporaryFolder();
  const path = join(folder.path, "consensus.wal");
  const { log } = openWriteAheadLog(openAppendFile(path));
  for (const record of records) {
    log.append(utf8(record), true);
    log.flush();
  }
  log.close();
  test(path);
}

const reopen = (path: string): readonly string[] => {
  const { log, payloads } = openWriteAheadLog(openAppendFile(path));
  log.close();
  return texts(payloads);
};

describe("write-ahead log", () => {
  it("gives back what was flushed, and continues where it ended", () =>
    withLog(["one", "two"], (path) => {
      const { log, payloads } = openWriteAheadLog(openAppendFile(path));
      expect(texts(payloads)).toEqual(["one", "two"]);
      log.append(utf8("three"), false);
      log.flush();
      log.close();
      expect(reopen(path)).toEqual(["one", "two", "three"]);
    }));

  it("drops what was appended but never flushed", () =>
    withLog(["one"], (path) => {
      const { log } = openWriteAheadLog(openAppendFile(path));
      log.append(utf8("lost"), true);
      log.close();
      expect(reopen(path)).toEqual(["one"]);
    }));

  it("cuts a torn tail at every length and can append after it", () =>
    withLog(["first", "second"], (path) => {
      const whole = readFileSync(path);
      const endOfFirst = HEADER_BYTES + FRAME_BYTES + "first".length;
      for (let length = endOfFirst; length < whole.length; length += 1) {
        writeFileSync(path, whole.subarray(0, length));
        expect(reopen(path)).toEqual(["first"]);
        expect(readFileSync(path)).toHaveLength(endOfFirst);
      }
    }));

  it.each([0, 3, 7, 8, 27])("starts empty when a crash left %i bytes of the header", (length) =>
    withLog([], (path) => {
      truncateSync(path, length);
      expect(reopen(path)).toEqual([]);
      expect(readFileSync(path)).toHaveLength(HEADER_BYTES);
    }),
  );

  it("starts empty when only zeros reached the disk", () =>
    withLog([], (path) => {
      writeFileSync(path, new Uint8Array(4_096));
      expect(reopen(path)).toEqual([]);
    }));

  it("cuts zeros after the last frame", () =>
    withLog(["one"], (path) => {
      appendFileSync(path, new Uint8Array(512));
      expect(reopen(path)).toEqual(["one"]);
    }));

  it("refuses damage to any byte of a frame that a later one proves durable", () =>
    withLog(["first", "second"], (path) => {
      const whole = readFileSync(path);
      for (let offset = HEADER_BYTES; offset < HEADER_BYTES + FRAME_BYTES + "first".length; offset += 1) {
        const damaged = Buffer.from(whole);
        damaged[offset] = (damaged[offset] ?? 0) ^ 0x40;
        writeFileSync(path, damaged);
        expect(() => reopen(path)).toThrow(expect.objectContaining({ code: "STORAGE_CORRUPT" }));
      }
    }));

  it("refuses several damaged places and a foreign header", () =>
    withLog(["first", "second", "third"], (path) => {
      const damaged = readFileSync(path);
      for (const offset of [HEADER_BYTES + FRAME_BYTES, HEADER_BYTES + 2 * FRAME_BYTES + "first".length]) damaged[offset] = 0;
      writeFileSync(path, damaged);
      expect(() => reopen(path)).toThrow(expect.objectContaining({ code: "STORAGE_CORRUPT" }));
      writeFileSync(path, "PARLWAL9 of another version");
      expect(() => reopen(path)).toThrow(expect.objectContaining({ code: "STORAGE_CORRUPT" }));
    }));

  it("drops a hole in what was never synced, though later bytes reached the disk", () =>
    withLog(["synced"], (path) => {
      const { log } = openWriteAheadLog(openAppendFile(path));
      for (const record of ["lost page", "kept page"]) {
        log.append(utf8(record), false);
        log.flush();
      }
      log.close();
      const bytes = readFileSync(path);
      const hole = HEADER_BYTES + FRAME_BYTES + "synced".length;
      bytes.fill(0, hole, hole + FRAME_BYTES + "lost page".length);
      writeFileSync(path, bytes);
      expect(reopen(path)).toEqual(["synced"]);
    }));

  it("refuses to write into a file that another process changed", () =>
    withLog(["one"], (path) => {
      const first = openWriteAheadLog(openAppendFile(path)).log;
      const second = openWriteAheadLog(openAppendFile(path)).log;
      first.append(utf8("mine"), true);
      first.flush();
      second.append(utf8("yours"), true);
      expect(() => second.flush()).toThrow(expect.objectContaining({ code: "STORAGE_LOCKED" }));
      first.close();
      second.close();
      expect(reopen(path)).toEqual(["one", "mine"]);
    }));

  it("syncs only when a record asks for it, and before it says so", () => {
    const calls: string[] = [];
    const file: AppendFile = {
      read: () => new Uint8Array(),
      append: () => calls.push("append"),
      sync: () => calls.push("sync"),
      truncate: () => calls.push("truncate"),
      close: () => undefined,
    };
    const { log } = openWriteAheadLog(file);
    calls.length = 0;
    log.append(utf8("a"), false);
    log.flush();
    log.append(utf8("b"), true);
    log.append(utf8("c"), false);
    log.flush();
    log.flush();
    expect(calls).toEqual(["append", "append", "sync"]);
  });

  it("makes what another run left durable before it builds on it, torn tail or not", () =>
    withLog(["one"], (path) => {
      const whole = readFileSync(path);
      for (const [content, expected] of [
        [whole, ["sync"]],
        [Buffer.concat([whole, Buffer.of(1, 2, 3)]), ["truncate", "sync"]],
        [Buffer.of(), ["truncate", "append", "sync"]],
      ] as const) {
        const calls: string[] = [];
        openWriteAheadLog({
          read: () => content,
          append: () => calls.push("append"),
          sync: () => calls.push("sync"),
          truncate: () => calls.push("truncate"),
          close: () => undefined,
        });
        expect(calls).toEqual(expected);
      }
    }));

  it("passes on a failed sync and keeps failing", () => {
    const file: AppendFile = {
      read: () => new Uint8Array(),
      append: () => undefined,
      sync: () => {
        if (isBroken) throw new Error("EIO");
      },
      truncate: () => undefined,
      close: () => undefined,
    };
    let isBroken = false;
    const { log } = openWriteAheadLog(file);
    isBroken = true;
    log.append(utf8("a"), true);
    expect(() => log.flush()).toThrow("EIO");
    expect(() => log.flush()).toThrow("EIO");
  });

  it("is emptied at the end of a height once it has grown, and forgets the old records", () =>
    withLog([], (path) => {
      const { log } = openWriteAheadLog(openAppendFile(path));
      log.append(new Uint8Array(5 * 1_048_576).fill(1), true);
      log.endHeight();
      log.append(utf8("next height"), true);
      log.flush();
      log.close();
      expect(reopen(path)).toEqual(["next height"]);
    }));

  it("never gives back a record that differs from what was written, whatever one byte became", () => {
    const property = fc.asyncProperty(
      fc.array(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 6 }),
      fc.nat(),
      fc.nat(255),
      (records, at, value) =>
        withLog(records, (path) => {
          const bytes = readFileSync(path);
          bytes[at % bytes.length] = value;
          writeFileSync(path, bytes);
          let restored: readonly string[] = [];
          try {
            restored = reopen(path);
          } catch (error) {
            expect(error).toMatchObject({ code: "STORAGE_CORRUPT" });
            return;
          }
          expect(records.slice(0, restored.length)).toEqual(restored);
          expect(restored.length).toBeGreaterThanOrEqual(records.length - 1);
        }),
    );
    return fc.assert(property, { numRuns: 60, seed: 77 });
  });
});
