import { describe, expect, it } from "vitest";
import { parseAmountArgument } from "#node/cli/session/amount-argument.ts";

describe("amounts on the command line", () => {
  it.each([
    ["1500000", 1_500_000],
    ["0", 0],
    ["1500000ut", 1_500_000],
    ["1500000 µT", 1_500_000],
    ["1500000 μt", 1_500_000],
    ["1.5T", 1_500_000],
    ["1.5 t", 1_500_000],
    ["2T", 2_000_000],
    ["0.000001T", 1],
    [" 1.5T ", 1_500_000],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
    ["9007199254.740991T", Number.MAX_SAFE_INTEGER],
  ])("reads %j as %i µT", (text, amountUt) => {
    expect(parseAmountArgument(text)).toBe(amountUt);
  });

  it.each(["1.5", "0.1", "100.0"])("refuses %j, whose unit is not said, and names both forms", (text) => {
    expect(() => parseAmountArgument(text)).toThrow(
      `"${text}" has no unit: write T with the unit and at most six decimals, like 1.5T, or whole µT`,
    );
  });

  it.each(["", "T", "much", "-1", "-1T", "1e6", "1,5T", "1_000", "1.5ut", "0.0000001T", ".5T", "1 T T", "0x10"])(
    "refuses %j, which is no amount",
    (text) => {
      expect(() => parseAmountArgument(text)).toThrow(`"${text}" is not an amount: write T`);
    },
  );

  it.each(["9007199254740992", "9007199254.740992T", "9".repeat(40)])("refuses %j, which is more than there can be", (text) => {
    expect(() => parseAmountArgument(text)).toThrow("exceeds the largest possible amount");
  });
});
