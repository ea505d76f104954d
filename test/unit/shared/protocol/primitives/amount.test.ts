import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addAmounts, formatAmount, isAmount, parseAmount } from "#shared/protocol/primitives/amount.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";

const amount = fc.maxSafeNat();

describe("amounts", () => {
  it.each([-1, -0, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "1", null, 1n])("%s is none", (value) => {
    expect(isAmount(value)).toBe(false);
  });

  it("parsing takes back what formatting wrote", () => {
    fc.assert(
      fc.property(amount, (value) => {
        expect(parseAmount(formatAmount(value))).toBe(value);
      }),
      { seed: 1 },
    );
  });

  it("sums are exact or refused", () => {
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 4 }), (values) => {
        const exact = values.reduce((sum, value) => sum + BigInt(value), 0n);
        expect(addAmounts(...values)).toBe(exact > BigInt(MAX_SUPPLY_UT) ? undefined : Number(exact));
      }),
      { seed: 2 },
    );
    expect(addAmounts(MAX_SUPPLY_UT, 1)).toBeUndefined();
    expect(addAmounts(MAX_SUPPLY_UT, 0)).toBe(MAX_SUPPLY_UT);
  });

  it.each([
    ["1.5", 1_500_000],
    ["0.000001", 1],
    [" 12 T ", 12_000_000],
    ["9007199254.740991", MAX_SUPPLY_UT],
    ["007", 7_000_000],
  ])("%j is %i µT", (text, value) => {
    expect(parseAmount(text)).toBe(value);
  });

  it.each(["", "1,5", "1.", ".5", "-1", "+1", "1e3", "0.0000001", "1 000", "9007199254.740992", "1T T", "０"])(
    "%j is refused by name",
    (text) => {
      expect(() => parseAmount(text)).toThrow(`"${text}"`);
    },
  );
});
