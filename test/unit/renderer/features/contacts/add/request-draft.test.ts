import { describe, expect, it } from "vitest";
import { checkRequest, initialAmount } from "#renderer/features/contacts/add/request-draft.ts";

const ANNA = "0a".repeat(32);
const RICH = 10_000_000;

describe("form of a contact request", () => {
  it("starts with the least amount, and that is right", () => {
    expect(initialAmount("en")).toBe("0.005");
    expect(initialAmount("de")).toBe("0,005");
    expect(checkRequest({ amount: initialAmount("en"), intro: "" }, ANNA, { locale: "en", balanceUt: RICH }).intent).toEqual({
      kind: "requestContact",
      to: ANNA,
      amountUt: 5_000,
    });
  });

  it.each([
    ["", "invalid"],
    ["1,005", "invalid"],
    ["0.0000001", "invalid"],
    ["-1", "invalid"],
    ["0", "tooSmall"],
    ["0.004999", "tooSmall"],
    ["9.999001", "tooLarge"],
    ["9007199254.740991", "tooLarge"],
  ] as const)("refuses the amount %o as %s", (amount, problem) => {
    expect(checkRequest({ amount, intro: "" }, ANNA, { locale: "en", balanceUt: RICH })).toMatchObject({
      amountProblem: problem,
      intent: undefined,
    });
  });

  it("allows what leaves exactly nothing", () => {
    expect(checkRequest({ amount: "9.999", intro: "" }, ANNA, { locale: "en", balanceUt: RICH }).intent?.amountUt).toBe(9_999_000);
  });

  it("does not limit the amount while the balance is unknown", () => {
    expect(checkRequest({ amount: "1000", intro: "" }, ANNA, { locale: "en", balanceUt: undefined }).amountProblem).toBeUndefined();
  });

  it("counts the intro in characters as people see them in the limit, without outer white space", () => {
    const long = "🦊".repeat(280);
    expect(checkRequest({ amount: "1", intro: ` ${long}\n` }, ANNA, { locale: "en", balanceUt: RICH }).intent?.intro).toBe(long);
    expect(checkRequest({ amount: "1", intro: `${long}.` }, ANNA, { locale: "en", balanceUt: RICH })).toMatchObject({
      isIntroTooLong: true,
      intent: undefined,
    });
  });
});
