// Bars of votes: their place, their height by kind, and the blocks that were missed.
import { describe, expect, it } from "vitest";
import { barsOf, missedHeights } from "#renderer/features/explorer/validators/vote-bars.ts";

describe("bars of votes", () => {
  it("stand with the newest block on the right, and differ in height by kind", () => {
    expect(barsOf("10-1", 20)).toEqual({
      signed: "M99 20v-20h0.7v20zM96 20v-20h0.7v20z",
      missed: "M98 20v-8h0.7v8z",
      outside: "M97 20v-2h0.7v2z",
    });
    expect(barsOf("", 20)).toEqual({ signed: "", missed: "", outside: "" });
  });

  it("name the blocks that were missed, the newest first", () => {
    expect(missedHeights({ height: 1_000, marks: "1001-0" })).toEqual([999, 998, 995]);
    expect(missedHeights({ height: 3, marks: "111" })).toEqual([]);
  });
});
