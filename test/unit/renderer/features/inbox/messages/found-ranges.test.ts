import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foundRanges, foundTerms } from "#renderer/features/inbox/messages/search/found-ranges.ts";
import { foldText } from "#shared/messenger/store/search/search-text.ts";

const marked = (text: string, query: string, most = 100): readonly string[] =>
  foundRanges(text, foundTerms(query), most).map(({ start, end }) => text.slice(start, end));

describe("words that were searched for", () => {
  it.each([
    ["wherever they stand, from left to right", "To be or not to be", "be to", ["To", "be", "to", "be"]],
    ["in either case", "Lunch, LUNCH and lunches", "lUNCH", ["Lunch", "LUNCH", "lunch"]],
    ["with accents and without", "café, CAFE, cafe\u0301!", "Café", ["café", "CAFE", "cafe\u0301"]],
    ["as whole characters, where one is several letters", "ﬃ", "f", ["ﬃ"]],
    ["behind characters of two units", "😀😀 word", "word", ["word"]],
    ["once where one is inside of another", "lunchtime", "lunch lunchtime unch", ["lunchtime"]],
    ["as one where they overlap", "abcd", "abc bcd", ["abcd"]],
    ["whatever form a sigma has", "ΟΔΟΣ οδός", "οδος", ["ΟΔΟΣ", "οδός"]],
    ["nowhere for an empty query", "text", "  ", []],
    ["nowhere where they are not", "text", "other", []],
  ])("are marked %s", (_, text, query, expected) => {
    expect(marked(text, query)).toEqual(expected);
  });

  it("are marked up to a number", () => {
    expect(marked("a".repeat(9_000), "a", 7)).toHaveLength(7);
    expect(marked(`${"x".repeat(10_000)} word`, "word")).toEqual([]);
  });

  it("are what the search compares, in any text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 40 }),
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }),
        (text, query) => {
          const terms = foundTerms(query);
          const ranges = foundRanges(text, terms, 100);
          const folded = foldText(text).replaceAll("ς", "σ");
          if (!terms.some((term) => folded.includes(term))) expect(ranges).toEqual([]);
          for (const [index, { start, end }] of ranges.entries()) {
            const own = foldText(text.slice(start, end)).replaceAll("ς", "σ");
            expect(terms.some((term) => own.includes(term))).toBe(true);
            expect(start).toBeGreaterThanOrEqual(ranges[index - 1]?.end ?? 0);
          }
        },
      ),
    );
  });
});
