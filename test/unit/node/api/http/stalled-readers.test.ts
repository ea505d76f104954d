// Who is ended for taking too little of what waits: connections as far as the watch knows them.
import { EventEmitter } from "node:events";
import type { Server } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { endStalledReaders } from "#node/api/http/stalled-readers.ts";
import { API_LIMITS } from "#node/api/limits.ts";

const { stallMs, stallBytes } = API_LIMITS;

class Reader extends EventEmitter {
  writableLength = 0;
  bytesWritten = 0;
  isEnded = false;

  /** More is written for it. */
  give(bytes: number): void {
    this.writableLength += bytes;
    this.bytesWritten += bytes;
  }

  /** It takes some. */
  take(bytes: number): void {
    this.writableLength -= Math.min(bytes, this.writableLength);
  }

  destroy(): void {
    this.isEnded = true;
  }
}

/** What became of a reader after five times as long as it may stand still. */
function isEndedAfter(eachSecond: (reader: Reader) => void): boolean {
  vi.useFakeTimers();
  const server = new EventEmitter() as unknown as Server;
  const stop = endStalledReaders(server, API_LIMITS, () => Date.now());
  const reader = new Reader();
  server.emit("connection", reader);
  for (let second = 0; second < (5 * stallMs) / 1_000; second += 1) {
    eachSecond(reader);
    vi.advanceTimersByTime(1_000);
  }
  stop();
  return reader.isEnded;
}

afterEach(() => {
  vi.useRealTimers();
});

/** A response that goes on and on, in slices of which one waits. */
const respond = (reader: Reader, takenBytes: number): void => {
  if (reader.writableLength < stallBytes) reader.give(stallBytes);
  reader.take(takenBytes);
};

describe("a reader", () => {
  it.each([
    ["takes nothing", 0],
    ["takes a byte a second", 1],
    ["takes less in all than it has to", 0.7 * (stallBytes / (stallMs / 1_000))],
  ])("that %s is ended", (_, bytes) => {
    expect(isEndedAfter((reader) => respond(reader, bytes))).toBe(true);
  });

  it("that is slow stays, and one for whom little waits", () => {
    expect(isEndedAfter((reader) => respond(reader, 2 * (stallBytes / (stallMs / 1_000))))).toBe(false);
    expect(isEndedAfter(() => undefined)).toBe(false);
    expect(
      isEndedAfter((reader) => {
        if (reader.writableLength === 0) reader.give(900);
        reader.take(100);
      }),
    ).toBe(false);
  });
});
