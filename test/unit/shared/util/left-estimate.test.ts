import { beforeEach, describe, expect, it } from "vitest";
import { LeftEstimate } from "#shared/util/left-estimate.ts";

let nowMs = 0;
let estimate: LeftEstimate;
beforeEach(() => {
  nowMs = 5_000;
  estimate = new LeftEstimate({ monotonicMs: () => nowMs });
});

/** Marks amounts, one each second. */
function seen(amounts: readonly number[], total?: number): void {
  for (const [index, done] of amounts.entries()) {
    if (index > 0) nowMs += 1_000;
    estimate.mark(done, total);
  }
}

describe("how long something will take", () => {
  it("follows from the speed that was seen", () => {
    seen([100, 110, 120], 220);
    expect(estimate.leftMs()).toBe(10_000);
    seen([120, 220], 220);
    expect(estimate.leftMs()).toBe(0);
  });

  it("is unknown before there is a speed, at a speed of zero and without a total", () => {
    expect(estimate.leftMs()).toBeUndefined();
    seen([0, 10], 100);
    expect(estimate.leftMs()).toBeUndefined();
    estimate.begin();
    seen([5, 5, 5, 5], 100);
    expect(estimate.leftMs()).toBeUndefined();
    estimate.begin();
    seen([0, 10, 20]);
    expect(estimate.leftMs()).toBeUndefined();
    estimate.mark(20, 40);
    expect(estimate.leftMs()).toBe(2_000);
    estimate.begin();
    estimate.mark(0, 0);
    expect(estimate.leftMs()).toBeUndefined();
  });

  it("counts down between marks, and says nothing once it stalls", () => {
    seen([0, 10, 20, 30], 130);
    expect(estimate.leftMs()).toBe(10_000);
    nowMs += 4_000;
    expect(estimate.leftMs()).toBe(6_000);
    nowMs += 11_001;
    expect(estimate.leftMs()).toBeUndefined();
    // It continues by what is seen from then on.
    seen([30, 40, 50], 130);
    expect(estimate.leftMs()).toBeGreaterThan(0);
  });

  it("waits longer for what comes in large steps", () => {
    for (const done of [0, 1, 2]) {
      nowMs += 20_000;
      estimate.mark(done, 4);
    }
    nowMs += 19_000;
    expect(estimate.leftMs()).toBe(21_000);
    nowMs += 42_000;
    expect(estimate.leftMs()).toBeUndefined();
  });

  it("does not jump about while the speed wavers", () => {
    seen([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100], 1_000);
    const shown: number[] = [];
    let done = 100;
    for (let turn = 0; turn < 30; turn += 1) {
      nowMs += 1_000;
      done += turn % 2 === 0 ? 6 : 14;
      estimate.mark(done, 1_000);
      shown.push(estimate.leftMs() ?? Number.NaN);
    }
    const steps = shown.slice(1).map((left, index) => (shown[index] ?? 0) - left);
    expect(steps).toEqual(steps.map(() => 1_000));
  });

  it("says what is new where the speed has changed", () => {
    seen([0, 10, 20, 30], 1_030);
    expect(estimate.leftMs()).toBe(100_000);
    seen([30, 130, 230, 330], 1_030);
    expect(estimate.leftMs()).toBeLessThan(20_000);
  });

  it("begins again after a leap of the clock to either side, and with another amount", () => {
    seen([0, 10, 20, 30], 130);
    nowMs += 3_600_000;
    estimate.mark(31, 130);
    expect(estimate.leftMs()).toBeUndefined();
    seen([31, 41, 51], 131);
    expect(estimate.leftMs()).toBe(8_000);
    nowMs -= 100_000;
    expect(estimate.leftMs()).toBeUndefined();
    estimate.mark(52, 131);
    expect(estimate.leftMs()).toBeUndefined();
    seen([52, 62, 72], 132);
    expect(estimate.leftMs()).toBe(6_000);
    estimate.mark(1, 132);
    expect(estimate.leftMs()).toBeUndefined();
  });

  it("remembers few marks however often it is asked", () => {
    for (let turn = 0; turn <= 100_000; turn += 1) {
      nowMs += 1;
      estimate.mark(turn, 200_000);
    }
    expect(estimate.leftMs()).toBe(100_000);
  });
});
