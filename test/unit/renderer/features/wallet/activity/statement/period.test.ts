import { describe, expect, it } from "vitest";
import { firstPeriodKind } from "#renderer/features/wallet/activity/statement/period.ts";

const NOW = new Date(2026, 2, 20).getTime();
const THIS_MONTH = new Date(2026, 2, 1).getTime();
const LAST_MONTH = new Date(2026, 1, 1).getTime();

describe("the period that a statement begins with", () => {
  it("is the last month where there was something then", () => {
    expect(firstPeriodKind([NOW, THIS_MONTH - 1], false, NOW)).toBe("lastMonth");
    expect(firstPeriodKind([LAST_MONTH], false, NOW)).toBe("lastMonth");
  });

  it("is this month for a young account, and after a month without anything", () => {
    expect(firstPeriodKind([], false, NOW)).toBe("thisMonth");
    expect(firstPeriodKind([NOW, THIS_MONTH], false, NOW)).toBe("thisMonth");
    expect(firstPeriodKind([NOW, LAST_MONTH - 1], true, NOW)).toBe("thisMonth");
  });

  it("is the last month where it is not known whether there was something", () => {
    expect(firstPeriodKind([NOW, THIS_MONTH], true, NOW)).toBe("lastMonth");
  });
});
