import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTokenAmount, readTokenAmount } from "#renderer/lib/format/token-amount.ts";

describe("amounts of tokens", () => {
  it.each([
    [1250n, 2, "12.5"],
    [5n, 2, "0.05"],
    [0n, 18, "0"],
    [700n, 0, "700"],
    [2n ** 64n - 1n, 18, "18.446744073709551615"],
  ])("writes %s units of %i decimals", (units, decimals, text) => {
    expect(formatTokenAmount("en", units, decimals)).toBe(text);
    expect(formatTokenAmount("de", units, decimals)).toBe(text.replace(".", ","));
  });

  it.each(["", "1.234", "-1", "1e3", "99999999999999999999", "0x1"])("refuses %j with two decimals", (text) => {
    expect(readTokenAmount(text, "en", 2)).toEqual({ kind: "malformed" });
  });

  it("takes a comma where it can only be for decimals, and guesses nothing where it cannot", () => {
    expect(readTokenAmount("1,5", "en", 2)).toEqual({ kind: "ok", units: 150n });
    expect(readTokenAmount("1.500", "de", 3)).toEqual({ kind: "ambiguous", small: "1,5", large: "1500" });
    expect(readTokenAmount("1.000", "de", 2)).toEqual({ kind: "ambiguous", small: "1", large: "1000" });
  });

  it("reads back exactly what it wrote", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.integer({ min: 0, max: 18 }),
        fc.constantFrom("en", "de", "de-CH", "fr"),
        (units, decimals, locale) => {
          expect(readTokenAmount(formatTokenAmount(locale, units, decimals), locale, decimals)).toEqual({ kind: "ok", units });
        },
      ),
      { seed: 7 },
    );
  });
});
