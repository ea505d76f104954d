import { describe, expect, it } from "vitest";
import { median, percentiles, round, table } from "../../bench/measure/statistics.ts";

describe("percentiles", () => {
  it("takes the nearest rank", () => {
    const samples = Array.from({ length: 200 }, (_, i) => 200 - i);
    expect(percentiles(samples)).toEqual({ p50: 100, p99: 198, max: 200 });
    expect(percentiles([7])).toEqual({ p50: 7, p99: 7, max: 7 });
    expect(median([3, 1, 2])).toBe(2);
  });

  it("refuses to judge nothing", () => {
    expect(() => percentiles([])).toThrow(RangeError);
  });
});

describe("table", () => {
  it("aligns its columns", () => {
    expect(table("T", ["a", "bc"], [["xyz", "1"]]).split("\n")).toEqual([
      "",
      "### T",
      "",
      "| a   | bc |",
      "|-----|----|",
      "| xyz | 1  |",
      "",
    ]);
  });

  it("rounds to what matters", () => {
    expect([1234.5, 99.96, 12.345, 1.2345].map(round)).toEqual(["1235", "100.0", "12.3", "1.23"]);
  });
});
