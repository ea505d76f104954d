import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { en } from "#renderer/lib/messages/en.ts";
import { amountProblem, readAmount, typedAmount } from "#renderer/lib/transactions/amount-input.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";

describe("a typed amount", () => {
  it.each([
    ["12", 12_000_000],
    ["0.5", 500_000],
    [".5", 500_000],
    ["5.", 5_000_000],
    [" 1.000001 ", 1_000_001],
    ["3 T", 3_000_000],
    ["3t", 3_000_000],
    ["007", 7_000_000],
    ["9007199254.740991", MAX_SUPPLY_UT],
  ])("%j is %d µT", (text, amountUt) => {
    expect(readAmount(text)).toEqual({ kind: "ok", amountUt });
  });

  it.each([
    ["", "empty"],
    ["   ", "empty"],
    ["1,5", "comma"],
    ["1,000.50", "comma"],
    ["abc", "malformed"],
    ["-1", "malformed"],
    ["1e6", "malformed"],
    ["1 000", "malformed"],
    [".", "malformed"],
    ["0x10", "malformed"],
    ["0.0000001", "decimals"],
    ["0", "zero"],
    ["0.000000", "zero"],
    ["9007199254.740992", "tooLarge"],
    ["99999999999999999999", "tooLarge"],
  ])("%j is %s", (text, kind) => {
    expect(readAmount(text)).toEqual({ kind });
  });

  it("may not be more than can be paid, to the last µT", () => {
    expect(readAmount("4.999", 4_999_000)).toEqual({ kind: "ok", amountUt: 4_999_000 });
    expect(readAmount("4.999001", 4_999_000)).toEqual({ kind: "insufficient", maxUt: 4_999_000 });
  });

  it("comes back exactly from the text that Max writes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_SUPPLY_UT }), (amountUt) => {
        expect(readAmount(typedAmount(amountUt), amountUt)).toEqual({ kind: "ok", amountUt });
      }),
      { seed: 20_261_121 },
    );
  });

  it("has words for every problem, and none where there is none", () => {
    const t = createTranslate("en", en);
    const problems = ["1,5", "x", "0.0000001", "0", "99999999999999999999"].map((text) => amountProblem(t, readAmount(text)));
    expect(new Set(problems).size).toBe(problems.length);
    expect(amountProblem(t, readAmount("9", 1_000_000))).toContain("1 T");
    expect(amountProblem(t, readAmount("9", 0))).toBe(en["wallet.amountNothing"]);
    expect(amountProblem(t, readAmount(""))).toBeUndefined();
    expect(amountProblem(t, readAmount("1"))).toBeUndefined();
  });
});
