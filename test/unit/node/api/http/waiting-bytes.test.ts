// The budget of bytes that wait for readers.
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { describe, expect, it } from "vitest";
import { SLICE_BYTES, SlicedBody } from "#node/api/http/sliced-body.ts";
import { WaitingBytes } from "#node/api/http/waiting-bytes.ts";

const stranger = { address: "203.0.113.1", isOwn: false };
const other = { address: "203.0.113.2", isOwn: false };
const own = { address: "127.0.0.1", isOwn: true };

describe("bytes that wait", () => {
  it("have a budget for each address and one for all, and more room for programs of the node's owner", () => {
    const waiting = new WaitingBytes({ waitingBytesPerAddress: 60, waitingBytes: 100 });
    waiting.change(stranger.address, 60);
    expect([stranger, other, own].map((reader) => waiting.hasRoom(reader, 1))).toEqual([false, true, true]);
    expect(() => waiting.assertRoom(stranger, 1)).toThrow(expect.objectContaining({ code: "RATE_LIMITED" }));
    expect([waiting.hasRoom(other, 40), waiting.hasRoom(other, 41), waiting.hasRoom(own, 65), waiting.hasRoom(own, 66)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(() => waiting.assertRoom(other, 41)).toThrow(expect.objectContaining({ code: "BUSY" }));
    waiting.change(stranger.address, -60);
    expect([waiting.total, waiting.hasRoom(stranger, 60)]).toEqual([0, true]);
  });

  it("leave room for another address, however many read nothing", () => {
    const limits = { waitingBytesPerAddress: 32_000, waitingBytes: 256_000 };
    const waiting = new WaitingBytes(limits);
    for (let turn = 0; turn < 200; turn += 1)
      for (let n = 0; n < 50; n += 1) {
        const greedy = { address: `198.51.100.${n}`, isOwn: false };
        if (waiting.hasRoom(greedy, 1_000)) waiting.change(greedy.address, 1_000);
        else expect(() => waiting.assertRoom(greedy, 1_000)).toThrow(expect.objectContaining({ code: "RATE_LIMITED" }));
      }
    expect(waiting.total).toBeLessThan(limits.waitingBytes);
    expect(waiting.hasRoom(stranger, 4_000)).toBe(true);
  });

  it("are those of a body until they are written, or until its reader is gone", async () => {
    const waiting = new WaitingBytes({ waitingBytesPerAddress: 10_000_000, waitingBytes: 10_000_000 });
    const bytes = Uint8Array.from({ length: 3 * SLICE_BYTES + 7 }, (_, at) => at % 251);
    const written: Buffer[] = [];
    const seen: number[] = [];
    const reader = new Writable({
      highWaterMark: 1,
      write: (chunk: Buffer, _encoding, done): void => {
        written.push(chunk);
        seen.push(waiting.total);
        done();
      },
    });
    await pipeline(new SlicedBody(bytes, waiting, stranger), reader);
    expect(Buffer.concat(written).equals(bytes)).toBe(true);
    expect(Math.max(...written.map(({ length }) => length))).toBe(SLICE_BYTES);
    expect([...seen].sort((a, b) => b - a)).toEqual(seen);
    expect(waiting.total).toBe(0);
    const left = new SlicedBody(bytes, waiting, stranger);
    expect(waiting.total).toBe(bytes.length);
    left.destroy();
    await new Promise((resolve) => left.once("close", resolve));
    expect(waiting.total).toBe(0);
  });
});
