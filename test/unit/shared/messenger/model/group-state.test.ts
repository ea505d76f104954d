import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GROUP_MEMBERSHIP_STATUSES, type GroupEntry, type GroupStateBody, MAX_GROUP_ENTRIES } from "#shared/content/group-content.ts";
import { linesOfState } from "#shared/messenger/model/group-lines.ts";
import {
  type GroupRecord,
  isClockPlausible,
  LATE_MS,
  MAX_CLOCK_LEAD,
  MAX_STATE_LEAD,
  mayWrite,
  membersOf,
  stateOf,
  withDeparture,
  withKnownMentions,
  withState,
} from "#shared/messenger/model/group-state.ts";
import { MAX_GROUP_MEMBERS } from "#shared/protocol/groups/group-bounds.ts";
import { newGroup } from "#test/support/worlds/older-group.ts";

const key = (number: number): string => number.toString(16).padStart(2, "0").repeat(32);
const [ANN, BOB, CAROL, DAVE] = [key(1), key(2), key(3), key(4)] as const;
const FIRST = newGroup(ANN, { name: "Hikes", others: [BOB, CAROL], at: 1_000 });

function state(changes: Partial<GroupStateBody> = {}, base: GroupRecord = FIRST): GroupStateBody {
  return { ...stateOf(base), ...changes };
}

function known(me: string): GroupRecord {
  const group = withState(undefined, state(), { author: ANN, me, isOwn: false });
  if (group === undefined) throw new Error("not invited");
  return group;
}

it("a clock that no honest device can have is none of a group's", () => {
  const group = known(BOB);
  const next = Math.max(...Object.values(group.entries).map(({ clock }) => clock), group.name.clock) + 1;
  const far = (clock: number): GroupStateBody => ({ ...state(), entries: [{ key: CAROL, clock, standing: "removed", at: 1 }] });
  const isPlausible = {
    leave: (clock: number): boolean => isClockPlausible(group, { kind: "group.leave", clock }),
    entry: (clock: number): boolean => isClockPlausible(group, far(clock)),
    name: (clock: number): boolean => isClockPlausible(group, state({ name: { text: "x", clock, at: 1 } })),
  };
  for (const [of, lead] of [
    ["leave", MAX_CLOCK_LEAD],
    ["entry", MAX_STATE_LEAD],
    ["name", MAX_STATE_LEAD],
  ] as const)
    expect([next + lead, next + lead + 1, Number.MAX_SAFE_INTEGER].map(isPlausible[of]), of).toEqual([true, false, false]);
});

describe("an invitation", () => {
  it("is taken from the admin, by those it names", () => {
    expect(membersOf(known(BOB))).toEqual([ANN, BOB, CAROL]);
    expect(withState(undefined, state(), { author: ANN, me: DAVE, isOwn: false })).toBeUndefined();
  });

  it("is not taken from anybody else", () => {
    expect(withState(undefined, state(), { author: BOB, me: CAROL, isOwn: false })).toBeUndefined();
  });
});

describe("a group that two devices of its admin give to others at once", () => {
  it("has the admin of the later one, in either order", () => {
    const earlier = state({ term: 1, since: 2_000, keeper: CAROL });
    const later = state({ term: 1, since: 3_000, keeper: BOB });
    const by = { author: ANN, me: DAVE, isOwn: false };
    for (const [one, other] of [
      [earlier, later],
      [later, earlier],
    ] as const)
      expect(withState(withState(FIRST, one, by), other, by)?.keeper).toBe(BOB);
  });
});

describe("a state", () => {
  const without = (person: string): GroupEntry[] =>
    state().entries.map((entry) => (entry.key === person ? { ...entry, clock: 2, standing: "removed" as const, at: 2_000 } : entry));

  it("of the admin removes, and no other does", () => {
    const removal = state({ entries: without(CAROL) });
    const after = withState(known(BOB), removal, { author: ANN, me: BOB, isOwn: false });
    expect(after && membersOf(after)).toEqual([ANN, BOB]);
    expect(withState(known(BOB), removal, { author: CAROL, me: BOB, isOwn: false })).toBeUndefined();
    expect(withState(known(BOB), { ...removal, keeper: CAROL, term: 1 }, { author: CAROL, me: BOB, isOwn: false })).toBeUndefined();
  });

  it("appoints another admin; the one before has nothing to say afterwards", () => {
    const handed = state({ term: 1, keeper: BOB, since: 5_000 });
    const after = withState(known(CAROL), handed, { author: ANN, me: CAROL, isOwn: false });
    expect(after?.keeper).toBe(BOB);
    const late = state({ term: 1, keeper: BOB, since: 5_000, entries: without(BOB) });
    expect(after && withState(after, { ...late, term: 2, keeper: ANN }, { author: ANN, me: CAROL, isOwn: false })).toBeUndefined();
    const byNew = after && withState(after, { ...handed, entries: without(ANN) }, { author: BOB, me: CAROL, isOwn: false });
    expect(byNew && membersOf(byNew)).toEqual([BOB, CAROL]);
  });

  it("does not bring back who has left, but a later invitation does", () => {
    const left = withDeparture(known(BOB), CAROL, { clock: 1, at: 3_000 });
    const again = withState(left, state({ term: 1, keeper: ANN, since: 4_000 }), { author: ANN, me: BOB, isOwn: false });
    expect(again && membersOf(again)).toEqual([ANN, BOB]);
    const entries = state().entries.map((entry) => (entry.key === CAROL ? { ...entry, clock: 9 } : entry));
    const back = withState(left, state({ entries }), { author: ANN, me: BOB, isOwn: false });
    expect(back && membersOf(back)).toEqual([ANN, BOB, CAROL]);
  });

  it("with more people than a group may have counts the same ones everywhere", () => {
    const many = newGroup(ANN, { name: "x", others: Array.from({ length: MAX_GROUP_MEMBERS + 8 }, (_, index) => key(index + 2)), at: 1 });
    expect(membersOf(many)).toHaveLength(MAX_GROUP_MEMBERS);
    expect(membersOf(many)).toEqual([...membersOf(many)].sort());
  });

  it("tells of no more people than fit, and of everyone who is in it", () => {
    const gone = Object.fromEntries(
      Array.from({ length: MAX_GROUP_ENTRIES }, (_, index) => [
        (index + 1_000).toString(16).padStart(64, "0"),
        { clock: index + 5, standing: "removed" as const, at: 1 },
      ]),
    );
    const seen = stateOf({ ...FIRST, entries: { ...FIRST.entries, ...gone } }).entries;
    expect(seen).toHaveLength(MAX_GROUP_ENTRIES);
    expect(seen.filter(({ standing: status }) => status === "in").map((entry) => entry.key)).toEqual([ANN, BOB, CAROL]);
  });
});

