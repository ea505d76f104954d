import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTimestamp, parseTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { extent } from "#test/support/host/test-extent.ts";

const DAY_MS = 86_400_000;
/** Days from 1970 to the end of the year 9999. */
const DAYS = 2_932_897;

/** As the runtime writes a date. */
function written(timeMs: number): string {
  return `${new Date(Math.floor(timeMs / 1_000) * 1_000).toISOString().slice(0, 19)}Z`;
}

describe("timestamps", () => {
  it("are written as the runtime writes dates, on the days around the end of February and of the year", () => {
    for (let year = 1970; year < 10_000; year += 1)
      for (const [month, day] of [
        [1, 28],
        [2, 1],
        [11, 31],
        [12, 1],
      ] as const) {
        const timeMs = Date.UTC(year, month, day, 23, 59, 59, 999);
        for (const at of [timeMs, timeMs + 1]) if (at < DAYS * DAY_MS) expect(formatTimestamp(at)).toBe(written(at));
      }
  });

  it("are read as they were written", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: DAYS * DAY_MS - 1 }), (timeMs) => {
        expect(formatTimestamp(timeMs)).toBe(written(timeMs));
        expect(parseTimestamp(formatTimestamp(timeMs))).toBe(Math.floor(timeMs / 1_000) * 1_000);
      }),
      { numRuns: extent(1_250, 5_000) },
    );
  });

  it("beyond these years are what the runtime makes of them", () => {
    for (const timeMs of [-1, -DAY_MS, DAYS * DAY_MS]) expect(formatTimestamp(timeMs)).toBe(written(timeMs));
    expect(() => formatTimestamp(Number.NaN)).toThrow(RangeError);
  });
});
