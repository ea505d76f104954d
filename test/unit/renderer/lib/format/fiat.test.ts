import { describe, expect, it } from "vitest";
import { fiatText, isCurrencyCode } from "#renderer/lib/format/fiat.ts";

const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, " ");

describe("the value of an amount", () => {
  it.each([
    ["en", 5_000_000, { rate: 2.5, currency: "EUR" }, "≈ €12.50"],
    ["de", 5_000_000, { rate: 2.5, currency: "EUR" }, "≈ 12,50 €"],
    ["de", 1_234_567_000_000, { rate: 1, currency: "USD" }, "≈ 1.234.567,00 $"],
    ["en", 1_000_000, { rate: 151.4, currency: "JPY" }, "≈ ¥151"],
    ["en", 1, { rate: 2.5, currency: "EUR" }, "< €0.01"],
    ["en", 0, { rate: 2.5, currency: "EUR" }, "≈ €0.00"],
  ])("in %s of %d µT at %j is %s", (locale, amountUt, rate, text) => {
    expect(plain(fiatText(locale, amountUt, rate))).toBe(text);
  });

  it.each([
    ["EUR", true],
    ["eur", false],
    ["EURO", false],
    ["", false],
    ["€€€", false],
  ])("%s is a code: %s", (text, isCode) => expect(isCurrencyCode(text)).toBe(isCode));
});
