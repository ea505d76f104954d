import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amountText } from "#renderer/lib/format/amount.ts";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { en } from "#renderer/lib/messages/en.ts";
import { amountProblem, readAmount, typedAmount } from "#renderer/lib/transactions/amount-input.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";
import { extent } from "#test/support/host/test-extent.ts";

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
    expect(readAmount(text, "en")).toEqual({ kind: "ok", amountUt });
  });

  it.each([
    ["", "empty"],
    ["   ", "empty"],
    ["abc", "malformed"],
    ["-1", "malformed"],
    ["1e6", "malformed"],
    ["1 00", "malformed"],
    ["1000,000.5", "malformed"],
    ["1.5.5", "malformed"],
    ["1,5.5,5", "malformed"],
    [".", "malformed"],
    ["0x10", "malformed"],
    ["0.0000001", "decimals"],
    ["0", "zero"],
    ["0.000000", "zero"],
    ["9007199254.740992", "tooLarge"],
    ["99999999999999999999", "tooLarge"],
  ])("%j is %s", (text, kind) => {
    expect(readAmount(text, "en")).toEqual({ kind });
  });

  it.each([
    ["2,5", "en", 2_500_000],
    ["2.5", "de", 2_500_000],
    ["2,5", "de", 2_500_000],
    ["0,500", "en", 500_000],
    ["0.500", "de", 500_000],
    ["1.000", "en", 1_000_000],
    ["1,000", "de", 1_000_000],
    ["1,000.50", "en", 1_000_500_000],
    ["1,000.50", "de", 1_000_500_000],
    ["1.000,50", "en", 1_000_500_000],
    ["1.000.000", "de", 1_000_000_000_000],
    ["12 345,5 T", "de", 12_345_500_000],
    ["12\u202f345.5", "en", 12_345_500_000],
    ["12'345.5", "de-CH", 12_345_500_000],
  ])("%s in %s is %d µT: nothing else can be meant", (text, locale, amountUt) => {
    expect(readAmount(text, locale)).toEqual({ kind: "ok", amountUt });
  });

  it.each([
    ["1.000", "de", "1", "1000"],
    ["1,000", "en", "1", "1000"],
    ["105.502", "de", "105,502", "105502"],
    ["12,345", "en-GB", "12.345", "12345"],
  ])("%s in %s may be %s or %s, and is refused in words", (text, locale, small, large) => {
    expect(readAmount(text, locale)).toEqual({ kind: "ambiguous", small, large });
    expect(amountProblem(createTranslate(locale, en), readAmount(text, locale))).toContain(`${small} or ${large}`);
  });

  it("is never read as another number than any that it can be", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\d.,' T]{1,12}$/), fc.constantFrom("en", "de"), (text, locale) => {
        const input = readAmount(text, locale);
        if (input.kind !== "ok") return;
        const digits = text.replaceAll(/\D/g, "");
        // Its digits, in their order, with one mark for decimals at most where one was typed.
        const plain = formatAmount(input.amountUt).replace(" T", "");
        const padded = digits.replace(/^0+/, "").replace(/0+$/, "");
        expect(plain.replace(".", "").replace(/^0+/, "").replace(/0+$/, "")).toBe(padded);
        if (!/[.,]/.test(text)) expect(plain).not.toContain(".");
      }),
      { seed: 20_261_122, numRuns: extent(500, 2_000) },
    );
  });

  it("may not be more than can be paid, to the last µT", () => {
    expect(readAmount("4.999", "en", 4_999_000)).toEqual({ kind: "ok", amountUt: 4_999_000 });
    expect(readAmount("4.999001", "en", 4_999_000)).toEqual({ kind: "insufficient", maxUt: 4_999_000 });
  });

  it("comes back exactly from the text that Max writes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_SUPPLY_UT }), fc.constantFrom("en", "de", "de-CH", "fr", "ar"), (amountUt, locale) => {
        expect(readAmount(typedAmount(amountUt, locale), locale, amountUt)).toEqual({ kind: "ok", amountUt });
        expect(readAmount(amountText({ locale }, amountUt), locale)).toEqual({ kind: "ok", amountUt });
      }),
      { seed: 20_261_121 },
    );
  });

  it("has words for every problem, and none where there is none", () => {
    const t = createTranslate("en", en);
    const problems = ["1,500", "x", "0.0000001", "0", "99999999999999999999"].map((text) => amountProblem(t, readAmount(text, "en")));
    expect(new Set(problems).size).toBe(problems.length);
    expect(amountProblem(t, readAmount("9", "en", 1_000_000))).toContain("1\u00a0T");
    expect(amountProblem(t, readAmount("9", "en", 0))).toBe(en["wallet.amountNothing"]);
    expect(amountProblem(t, readAmount("", "en"))).toBeUndefined();
    expect(amountProblem(t, readAmount("1", "en"))).toBeUndefined();
  });
});
