import { describe, expect, it } from "vitest";
import { localAmount, readLocalAmount } from "#shared/text/local-amount.ts";

describe("amounts in the shell's windows", () => {
  it("have the decimal mark of the language", () => {
    expect([localAmount(1_255_000, "de"), localAmount(1_255_000, "en")]).toEqual(["1,255 T", "1.255 T"]);
    expect([localAmount(1_000_000_000, "de"), localAmount(1, "de")]).toEqual(["1000 T", "0,000001 T"]);
  });

  it("are read as they are written, and not guessed", () => {
    for (const language of ["en", "de"] as const)
      for (const amountUt of [1, 1_255_000, 2_500_000, 123_456_000, 7_000_000_000])
        expect(readLocalAmount(localAmount(amountUt, language), language)).toBe(amountUt);
    expect([readLocalAmount("2.5", "de"), readLocalAmount("2,5", "en"), readLocalAmount("0.125", "de")]).toEqual([
      2_500_000, 2_500_000, 125_000,
    ]);
    for (const [text, language] of [
      ["1.255", "de"],
      ["1,255", "en"],
      ["1.000,5", "de"],
      ["1,000.5", "en"],
      ["-1", "de"],
      ["", "de"],
      ["1e3", "en"],
    ] as const)
      expect(readLocalAmount(text, language), text).toBeUndefined();
  });
});
