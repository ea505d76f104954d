import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTokenAmount, parseTokenAmount } from "#renderer/lib/format/token-amount.ts";

describe("amounts of tokens", () => {
  it.each([
    [1250n, 2, "12.5"],
    [5n, 2, "0.05"],
    [0n, 18, "0"],
    [700n, 0, "700"],
    [2n ** 64n - 1n, 18, "18.446744073709551615"],
  ])("writes %s units of %i decimals", (units, decimals, text) => expect(formatTokenAmount(units, decimals)).toBe(text));

  it.each(["", "1.234", "-1", "1,5", "1e3", "99999999999999999999", ".5", "1."])("refuses %j with two decimals", (text) =>
    expect(parseTokenAmount(text, 2)).toBeUndefined(),
  );

  it("reads back exactly what it wrote", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.integer({ min: 0, max: 18 }), (units, decimals) => {
        expect(parseTokenAmount(formatTokenAmount(units, decimals), decimals)).toBe(units);
      }),
      { seed: 7 },
    );
  });
});
