import { describe, expect, it } from "vitest";
import { checkRequest, initialAmount } from "#renderer/features/contacts/add/request-draft.ts";

const ANNA = "0a".repeat(32);
const FUNDS = { locale: "en", balanceUt: 10_000_000, leastFeeUt: 1_000 };

describe("form of a contact request", () => {
  it("starts with the least amount, and that is right", () => {
    expect(initialAmount("en")).toBe("0.005");
    expect(initialAmount("de")).toBe("0,005");
    expect(checkRequest({ amount: initialAmount("en"), intro: "" }, ANNA, FUNDS).intent).toEqual({
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
    expect(checkRequest({ amount, intro: "" }, ANNA, FUNDS)).toMatchObject({
      amountProblem: problem,
      intent: undefined,
    });
  });

  it("allows what leaves exactly nothing", () => {
    expect(checkRequest({ amount: "9.999", intro: "" }, ANNA, FUNDS).intent?.amountUt).toBe(9_999_000);
  });

  it("leaves room for the smallest fee of the network as it is now", () => {
    expect(checkRequest({ amount: "9.999", intro: "" }, ANNA, { ...FUNDS, leastFeeUt: 1_001 }).amountProblem).toBe("tooLarge");
    expect(checkRequest({ amount: "9.9999", intro: "" }, ANNA, { ...FUNDS, leastFeeUt: 100 }).amountProblem).toBeUndefined();
  });

  it("does not limit the amount while the balance is unknown", () => {
    expect(checkRequest({ amount: "1000", intro: "" }, ANNA, { ...FUNDS, balanceUt: undefined }).amountProblem).toBeUndefined();
  });

  it("counts the intro in characters as people see them in the limit, without outer white space", () => {
    const long = "🦊".repeat(280);
    expect(checkRequest({ amount: "1", intro: ` ${long}\n` }, ANNA, FUNDS).intent?.intro).toBe(long);
    expect(checkRequest({ amount: "1", intro: `${long}.` }, ANNA, FUNDS)).toMatchObject({
      isIntroTooLong: true,
      intent: undefined,
    });
  });
});
