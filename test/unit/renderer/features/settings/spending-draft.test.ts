import { describe, expect, it } from "vitest";
import { draftOfRules, meansOther } from "#renderer/features/settings/security/spending-draft.ts";

const RULES = { dailyUt: 5_000_000, delay: { delayMs: 1_800_000, aboveUt: 1_000_000, firstTime: true }, only: null };

describe("the form of the spending rules", () => {
  const before = draftOfRules(RULES, "en");

  it("has something to save where it means other rules, not where it only looks different", () => {
    expect(meansOther(before, before, "en")).toBe(false);
    expect(meansOther({ ...before, limit: "5.00" }, before, "en")).toBe(false);
    expect(meansOther({ ...before, hasLimit: false }, before, "en")).toBe(true);
    expect(meansOther({ ...before, limit: "6" }, before, "en")).toBe(true);
    expect(meansOther({ ...before, only: [] }, before, "en")).toBe(true);
    expect(meansOther({ ...before, minutes: 60 }, before, "en")).toBe(true);
    const off = { ...before, hasLimit: false };
    expect(meansOther({ ...off, limit: "typed before it was switched off" }, off, "en")).toBe(false);
  });

  it("has something to say where a field cannot be read", () => {
    expect(meansOther({ ...before, limit: "much" }, before, "en")).toBe(true);
  });
});
