// English from right to left: every word is turned around, what fills a placeholder is not.
import { describe, expect, it } from "vitest";
import { directionOf } from "#renderer/lib/messages/direction.ts";
import { en } from "#renderer/lib/messages/en.ts";
import { formatMessage } from "#renderer/lib/messages/format-message.ts";
import { loadLanguage, PSEUDO_LANGUAGE } from "#renderer/lib/messages/languages.ts";
import { turnMessage } from "#renderer/lib/messages/pseudo-right-to-left.ts";

const turned = (word: string): string => `\u202e${word}\u202c`;

describe("English from right to left", () => {
  it("turns words and leaves placeholders, in texts and in plurals", () => {
    expect(turnMessage("Pay {who} now")).toBe(`${turned("Pay")} {who} ${turned("now")}`);
    expect(turnMessage("({count})")).toBe(`${turned("(")}{count}${turned(")")}`);
    expect(turnMessage({ one: "{count} day", other: "{count} days" })).toEqual({
      one: `{count} ${turned("day")}`,
      other: `{count} ${turned("days")}`,
    });
  });

  it("keeps the order within what fills a placeholder; in English nothing is added", () => {
    expect(formatMessage("ar-XB", "{amount} to {who}", { amount: "1.5 T", who: "pl1abc" })).toBe("\u20681.5 T\u2069 to \u2068pl1abc\u2069");
    expect(formatMessage("en-GB", "{amount} to {who}", { amount: "1.5 T", who: "pl1abc" })).toBe("1.5 T to pl1abc");
  });

  it("has every message of English, whatever the person's languages are", async () => {
    const { tag, catalogue } = await loadLanguage(PSEUDO_LANGUAGE, ["de-AT"], "all");
    expect(tag).toBe("ar-XB");
    expect(Object.keys(catalogue)).toEqual(Object.keys(en));
    expect(catalogue["common.back"]).toBe(turned(en["common.back"]));
  });
});

describe("the direction of a language", () => {
  it.each([
    ["en", "ltr"],
    ["de-AT", "ltr"],
    ["ar-XB", "rtl"],
    ["he", "rtl"],
    ["FA-ir", "rtl"],
  ])("of %s is %s", (locale, direction) => expect(directionOf(locale)).toBe(direction));
});
