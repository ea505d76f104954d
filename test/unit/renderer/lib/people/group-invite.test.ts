import { describe, expect, it } from "vitest";
import { dataOfInvite, inviteWith } from "#renderer/lib/people/group-invite.ts";

describe("the invite link of a group", () => {
  it.each([
    ["parley:group#Ab-_9", "Ab-_9"],
    ["  PARLEY://group/#Ab-_9\n", "Ab-_9"],
    ["https://node.example/inbox/join#Ab-_9", "Ab-_9"],
    ["http://127.0.0.1:8080/inbox/join/#Ab-_9", "Ab-_9"],
    [inviteWith("Ab"), "Ab"],
  ])("%j holds %s", (text, data) => expect(dataOfInvite(text)).toBe(data));

  it.each([
    "",
    "parley:group",
    "parley:group#",
    "parley:group#a b",
    "parley:group#a.b",
    "see parley:group#ab",
    "parley:contact?id=ab",
    "https://node.example/?a=/inbox/join#ab",
    "https://node.example/inbox#ab",
    `parley:group#${"a".repeat(513)}`,
  ])("%j is none", (text) => expect(dataOfInvite(text)).toBeUndefined());
});
