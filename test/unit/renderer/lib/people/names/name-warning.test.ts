import { describe, expect, it } from "vitest";
import { addressTail, claimedName } from "#renderer/lib/people/names/claimed-name.ts";
import { labelLines, labelOf } from "#renderer/lib/people/names/use-label.ts";
import { findNameWarning } from "#renderer/lib/people/names/use-name-warning.ts";
import type { Person } from "#renderer/lib/people/people-context.tsx";
import { formatAddress } from "#shared/protocol/primitives/address.ts";

const ALICE = "0a".repeat(32);
const OTHER = "0b".repeat(32);
const STRANGER: Person = {
  name: "Alice",
  isOwnName: false,
  isProfileName: false,
  isVerified: false,
  isContact: false,
  isSelf: false,
};

describe("the name of a person", () => {
  it("has 60 bits of the key beside it for a stranger, whether they published or sent it", () => {
    const tail = formatAddress(ALICE).slice(-12);
    expect(labelOf(STRANGER, ALICE)).toBe(`Alice (…${tail})`);
    expect(labelOf({ ...STRANGER, isProfileName: true }, ALICE)).toBe(`Alice (…${tail})`);
    expect(5 * addressTail(ALICE, false).length).toBeGreaterThanOrEqual(60);
  });

  it("stands alone where something else says who they are", () => {
    for (const known of [{ isOwnName: true }, { isVerified: true }, { isSelf: true }, { isContact: true }])
      expect(labelOf({ ...STRANGER, ...known }, ALICE)).toBe("Alice");
    expect(labelOf({ ...STRANGER, isContact: true, isProfileName: true }, ALICE)).toBe(`Alice (…${formatAddress(ALICE).slice(-5)})`);
  });

  it("is in a line of its own where one has room for it, with the same end of the address below", () => {
    const tail = `…${formatAddress(ALICE).slice(-12)}`;
    expect(labelLines(STRANGER, ALICE)).toEqual({ name: "Alice", tail });
    expect(labelLines({ ...STRANGER, isOwnName: true }, ALICE)).toEqual({ name: "Alice" });
    expect(labelLines({ ...STRANGER, name: undefined }, ALICE)).toEqual({ name: labelOf({ ...STRANGER, name: undefined }, ALICE) });
  });

  it("does not push the end of the address out of sight", () => {
    const name = "Alice, who is a very old friend of yours from school";
    expect(claimedName(name, ALICE, false)).toBe(`${name.slice(0, 32)}… (…${formatAddress(ALICE).slice(-12)})`);
  });

  it.each(["Alice", "ALICE", "Аlice", "AIice", "A\u200blice", "Alice."])("is warned of when %s reads like a contact's", (name) => {
    expect(findNameWarning({ publicKey: OTHER, name }, [[ALICE, "Alice"]])).toEqual({ kind: "resembles", other: ALICE, name: "Alice" });
  });

  it("is warned of when it mixes scripts, and not when it is one's own or another's", () => {
    expect(findNameWarning({ publicKey: OTHER, name: "Саrol" }, [[ALICE, "Alice"]])).toEqual({ kind: "mixesScripts" });
    expect(findNameWarning({ publicKey: ALICE, name: "Alice" }, [[ALICE, "Alice"]])).toBeUndefined();
    expect(findNameWarning({ publicKey: OTHER, name: "Carol" }, [[ALICE, "Alice"]])).toBeUndefined();
  });
});
