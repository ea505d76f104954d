import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPaymentLink, isPaymentLink, parsePaymentLink } from "#renderer/lib/transactions/payment-link.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";

const KEY = "8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394";
const ADDRESS = formatAddress(KEY);

describe("payment links", () => {
  it("are written in the documented form", () => {
    expect(formatPaymentLink({ to: KEY, amountUt: 1_500_000 })).toBe(`parley:pay?to=${ADDRESS}&amount=1.5`);
    expect(formatPaymentLink({ to: KEY })).toBe(`parley:pay?to=${ADDRESS}`);
  });

  it("come back as they were, whatever amount and memo", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MAX_SUPPLY_UT }),
        fc.string({ minLength: 1, maxLength: 80, unit: "grapheme" }),
        (amountUt, memo) => {
          const request = { to: KEY, amountUt, memo };
          expect(parsePaymentLink(formatPaymentLink(request))).toEqual(request);
        },
      ),
      { seed: 20_261_121 },
    );
  });

  it.each([`parley:pay?to=${KEY}`, `parley://pay?to=${ADDRESS}`, `PARLEY:PAY?to=${ADDRESS.toUpperCase()}`, `  parley:pay/?to=${ADDRESS} `])(
    "take the form %s",
    (link) => {
      expect(parsePaymentLink(link)).toEqual({ to: KEY });
    },
  );

  it.each([
    ["another action", `parley:send?to=${ADDRESS}`],
    ["another scheme", `bitcoin:pay?to=${ADDRESS}`],
    ["no recipient", "parley:pay?amount=5"],
    ["a broken address", `parley:pay?to=${ADDRESS.slice(1)}`],
    ["a negative amount", `parley:pay?to=${ADDRESS}&amount=-5`],
    ["an amount with seven decimals", `parley:pay?to=${ADDRESS}&amount=0.1234567`],
    ["two amounts", `parley:pay?to=${ADDRESS}&amount=5&amount=500`],
    ["two recipients", `parley:pay?to=${ADDRESS}&to=${KEY}`],
    ["endless text", `parley:pay?to=${ADDRESS}&memo=${"x".repeat(3_000)}`],
  ])("refuse %s", (_, link) => {
    expect(parsePaymentLink(link)).toBeUndefined();
  });

  it("are recognised even when a field is wrong, so that the person sees why", () => {
    expect(isPaymentLink("parley:pay?to=nope")).toBe(true);
    expect(isPaymentLink(ADDRESS)).toBe(false);
  });
});
