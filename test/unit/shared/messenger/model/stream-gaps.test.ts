import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StreamRecord } from "#shared/messenger/model/records.ts";
import {
  announcePosition,
  asked,
  dropPositions,
  FIRST_ASK_MS,
  giveUp,
  missingPositions,
  takePosition,
} from "#shared/messenger/model/stream-gaps.ts";

const EMPTY: StreamRecord = { peer: "aa", device: "bb", stream: "cc", upTo: 0, ahead: [], gap: null };
const take = (record: StreamRecord, ...positions: readonly number[]): StreamRecord =>
  positions.reduce((current, position) => takePosition(current, position, 1_000).record, record);

describe("a stream", () => {
  it("moves on while nothing is missing", () => {
    expect(take(EMPTY, 1, 2, 3)).toEqual({ ...EMPTY, upTo: 3 });
  });

  it("names what is missing, and forgets the gap when it is filled", () => {
    const gap = take(EMPTY, 1, 4, 6);
    expect(missingPositions(gap)).toEqual([2, 3, 5]);
    expect(gap.gap).toEqual({ since: 1_000, asks: 0, nextAskAt: 1_000 + FIRST_ASK_MS });
    expect(take(gap, 3, 2, 5)).toEqual({ ...EMPTY, upTo: 6 });
  });

  it("begins a new gap where an earlier one was filled", () => {
    const both = asked(take(EMPTY, 2, 4), 5_000);
    expect(takePosition(both, 1, 9_000).record).toEqual({
      ...EMPTY,
      upTo: 2,
      ahead: [4],
      gap: { since: 9_000, asks: 0, nextAskAt: 9_000 + FIRST_ASK_MS },
    });
    expect(takePosition(both, 6, 9_000).record.gap).toEqual(both.gap);
  });

  it("has a gap until what is in it came, however far ahead another position is", () => {
    for (const far of [3, 4_098, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER]) {
      const gap = take(EMPTY, 1, far);
      expect(gap, `position ${far}`).toMatchObject({ upTo: 1, ahead: [far] });
      expect(missingPositions(gap)[0]).toBe(2);
      expect(take(gap, 2)).toMatchObject(far === 3 ? { upTo: 3, ahead: [] } : { upTo: 2, ahead: [far] });
    }
  });

  it("asks less and less often", () => {
    const first = asked(take(EMPTY, 2), 5_000);
    expect(first.gap).toEqual({ since: 1_000, asks: 1, nextAskAt: 5_000 + 4 * FIRST_ASK_MS });
    expect(asked(first, 9_000).gap?.nextAskAt).toBe(9_000 + 16 * FIRST_ASK_MS);
  });

  it("misses what its device says that it gave, at once and like every gap", () => {
    const told = announcePosition(take(EMPTY, 1, 3), 5, 7_000);
    expect([missingPositions(told), told.gap]).toEqual([[2, 4, 5], { since: 1_000, asks: 0, nextAskAt: 1_000 + FIRST_ASK_MS }]);
    expect(announcePosition(told, 5, 9_000)).toBe(told);
    expect(announcePosition(take(EMPTY, 1), 2, 7_000).gap).toEqual({ since: 7_000, asks: 0, nextAskAt: 7_000 });
    expect(take(told, 2, 4)).toMatchObject({ upTo: 4, gap: { asks: 0 } });
    expect(take(told, 2, 4, 5)).toMatchObject({ upTo: 5, gap: null });
    expect(giveUp(told)).toMatchObject({ record: { upTo: 5, ahead: [], gap: null }, lost: 3 });
    expect(announcePosition(take(EMPTY, 1, 2), 2, 7_000)).toEqual(take(EMPTY, 1, 2));
  });

  it("counts what the sender no longer has", () => {
    const step = dropPositions(take(EMPTY, 1, 5), [2, 3, 9], 2_000);
    expect(step.lost).toBe(2);
    expect(missingPositions(step.record)).toEqual([4]);
    expect(dropPositions(step.record, [2], 2_000)).toEqual({ record: step.record, lost: 0 });
  });

  it("counts what is given up", () => {
    expect(giveUp(take(EMPTY, 1, 4, 6))).toEqual({ record: { ...EMPTY, upTo: 6 }, lost: 3 });
  });

  it("keeps no endless list when a device jumps about", () => {
    let record = EMPTY;
    let lost = 0;
    for (let position = 2; position < 12_000; position += 2) {
      const step = takePosition(record, position, 0);
      lost += step.lost;
      record = step.record;
      expect(record.ahead.length).toBeLessThanOrEqual(4_096);
    }
    expect(lost).toBeGreaterThan(1_000);
  });

  it("ends at the last position in any order of arrival, each position counted once", () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(
          Array.from({ length: 40 }, (_, index) => index + 1),
          { minLength: 40 },
        ),
        fc.array(fc.nat({ max: 39 }), { maxLength: 80 }),
        (order, again) => {
          const record = take(EMPTY, ...order.flatMap((position, index) => [position, order[again[index] ?? index] ?? position]));
          expect(record).toEqual({ ...EMPTY, upTo: 40 });
        },
      ),
      { seed: 29, numRuns: 200 },
    );
  });
});
