import { describe, expect, it } from "vitest";
import { goalTable, isMet } from "../../bench/measure/goals.ts";

describe("goals", () => {
  it("are met at their bound", () => {
    expect(isMet({ what: "", unit: "", value: 0.6, bound: { atLeast: 0.6 } })).toBe(true);
    expect(isMet({ what: "", unit: "", value: 0.59, bound: { atLeast: 0.6 } })).toBe(false);
    expect(isMet({ what: "", unit: "", value: 20, bound: { atMost: 20 } })).toBe(true);
    expect(isMet({ what: "", unit: "", value: Number.NaN, bound: { atMost: 20 } })).toBe(false);
  });

  it("say when the machine was not at rest", () => {
    const text = goalTable([{ what: "start", value: 900, unit: "ms", bound: { atMost: 1_000 }, isNoisy: true }]);
    expect(text).toContain("| start | 900 ms   | ≤ 1000 | met (noisy) |");
  });
});
