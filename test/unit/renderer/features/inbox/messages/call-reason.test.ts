// What "Why?" below a call says: the reason that was stated, by the side that reads it.
import { expect, it } from "vitest";
import { reasonOf } from "#renderer/features/inbox/messages/cards/call/call-reason.ts";

it.each([
  ["no-relay", "calls.noPathWhy"],
  ["unreached-relay", "calls.noPathRelay"],
  [undefined, "calls.noPathUnknown"],
] as const)("says of a call without a path why: %s", (cause, words) => {
  for (const isIncoming of [true, false]) expect(reasonOf({ kind: "no-path", ...(cause && { cause }) }, isIncoming)).toBe(words);
});

it.each([
  ["relay-only", "calls.over.noRelay", "calls.over.theirRelay"],
  ["media", "calls.ownMedia", "calls.over.theirMedia"],
  ["failed", "calls.over.failed", "calls.over.theirFailure"],
] as const)("says of one that could not be answered whose problem it was: %s", (cause, own, theirs) => {
  expect(reasonOf({ kind: "declined", cause }, true)).toBe(own);
  expect(reasonOf({ kind: "declined", cause }, false)).toBe(theirs);
});

it("explains nothing where someone declined, or was busy", () => {
  expect(reasonOf({ kind: "declined" }, false)).toBeUndefined();
  expect(reasonOf({ kind: "busy" }, false)).toBeUndefined();
});
