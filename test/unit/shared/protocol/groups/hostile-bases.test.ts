// Bases of owners and devices that are not honest: what they cannot take, hide or bring back.
import { describe, expect, it } from "vitest";
import { type BasePerson, type BaseState, decodeBaseState, encodeBaseState, hashOfState } from "#shared/protocol/groups/base-state.ts";
import { FULL_LOG_MS, LITTLE_ROOM_ENTRIES, MAX_AWAITED_ENTRIES } from "#shared/protocol/groups/group-bounds.ts";
import { isBaseDue, type StoredEntry, withTransfer } from "#shared/protocol/groups/group-log.ts";
import { partsAt, rebased, type SentBase } from "#shared/protocol/groups/join-base.ts";
import { lostDepartures, stateAt } from "#shared/protocol/groups/log-base.ts";
import type { GroupChange } from "#shared/protocol/groups/log-entry.ts";
import type { OwnerTransfer } from "#shared/protocol/groups/owner-terms.ts";
import { createItem, itemOf, PEOPLE } from "#test/support/groups/group-history.ts";
import { LogDevice, settle, stored } from "#test/support/groups/log-device.ts";

const [ANN, BOB, CAROL] = PEOPLE as readonly [string, string, string];
const LIE = "ab".repeat(32);

const name = (text: string, at = 2): GroupChange => ({ op: "name", at, name: text });
const add = (person: string): GroupChange => ({ op: "add", at: 3, people: [person] });
const remove = (person: string): GroupChange => ({ op: "remove", at: 4, people: [person] });
const statusOf = ({ log }: Pick<LogDevice, "log">, person: string): string | undefined => log.fold.group.people[person]?.status;

/** Ann's group with Bob as its admin, on her device and on others. */
function group(...people: readonly string[]): readonly LogDevice[] {
  const devices = [ANN, ...people].map((person) => new LogDevice(person, createItem()));
  devices[0]?.write({ op: "admins", at: 2, people: [BOB] });
  settle(devices);
  return devices;
}

function pair(...people: readonly string[]): readonly [LogDevice, LogDevice] {
  return group(...people) as readonly [LogDevice, LogDevice];
}

/** A base, something after it and a base that confirms it. */
function shorten(ann: LogDevice): StoredEntry {
  const base = ann.writeBase(10) as StoredEntry;
  ann.write(name("after", 11));
  ann.writeBase(12);
  expect(ann.log.root?.hash).toBe(base.hash);
  return base;
}

describe("an owner who is about to pass the group on", () => {
  const offer = (at: number): GroupChange => ({ op: "owner", at, people: [BOB] });
  const paid = (entry: StoredEntry): OwnerTransfer => ({ owner: ANN, entry: entry.hash, chainId: "parley-test", height: 5 });

  it("does not take it back by two bases beside that entry", () => {
    const [ann, other, bob] = group(ANN, BOB) as readonly [LogDevice, LogDevice, LogDevice];
    const sold = ann.write(offer(5)) as StoredEntry;
    bob.takeAll(ann);
    other.writeBase(6);
    other.write(name("mine", 7));
    other.writeBase(8);
    expect(other.log.root).toBeDefined();
    bob.takeAll(other);
    expect(bob.knows(sold.hash)).toBe(true);
    expect(withTransfer(bob.log, paid(sold)).fold.group.owner).toBe(BOB);
  });

  it("keeps each of many such entries, or writes no base", () => {
    const [ann, bob] = pair(BOB);
    const first = ann.write(offer(5)) as StoredEntry;
    for (let at = 6; at < 6 + MAX_AWAITED_ENTRIES - 1; at += 1) ann.write(offer(at));
    shorten(ann);
    expect(ann.knows(first.hash)).toBe(true);
    ann.write(offer(90));
    expect(ann.writeBase(91)).toBeUndefined();
    bob.takeAll(ann);
    expect(withTransfer(bob.log, paid(first)).fold.group.owner).toBe(BOB);
  });

  it("is followed to the next owner's base, however many bases were prepared for who did not know of the payment", () => {
    const [ann, bob, carol] = group(BOB, CAROL) as readonly [LogDevice, LogDevice, LogDevice];
    const sold = ann.write(offer(5)) as StoredEntry;
    settle([ann, bob, carol]);
    for (let at = 10; at < 40; at += 1) ann.writeBase(at);
    carol.takeAll(ann);
    carol.log = withTransfer(carol.log, paid(sold));
    bob.log = withTransfer(bob.log, paid(sold));
    bob.writeBase(50);
    bob.writeBase(51);
    expect(bob.log.root?.state.owner).toBe(BOB);
    carol.takeAll(bob);
    expect(carol.log.root?.hash).toBe(bob.log.root?.hash);
  });
});

