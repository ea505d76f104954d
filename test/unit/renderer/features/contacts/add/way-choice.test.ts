import { describe, expect, it } from "vitest";
import { type ContactWay, waysTo } from "#renderer/features/contacts/add/way-choice.tsx";
import type { ContactRelation } from "#renderer/lib/people/contacts/contact-directory.ts";

describe("ways to make a contact", () => {
  it.each<[ContactRelation, readonly ContactWay[]]>([
    ["none", ["private", "public"]],
    ["added", ["public"]],
    ["sent", ["private"]],
    ["declined", ["private"]],
    ["refused", ["private"]],
    ["request", []],
    ["contact", []],
    ["blocked", []],
  ])("of someone in the relation %s are %o", (relation, ways) => {
    expect(waysTo({ relation, isAdded: relation === "added" })).toEqual(ways);
  });

  it("do not add twice who was asked publicly afterwards", () => {
    expect(waysTo({ relation: "sent", isAdded: true })).toEqual([]);
  });
});
