import { describe, expect, it } from "vitest";
import { type Mentionable, matchingPeople, mentionQuery, sentText } from "#renderer/features/inbox/composer/mentions/mention-text.ts";
import { MAX_MENTIONS, withNames } from "#shared/content/chat/mention-content.ts";

const BOB: Mentionable = { person: "b0", label: "Bob", publicName: "Robert" };
const BOB_MILLER: Mentionable = { person: "b1", label: "Bob Miller", publicName: "bobm" };
const ZOE: Mentionable = { person: "20", label: "Zoë (…x1y2)", publicName: "Zoë" };
const ALL = [BOB, BOB_MILLER, ZOE];

describe("the name that is being typed", () => {
  it.each([
    ["@", 1, { start: 0, name: "" }],
    ["Hi @bo", 6, { start: 3, name: "bo" }],
    ["Hi @bo there", 6, { start: 3, name: "bo" }],
    ["(@Bob Mi", 8, { start: 1, name: "Bob Mi" }],
    ["a\n@Z", 4, { start: 2, name: "Z" }],
  ])("in %j at %i is found", (text, caret, query) => {
    expect(mentionQuery(text, caret)).toEqual(query);
  });

  it.each([
    ["mail@bo", 7],
    ["https://a.example/@bo", 21],
    ["@ bo", 4],
    ["@bo\nthere", 9],
    ["nobody", 6],
    ["@Bob", 0],
    [`@${"x".repeat(60)}`, 61],
  ])("is none in %j at %i", (text, caret) => {
    expect(mentionQuery(text, caret)).toBeUndefined();
  });

  it("fits people by the words of their names, without case and accents, those that begin so first", () => {
    expect(matchingPeople(ALL, "").length).toBe(3);
    expect(matchingPeople(ALL, "mil")).toEqual([BOB_MILLER]);
    expect(matchingPeople(ALL, "zoe")).toEqual([ZOE]);
    expect(matchingPeople([{ ...ZOE, label: "Ann Bobby" }, BOB], "bob").map(({ person }) => person)).toEqual(["b0", "20"]);
    expect(matchingPeople(ALL, "ob")).toEqual([]);
  });
});

describe("a text as it is sent", () => {
  it.each([
    ["Hi @Bob!", "Hi @Robert!", [{ start: 3, length: 7, person: "b0" }]],
    [
      "@bob miller and @Bob",
      "@bobm and @Robert",
      [
        { start: 0, length: 5, person: "b1" },
        { start: 10, length: 7, person: "b0" },
      ],
    ],
    ["*@Zoë (…x1y2)*", "*@Zoë*", [{ start: 1, length: 4, person: "20" }]],
  ])("says of %j what people call themselves, and whom it names", (typed, text, mentions) => {
    expect(sentText(typed, ALL)).toEqual({ text, mentions });
  });

  it.each(["@Bobby", "mail@Bob", "@", "Bob", "@Nobody", "https://a.example/@Bob"])("leaves %j as it is", (typed) => {
    expect(sentText(typed, ALL)).toEqual({ text: typed });
  });

  it("names so many at most, and reads again as it was typed", () => {
    const { text, mentions = [] } = sentText("@Bob ".repeat(MAX_MENTIONS + 3), ALL);
    expect(mentions).toHaveLength(MAX_MENTIONS);
    const typed = "🌍 @Bob Miller, @Zoë (…x1y2)";
    const labels = new Map(ALL.map(({ person, label }) => [person, label]));
    expect(withNames(sentText(typed, ALL), (person) => labels.get(person) ?? "")).toBe(typed);
    expect(text).toBe("@Robert ".repeat(MAX_MENTIONS + 3));
  });
});