describe("a base of which what is before is not known", () => {
  /** A base of Ann after an entry that never was, or of someone else, and one of hers that follows it. */
  function forged(
    ann: LogDevice,
    ofCarol: Partial<BasePerson>,
    author = ANN,
  ): { readonly base: SentBase; readonly entries: readonly StoredEntry[] } {
    const [create] = ann.log.entries;
    const bytes = stateAt(ann.log, ann.log.fold.group.heads) as Uint8Array;
    const state = decodeBaseState(bytes) as BaseState;
    const lie = encodeBaseState({ ...state, people: state.people.map((one) => (one.key === CAROL ? { ...one, ...ofCarol } : one)) });
    const ofAnn = { group: ann.log.id, author: ANN, device: ANN, height: 0 };
    const base = itemOf({ ...ofAnn, author, n: 40, prev: [LIE], change: { op: "base", at: 9, state: hashOfState(lie) } });
    const later = itemOf({ ...ofAnn, n: 41, prev: [base.hash], change: { op: "base", at: 10, state: LIE } });
    return { base: { kept: [create as StoredEntry], state: lie }, entries: [stored(base), stored(later)] };
  }

  it.each<readonly [string, Partial<BasePerson>]>([
    ["a time at which a known entry was not written", { at: 2 }],
    ["a known entry that did something else", { status: "removed" }],
    ["an unknown entry as the beginning", { hash: LIE }],
    ["an entry that is later than the base", { n: 40, hash: LIE }],
  ])("is not followed with %s", (_, ofCarol) => {
    const [ann, bob] = pair(BOB);
    const { base, entries } = forged(ann, ofCarol);
    expect(rebased(bob.log, base, { entries, transfers: [] })).toBe(bob.log);
    const honest = forged(ann, {});
    expect(rebased(bob.log, honest.base, { entries: honest.entries, transfers: [] }).root).toBeDefined();
  });

  it.each<readonly [string, string]>([
    ["a member", CAROL],
    ["an admin", BOB],
    ["a stranger", LIE],
  ])("is not followed where %s has signed it, though the owner's next one knows it", (_, author) => {
    const [ann, bob] = pair(BOB);
    const { base, entries } = forged(ann, {}, author);
    expect(rebased(bob.log, base, { entries, transfers: [] })).toBe(bob.log);
  });

  it("begins at the first of two that have the same state, in whichever order they come", () => {
    const [ann, bob] = pair(BOB);
    ann.writeBase(10);
    ann.writeBase(11);
    ann.writeBase(12);
    const { base, entries } = partsAt(ann.log) as { base: SentBase; entries: readonly StoredEntry[] };
    const other = rebased(bob.log, base, { entries: [...entries].reverse(), transfers: [] });
    expect(other.root?.hash).toBe(ann.log.root?.hash);
  });
});

describe("a full log", () => {
  it("gets its second base after some minutes, as no one besides the owner can write any more", () => {
    const [ann] = pair(BOB);
    for (let at = 0; at < LITTLE_ROOM_ENTRIES; at += 1) ann.write(name(`name ${at}`, at));
    ann.writeBase(1_000);
    expect(isBaseDue(ann.log, 0, 1_000 + FULL_LOG_MS - 1)).toBe(false);
    expect([0, 1].map((rank) => isBaseDue(ann.log, rank, 1_000 + FULL_LOG_MS))).toEqual([true, false]);
    ann.writeBase(2_000);
    expect(ann.log.root).toBeDefined();
    expect(isBaseDue(ann.log, 0, 9e9)).toBe(false);
  });
});

describe("a departure that a base has not known", () => {
  it("is found again, but not of who came back meanwhile", () => {
    const [ann, carol, bob] = group(CAROL, BOB) as readonly [LogDevice, LogDevice, LogDevice];
    carol.write({ op: "leave", at: 7 });
    bob.takeAll(carol);
    const before = bob.log;
    shorten(ann);
    bob.takeAll(ann);
    expect(statusOf(bob, CAROL)).toBe("in");
    expect(lostDepartures(before, bob.log)).toEqual([{ person: CAROL, n: 1, at: 7 }]);
    const [other, back] = group(BOB) as readonly [LogDevice, LogDevice];
    other.write(remove(CAROL));
    other.write(add(CAROL));
    shorten(other);
    back.takeAll(other);
    expect(lostDepartures(before, back.log)).toEqual([]);
  });
});
