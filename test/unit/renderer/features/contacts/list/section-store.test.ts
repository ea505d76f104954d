import { describe, expect, it } from "vitest";
import { isAnswered } from "#renderer/features/contacts/list/section-store.ts";

const OPEN = { requests: 2, shown: "ab", isContact: false };

describe("the list of requests", () => {
  it.each([
    ["the last one was answered", OPEN, { ...OPEN, requests: 0 }],
    ["the one in view was accepted", OPEN, { ...OPEN, requests: 1, isContact: true }],
    ["all were answered in another view", undefined, { requests: 0, shown: undefined, isContact: false }],
  ])("gives way to the people when %s", (_what, before, now) => {
    expect(isAnswered(before, now)).toBe(true);
  });

  it.each([
    ["nothing happened", OPEN, OPEN],
    ["another one was declined or accepted in the list", OPEN, { ...OPEN, requests: 1 }],
    ["it is empty and was chosen", { ...OPEN, requests: 0 }, { ...OPEN, requests: 0 }],
    ["a contact is opened", OPEN, { ...OPEN, shown: "cd", isContact: true }],
    ["there are some when it is first shown", undefined, OPEN],
  ])("stays when %s", (_what, before, now) => {
    expect(isAnswered(before, now)).toBe(false);
  });
});
