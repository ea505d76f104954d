import { describe, expect, it } from "vitest";
import { type BothClocks, blockTime, type CountedDays, countDay, elapsedMs, firstDay } from "#shared/messenger/pairs/counted-days.ts";

const HOUR = 3_600_000;
const YEAR = 8_766 * HOUR;
const START = { ownMs: 100 * YEAR, blockMs: 50 * YEAR };
const at = (ownHours: number, blockHours: number): BothClocks => ({
  ownMs: START.ownMs + ownHours * HOUR,
  blockMs: START.blockMs + blockHours * HOUR,
});

/** Days after the mailboxes were read to the end at these times: hours on the own clock and on the chain. */
function daysAfter(...times: readonly (readonly [number, number])[]): number {
  return times.reduce<CountedDays>((counted, [own, block]) => countDay(counted, at(own, block)), firstDay(START)).days;
}

describe("a counted day", () => {
  it("takes twenty hours on both clocks, and a mailbox that was read then", () => {
    expect(daysAfter([19.9, 30])).toBe(0);
    expect(daysAfter([30, 19.9])).toBe(0);
    expect(daysAfter([20, 20])).toBe(1);
    expect(daysAfter([20, 20], [39, 41], [40, 41])).toBe(2);
  });

  it("is one, however long the device was away", () => {
    expect(daysAfter([2_400, 2_400])).toBe(1);
  });

  it("does not come of a clock that jumps, the own or the chain's", () => {
    const tenYears = 87_660;
    expect(daysAfter([tenYears, 1], [tenYears + 1, 2])).toBe(0);
    expect(daysAfter([1, tenYears], [2, tenYears])).toBe(0);
    expect(daysAfter([tenYears, 1], [2, 2], [23, 23])).toBe(1);
  });

  it("begins again where a clock went back, and goes on from there", () => {
    expect(daysAfter([-87_660, 1])).toBe(0);
    expect(daysAfter([-87_660, 1], [-87_640, 21])).toBe(1);
    expect(daysAfter([15, 15], [14, -100], [34, -80])).toBe(1);
  });
});

it("what is better done early goes by the clock that moved further, in either direction", () => {
  expect(elapsedMs(START, at(-5, 2))).toBe(5 * HOUR);
  expect(elapsedMs(START, at(1, 7))).toBe(7 * HOUR);
  const withoutBlock = { ...START, blockMs: 0 };
  expect([elapsedMs(withoutBlock, at(1, 7)), elapsedMs(at(1, 7), withoutBlock)]).toEqual([HOUR, HOUR]);
});

describe("the time of the newest block", () => {
  it("never goes back, however a node shows it", () => {
    const shown = [1, 30, 2, undefined, 31].map((hour) => (hour === undefined ? hour : hour * HOUR));
    let known = 0;
    const times = shown.map((shownMs) => {
      known = blockTime(known, shownMs, 40 * HOUR);
      return known / HOUR;
    });
    expect(times).toEqual([1, 30, 30, 30, 31]);
  });

  it("is not believed beyond a day after the own clock", () => {
    expect([blockTime(HOUR, 64 * HOUR, 40 * HOUR), blockTime(HOUR, 64 * HOUR + 1, 40 * HOUR)]).toEqual([64 * HOUR, HOUR]);
  });
});
