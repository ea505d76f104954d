import { describe, expect, it } from "vitest";
import { parseAmountArgument, parseFeeArgument } from "#node/cli/amount-argument.ts";

describe("parseAmountArgument", () => {
  it.each([
    ["1.5", 1_500_000],
    ["1.5T", 1_500_000],
    ["0.000001 T", 1],
    ["1500000ut", 1_500_000],
    ["7 µT", 7],
    ["9007199254740991ut", 9_007_199_254_740_991],
  ])("reads %s", (text, amount) => {
    expect(parseAmountArgument(text)).toBe(amount);
  });

  it.each(["", "-1", "1,5", "1e3", "0.0000001", "1.5ut", "9007199254740992ut", "NaN", "0x10"])("refuses %j", (text) => {
    expect(() => parseAmountArgument(text)).toThrow(/is not an amount|exceeds the largest/);
  });
});

describe("parseFeeArgument", () => {
  it.each([
    ["5000", 5_000],
    ["5000ut", 5_000],
    ["0.005T", 5_000],
    ["2T", 2_000_000],
  ])("reads %s", (text, amount) => {
    expect(parseFeeArgument(text)).toBe(amount);
  });

  it.each(["", "0.005", "-5000", "5e3", "5000 t"])("refuses %j rather than guess its unit", (text) => {
    expect(() => parseFeeArgument(text)).toThrow(/is not a fee: write whole µT/);
  });
});
