import { describe, expect, it } from "vitest";
import { excerptOf } from "#renderer/features/inbox/model/found-excerpt.ts";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { en } from "#renderer/lib/messages/en.ts";

const excerpt = (text: string, query: string): string => excerptOf(createTranslate("en", en), { kind: "text", text }, query);
const BEFORE = "It takes quite a while until the word is there: ";

describe("the excerpt of a message that was found", () => {
  it.each([
    ["the word as it was typed", `${BEFORE}cafe`, "cafe", "…ntil the word is there: cafe"],
    ["a word with accents", `${BEFORE}café crème`, "CAFE", "…ntil the word is there: café crème"],
    ["accents that the text has not", `${BEFORE}cafe`, "café", "…ntil the word is there: cafe"],
    ["a text whose letters fold to several", `ﬃﬃﬃ ${BEFORE}Straße`, "stras", `ﬃﬃﬃ ${BEFORE}Straße`],
    ["accents as marks of their own", `${"e\u0301".repeat(8)} ${BEFORE}über`, "uber", "…ntil the word is there: über"],
    ["a word at the beginning", "Café first", "cafe", "Café first"],
  ])("begins shortly before %s", (_, text, query, expected) => {
    expect(excerpt(text, query)).toBe(expected);
  });
});
