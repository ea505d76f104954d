// Shares of a bill add up to the µT, and what is left over goes to the first people.
import fc from "fast-check";
import { expect, it } from "vitest";
import { equalShares, readShares } from "#renderer/features/inbox/payments/sheet/split.ts";

const people = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => String(index));

it("equal shares give what is left over to the first people, 1 µT each", () => {
  expect(equalShares(10, ["a", "b", "c"])).toEqual([
    { person: "a", amountUt: 4 },
    { person: "b", amountUt: 3 },
    { person: "c", amountUt: 3 },
  ]);
});

it("equal shares add up, and differ by 1 µT at most", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), fc.integer({ min: 1, max: 32 }), (amountUt, count) => {
      const shares = equalShares(amountUt, people(count)).map((share) => share.amountUt);
      const sum = shares.reduce((total, share) => total + share, 0);
      expect(sum).toBe(amountUt < count ? 0 : amountUt);
      expect(shares).toHaveLength(amountUt < count ? 0 : count);
      expect(Math.max(1, ...shares) - Math.min(...shares, Math.max(1, ...shares))).toBeLessThanOrEqual(1);
    }),
    { seed: 37, numRuns: 500 },
  );
});

it("no one shares nothing", () => {
  expect(equalShares(5, [])).toEqual([]);
});

it.each([
  [
    ["1", "0.5"],
    {
      kind: "ok",
      shares: [
        { person: "0", amountUt: 1_000_000 },
        { person: "1", amountUt: 500_000 },
      ],
    },
  ],
  [["1,5", ""], { kind: "ok", shares: [{ person: "0", amountUt: 1_500_000 }] }],
  [["1", "0"], { kind: "off", differenceUt: 500_000, isTooMuch: false }],
  [["1", "0.75"], { kind: "off", differenceUt: 250_000, isTooMuch: true }],
  [["1", "half"], { kind: "wrong" }],
])("own amounts %j of 1.5 T", (amounts, read) => {
  const typed = amounts.map((amount, index) => ({ person: String(index), amount }));
  expect(readShares(1_500_000, typed, "en")).toEqual(read);
});
