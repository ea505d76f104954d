import { describe, expect, it } from "vitest";
import { Allowance } from "#node/engine/inbound/allowance.ts";

describe("an allowance", () => {
  it("has a burst and fills up with time, for each name by itself", () => {
    const allowance = new Allowance({ perSecond: 2, burst: 3 });
    const taken = (name: string, nowMs: number): boolean => allowance.take(name, 1, nowMs);
    expect([0, 0, 0, 0].map((nowMs) => taken("a", nowMs))).toEqual([true, true, true, false]);
    expect(taken("b", 0)).toBe(true);
    expect([taken("a", 400), taken("a", 500), taken("a", 500)]).toEqual([false, true, false]);
    expect([1, 2, 3, 4].map(() => taken("a", 60_000))).toEqual([true, true, true, false]);
  });
});
