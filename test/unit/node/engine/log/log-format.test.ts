// What bytes of strangers inside a record can do to the log, files of earlier versions, and the format byte by byte.
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { AppendFile } from "#node/engine/log/engine-storage.ts";
import { createLogFormat, SALT_BYTES } from "#node/engine/log/log-format.ts";
import { openWriteAheadLog } from "#node/engine/log/write-ahead-log.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";

const SALT = Uint8Array.from({ length: SALT_BYTES }, (_, index) => 0xa0 + index);
const HEAD_BYTES = 28;

/** A file in memory. */
class MemoryFile implements AppendFile {
  bytes: Buffer;

  constructor(bytes: Uint8Array = new Uint8Array()) {
    this.bytes = Buffer.from(bytes);
  }

  read(): Uint8Array {
    return Uint8Array.from(this.bytes);
  }

  append(bytes: Uint8Array): void {
    this.bytes = Buffer.concat([this.bytes, bytes]);
  }

  sync(): void {
    // Always durable.
  }

  truncate(length: number): void {
    this.bytes = this.bytes.subarray(0, length);
  }

  close(): void {
    // Nothing to close.
  }
}

function open(
  file: MemoryFile,
  salt = SALT,
): { readonly texts: readonly string[]; readonly log: ReturnType<typeof openWriteAheadLog>["log"] } {
  const { log, payloads } = openWriteAheadLog(file, () => salt);
  return { log, texts: payloads.map((payload) => Buffer.from(payload).toString()) };
}

/** A frame of the earlier format, which anyone can make. */
function oldFrame(payload: Uint8Array, durableLength: number): Buffer {
  const frame = Buffer.alloc(14 + payload.length);
  frame.writeUInt32LE(payload.length, 0);
  frame.writeUIntLE(durableLength, 8, 6);
  frame.set(payload, 14);
  frame.writeUInt32LE(crc32(frame.subarray(8), crc32(frame.subarray(0, 4))), 4);
  return frame;
}

/** A log with one durable record and one that was torn while it was written; the torn one holds the given bytes. */
function tornLog(content: Uint8Array, writerSalt = SALT): MemoryFile {
  const file = new MemoryFile();
  const { log } = open(file, writerSalt);
  log.append(utf8("durable"), true);
  log.flush();
  log.append(Buffer.concat([utf8("a block with "), content, utf8(" and more")]), false);
  log.flush();
  file.truncate(file.bytes.length - 3);
  return file;
}

describe("bytes of strangers in a torn record", () => {
  const foreign = createLogFormat(new Uint8Array(SALT_BYTES).fill(7));
  const largest = 2 ** 48 - 1;

  it.each([
    ["a frame of the earlier format", oldFrame(new Uint8Array(18), largest)],
    ["a whole log of another file", Buffer.concat([foreign.head, foreign.encode(utf8("x"), 28, largest)])],
    ["a frame with a guessed salt", createLogFormat(new Uint8Array(SALT_BYTES)).encode(utf8("x"), 100, largest)],
  ])("are no frame: %s", (_, content) => {
    const file = tornLog(content);
    const { texts, log } = open(file);
    expect(texts).toEqual(["durable"]);
    log.append(utf8("next"), true);
    log.flush();
    expect(open(file).texts).toEqual(["durable", "next"]);
  });

  it("are no frame though they are one of this file, from another place in it", () => {
    const format = createLogFormat(SALT);
    const own = format.encode(utf8("x"), HEAD_BYTES, largest);
    expect(open(tornLog(own)).texts).toEqual(["durable"]);
    // The same bytes where they belong are one.
    const at = HEAD_BYTES + 22 + "durable".length + 22 + "a block with ".length;
    expect(() => open(tornLog(format.encode(utf8("x"), at, largest)))).toThrow(expect.objectContaining({ code: "STORAGE_CORRUPT" }));
  });

  it("cost no search, whatever lengths they pretend", () => {
    // Every fourth byte begins a length that fits: a checksum for each would be 2^40 bytes of work.
    const content = Buffer.alloc(2 * 1_048_576);
    for (let at = 0; at + 4 <= content.length; at += 4) content.writeUInt32LE(Math.max(1, content.length - at - 64), at);
    const file = tornLog(content);
    const format = createLogFormat(SALT);
    expect(format.findFrame(file.bytes, HEAD_BYTES + 22 + "durable".length + 1)).toBe(-1);
    expect(open(file).texts).toEqual(["durable"]);
  });
});

describe("a log that was emptied", () => {
  it("has another salt, and takes nothing of its former content", () => {
    const salts = [new Uint8Array(SALT_BYTES).fill(1), new Uint8Array(SALT_BYTES).fill(2)];
    const file = new MemoryFile();
    const { log } = openWriteAheadLog(file, () => salts.shift() ?? SALT);
    log.append(new Uint8Array(5 * 1_048_576).fill(9), true);
    log.flush();
    const former = Buffer.from(file.bytes);
    log.endHeight();
    log.append(utf8("new"), true);
    log.flush();
    expect(file.bytes.subarray(8, 24)).toEqual(Buffer.alloc(16, 2));
    // What the disk shows behind the end after a crash.
    file.append(former.subarray(HEAD_BYTES));
    expect(open(file).texts).toEqual(["new"]);
  });
});

describe("a log of an earlier version", () => {
  const OLD_HEAD = utf8("PARLWAL1");
  const first = oldFrame(utf8("first"), 8);
  const second = oldFrame(utf8("second"), 8 + first.length);

  it("is read and continued, and has the present format from the next height on", () => {
    const file = new MemoryFile(Buffer.concat([OLD_HEAD, first, second, Buffer.of(1, 2, 3)]));
    const { texts, log } = open(file);
    expect(texts).toEqual(["first", "second"]);
    log.append(utf8("third"), true);
    log.flush();
    const again = open(file);
    expect(again.texts).toEqual(["first", "second", "third"]);
    again.log.endHeight();
    expect(file.bytes).toEqual(Buffer.from(createLogFormat(SALT).head));
    again.log.append(utf8("fourth"), true);
    again.log.flush();
    expect(open(file).texts).toEqual(["fourth"]);
  });

  it("is refused when something durable in it is damaged", () => {
    const bytes = Buffer.concat([OLD_HEAD, first, second]);
    bytes[OLD_HEAD.length + 15] = 0;
    expect(() => open(new MemoryFile(bytes))).toThrow(expect.objectContaining({ code: "STORAGE_CORRUPT" }));
  });

  it.each([[OLD_HEAD], [OLD_HEAD.subarray(0, 5)]])("may be empty", (bytes) => {
    const file = new MemoryFile(bytes);
    const { log } = open(file);
    log.append(utf8("one"), true);
    log.flush();
    expect(open(file).texts).toEqual(["one"]);
  });
});

describe("the format", () => {
  it("is this, byte by byte", () => {
    const format = createLogFormat(SALT);
    expect(toHex(format.head)).toBe("5041524c574c4f47a0a1a2a3a4a5a6a7a8a9aaabacadaeaf14afcf1c");
    expect(toHex(format.encode(utf8("vote"), HEAD_BYTES, HEAD_BYTES))).toBe("a0a1a2a3a4a5a6a70400000055cab98f1c0000000000766f7465");
  });
});
