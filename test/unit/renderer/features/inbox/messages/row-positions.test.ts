import { describe, expect, it } from "vitest";
import { RowPositions } from "#renderer/features/inbox/messages/scroll/row-positions.ts";

const positions = (keys: readonly string[]): RowPositions =>
  RowPositions.of({ keys, measured: new Map([["b", 30.5]]), estimate: (index) => 10 * (index + 1) });

describe("positions of rows", () => {
  it("are sums of what was measured, and of estimates", () => {
    const rows = positions(["a", "b", "c"]);
    expect([0, 1, 2, 3].map((index) => rows.startOf(index))).toEqual([0, 10, 40.5, 70.5]);
    expect(rows.total).toBe(70.5);
    expect([rows.indexOf("b"), rows.indexOf("x")]).toEqual([1, undefined]);
  });

  it("say which row is where", () => {
    const rows = positions(["a", "b", "c"]);
    expect([-5, 0, 9.9, 10, 40.4, 40.5, 1_000].map((top) => rows.rowAt(top))).toEqual([0, 0, 0, 1, 1, 2, 2]);
    expect(rows.between(-100, 5)).toEqual({ first: 0, end: 1 });
    expect(rows.between(10, 1_000)).toEqual({ first: 1, end: 3 });
    expect(positions([]).between(0, 100)).toEqual({ first: 0, end: 0 });
    expect(positions([]).total).toBe(0);
  });
});