describe("states and departures", () => {
  const people = [ANN, BOB, CAROL, DAVE, key(5), key(6)];
  const entry = fc.record({
    key: fc.constantFrom(...people),
    clock: fc.integer({ min: 1, max: 4 }),
    standing: fc.constantFrom(...GROUP_MEMBERSHIP_STATUSES),
    at: fc.integer({ min: 0, max: 3 }),
  });
  const name = fc.record({ text: fc.constantFrom("a", "b"), clock: fc.integer({ min: 1, max: 4 }), at: fc.constant(1) });
  const news = fc.oneof(
    fc.record({ kind: fc.constant("state" as const), name, entries: fc.array(entry, { minLength: 1, maxLength: 6 }) }),
    fc.record({ kind: fc.constant("left" as const), author: fc.constantFrom(...people), clock: fc.integer({ min: 1, max: 4 }) }),
  );

  it("make the same group in any order, repeated or not", () => {
    const apply = (group: GroupRecord, item: typeof news extends fc.Arbitrary<infer T> ? T : never): GroupRecord => {
      if (item.kind === "left") return withDeparture(group, item.author, { clock: item.clock, at: 7 });
      return withState(group, state({ name: item.name, entries: item.entries }), { author: ANN, me: BOB, isOwn: false }) ?? group;
    };
    fc.assert(
      fc.property(fc.array(news, { minLength: 1, maxLength: 8 }), fc.infiniteStream(fc.nat()), (items, ranks) => {
        const shuffled = [...items, ...items].map((item) => ({ item, rank: ranks.next().value ?? 0 })).sort((a, b) => a.rank - b.rank);
        const inOrder = items.reduce(apply, known(BOB));
        const mixed = shuffled.map(({ item }) => item).reduce(apply, known(BOB));
        expect(mixed.name).toEqual(inOrder.name);
        expect(mixed.entries).toEqual(inOrder.entries);
      }),
      { seed: 31, numRuns: 300 },
    );
  });
});

describe("who may write", () => {
  const entries = { ...FIRST.entries, [CAROL]: { clock: 2, standing: "removed" as const, at: 5_000 } };
  const group: GroupRecord = { ...FIRST, entries, learned: { [CAROL]: 6_000 } };

  it.each([
    ["a member", BOB, { at: 9_000, nowMs: 9_000 }, true],
    ["an unknown person", DAVE, { at: 1, nowMs: 2 }, false],
    ["a removed member, before that", CAROL, { at: 4_999, nowMs: 6_000 }, true],
    ["a removed member, after that", CAROL, { at: 5_001, nowMs: 6_000 }, false],
    ["a removed member, who says it was long ago", CAROL, { at: 4_999, nowMs: 6_001 + LATE_MS }, false],
    ["a removed member, before that, to a device that learned of it late", CAROL, { at: 4_999, nowMs: 5_999 + LATE_MS }, true],
  ])("%s", (_, author, when, expected) => {
    expect(mayWrite(group, author, when)).toBe(expected);
  });
});

describe("lines", () => {
  it("tell a newcomer nothing of what was before", () => {
    const entries: GroupEntry[] = [...state().entries, { key: DAVE, clock: 4, standing: "in", at: 9_000 }];
    const changed = state({ entries, name: { text: "Walks", clock: 3, at: 8_000 } });
    const seen = (me: string, joined: number): readonly string[] =>
      linesOfState("g", changed, { me, joined }).map(({ body }) => body.event);
    expect(seen(DAVE, 4)).toEqual(["added"]);
    expect(seen(BOB, 1)).toEqual(["made", "named", "added"]);
  });
});

it("a text of a group names no one who was never in it, and one of a chat of two no one", () => {
  const bob = { start: 0, length: 4, person: BOB };
  const dave = { start: 5, length: 5, person: DAVE };
  const body = { kind: "text", text: "@Bob @Dave", mentions: [bob, dave] } as const;
  expect(withKnownMentions(FIRST, body)).toEqual({ ...body, mentions: [bob] });
  expect(withKnownMentions(undefined, body)).toEqual({ kind: "text", text: "@Bob @Dave" });
  expect(withKnownMentions(FIRST, { kind: "delete", id: "1" })).toEqual({ kind: "delete", id: "1" });
});
