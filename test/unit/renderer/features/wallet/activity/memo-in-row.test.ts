import { describe, expect, it } from "vitest";
import { memoInRow } from "#renderer/features/wallet/activity/memos/memo-in-row.ts";

describe("a memo in the row of its payment", () => {
  it("turns nothing around it, has no second line, and is cut between characters", () => {
    expect(memoInRow("Rent")).toBe("Rent");
    expect(memoInRow("a\u202eb\nc\u0000")).toBe("a\ufffdb\ufffdc\ufffd");
    expect(memoInRow("😀".repeat(160))).toBe("😀".repeat(160));
    expect(memoInRow(`${"x".repeat(159)}😀y`)).toBe(`${"x".repeat(159)}😀…`);
  });
});
