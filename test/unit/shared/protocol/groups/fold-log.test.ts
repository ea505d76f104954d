// What the log of a group makes of it: the same in any order, the same as by a second evaluation, and nobody who was removed changes it.
import { describe, expect, it } from "vitest";
import type { LogItem } from "#shared/protocol/groups/entry-graph.ts";
import { LogFold } from "#shared/protocol/groups/fold-log.ts";
import type { GroupChange } from "#shared/protocol/groups/log-entry.ts";
import type { OwnerTransfer } from "#shared/protocol/groups/owner-terms.ts";
import {
  anyChange,
  anyHistory,
  createItem,
  entryAfter,
  honest,
  itemOf,
  PEOPLE,
  pastOf,
  person,
  seeded,
  some,
} from "#test/support/groups/group-history.ts";
import { type NaiveGroup, naiveFold } from "#test/support/groups/naive-fold.ts";
import { extent } from "#test/support/host/test-extent.ts";

const [ANN, BOB, CAROL, DAVE, EVE] = PEOPLE as readonly [string, string, string, string, string];

function shown(items: readonly LogItem[], transfers: readonly OwnerTransfer[] = []): NaiveGroup {
  const { admins, name, picture, people, owner, links } = new LogFold(items, transfers).group;
  const statuses = Object.fromEntries(Object.entries(people).map(([key, { status }]) => [key, status]));
  return {
    admins,
    name: name.text,
    picture,
    people: statuses,
    owner,
    links: Object.fromEntries(links.map(({ key, used }) => [key, used])),
  };
}

function membersOf(items: readonly LogItem[]): readonly string[] {
  const { people } = shown(items);
  return Object.keys(people)
    .filter((key) => people[key] === "in")
    .sort();
}

function shuffled<T>(list: readonly T[], seed: number): readonly T[] {
  const random = seeded(seed);
  const result = [...list];
  for (let index = result.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [result[index], result[other]] = [result[other] as T, result[index] as T];
  }
  return result;
}

/** A log of honest entries, each on all before. */
function written(...steps: readonly (readonly [string, GroupChange])[]): readonly LogItem[] {
  const items = [createItem()];
  for (const [author, change] of steps) items.push(honest(items, author, change));
  return items;
}

const add = (...people: readonly string[]): GroupChange => ({ op: "add", at: 2, people: [...people].sort() });
const remove = (...people: readonly string[]): GroupChange => ({ op: "remove", at: 3, people: [...people].sort() });
const admins = (...people: readonly string[]): GroupChange => ({ op: "admins", at: 4, people: [...people].sort() });
const name = (text: string): GroupChange => ({ op: "name", at: 5, name: text });
const leave: GroupChange = { op: "leave", at: 6 };
const picture = (hash: string): GroupChange => ({ op: "picture", at: 7, picture: hash });
const [ONE, OTHER] = ["1", "2"].map((digit) => digit.repeat(64)) as [string, string];

describe("a log", () => {
  it("is the group that its owner made, changed by its owner and admins", () => {
    const items = written([ANN, admins(BOB)], [BOB, add(EVE)], [BOB, remove(CAROL)], [ANN, name("Walks")], [DAVE, leave]);
    expect(shown(items)).toEqual({
      owner: ANN,
      admins: [BOB],
      name: "Walks",
      picture: "",
      people: { [ANN]: "in", [BOB]: "in", [CAROL]: "removed", [DAVE]: "left", [EVE]: "in" },
      links: {},
    });
  });

  it.each<readonly [string, string, GroupChange]>([
    ["a member adds", CAROL, add(EVE)],
    ["a member names admins", CAROL, admins(CAROL)],
    ["a member renames", CAROL, name("Mine")],
    ["a member changes the picture", CAROL, picture(ONE)],
    ["an admin names admins", BOB, admins(BOB, CAROL)],
    ["an admin removes the owner", BOB, remove(ANN)],
    ["an admin removes an admin", BOB, remove(DAVE)],
    ["the owner is removed by the own hand", ANN, remove(ANN)],
    ["a stranger leaves", EVE, leave],
  ])("is not changed where %s", (_, author, change) => {
    const items = written([ANN, admins(BOB, DAVE)]);
    const later = [...items, honest(items, author, change)];
    expect(shown(later)).toEqual(shown(items));
  });

  it("has the picture that owner or admins gave it last, until they remove it", () => {
    const items = written([ANN, admins(BOB)], [ANN, picture(ONE)], [BOB, picture(OTHER)]);
    const { group } = new LogFold(items);
    expect([group.picture, group.events.map(({ kind, person }) => `${kind} ${person}`).slice(-2)]).toEqual([
      OTHER,
      [`pictured ${ANN}`, `pictured ${BOB}`],
    ]);
    const removed = new LogFold([...items, honest(items, ANN, picture(""))]).group;
    expect([removed.picture, removed.events.at(-1)?.kind]).toEqual(["", "unpictured"]);
  });

  it("has no admin any more who was removed by the owner, also not when added again", () => {
    const items = written([ANN, admins(BOB)], [ANN, remove(BOB)], [ANN, add(BOB)], [BOB, remove(CAROL)]);
    expect(shown(items)).toMatchObject({ admins: [], people: { [BOB]: "in", [CAROL]: "in" } });
  });

  it("has no owner any more who has left, and the admins go on", () => {
    const items = written([ANN, admins(BOB)], [ANN, leave], [BOB, add(ANN)], [ANN, admins(CAROL)], [BOB, remove(CAROL)]);
    const { hasOwner } = new LogFold(items).group;
    expect(hasOwner).toBe(false);
    expect(shown(items)).toMatchObject({ admins: [BOB], people: { [ANN]: "in", [CAROL]: "removed" } });
  });
});

describe("entries beside each other", () => {
  const base = written([ANN, admins(BOB)]);
  const heads = new LogFold(base).group.heads;
  const beside = (...entries: readonly (readonly [string, GroupChange])[]): readonly LogItem[] => [
    ...base,
    ...entries.map(([author, change]) => entryAfter(base, heads, { author, change })),
  ];

  it.each<readonly [string, readonly (readonly [string, GroupChange])[], Partial<NaiveGroup["people"]>]>([
    [
      "a removal goes before an addition",
      [
        [ANN, remove(CAROL)],
        [BOB, add(CAROL)],
      ],
      { [CAROL]: "removed" },
    ],
    [
      "a removal goes before leaving",
      [
        [ANN, remove(CAROL)],
        [CAROL, leave],
      ],
      { [CAROL]: "removed" },
    ],
    [
      "leaving goes before an addition",
      [
        [BOB, add(CAROL)],
        [CAROL, leave],
      ],
      { [CAROL]: "left" },
    ],
    [
      "who loses the right adds nobody",
      [
        [ANN, admins()],
        [BOB, add(EVE)],
      ],
      { [EVE]: undefined },
    ],
    [
      "who is removed removes nobody",
      [
        [ANN, remove(BOB)],
        [BOB, remove(CAROL)],
      ],
      { [BOB]: "removed", [CAROL]: "in" },
    ],
    [
      "who leaves removes nobody",
      [
        [BOB, leave],
        [BOB, remove(CAROL)],
      ],
      { [BOB]: "left", [CAROL]: "in" },
    ],
    [
      "who becomes an admin is removed by no other one",
      [
        [ANN, admins(BOB, CAROL)],
        [BOB, remove(CAROL)],
      ],
      { [CAROL]: "in" },
    ],
  ])("%s", (_, entries, people) => {
    expect(shown(beside(...entries)).people).toMatchObject(Object.fromEntries(Object.entries(people).filter(([, status]) => status)));
    for (const [key, status] of Object.entries(people)) expect(shown(beside(...entries)).people[key]).toBe(status);
  });

  it("keep of two lists of admins those who are in both", () => {
    expect(shown(beside([ANN, admins(BOB, CAROL)], [ANN, admins(CAROL, DAVE)])).admins).toEqual([CAROL]);
  });

  it("name it as the owner does, and else by the greater hash", () => {
    expect(shown(beside([ANN, name("hers")], [BOB, name("his")])).name).toBe("hers");
    const two = beside([BOB, name("one")], [BOB, name("two")]);
    const greater = two.slice(-2).sort((a, b) => (a.hash < b.hash ? 1 : -1))[0]?.entry.change;
    expect(shown(two).name).toBe(greater?.op === "name" ? greater.name : "");
  });

  it("show the owner's picture, and none of an admin who is removed beside it", () => {
    expect(shown(beside([ANN, picture(ONE)], [BOB, picture(OTHER)])).picture).toBe(ONE);
    const taken = beside([ANN, remove(BOB)], [BOB, picture(OTHER)]);
    expect([shown(taken).picture, new LogFold(taken).group.events.at(-1)?.kind]).toEqual(["", expect.stringMatching(/void|removed/)]);
    expect(new LogFold(taken).group.events.map(({ kind }) => kind)).toContain("void");
  });
});

describe("an entry of a device that is not listed", () => {
  const base = written([ANN, admins(BOB)]);
  const rogue = entryAfter(base, new LogFold(base).group.heads, { author: ANN, change: admins(EVE), isListed: false });

  it("does not count", () => {
    expect(shown([...base, rogue])).toEqual(shown(base));
  });

  it.each([
    ["its author's", ANN, true],
    ["an admin's", BOB, false],
    ["a member's", CAROL, false],
  ])("counts where a listed device knows it: %s", (_, author, counts) => {
    const items = [...base, rogue];
    const voucher = entryAfter(items, [rogue.hash], { author, change: author === CAROL ? leave : name("x") });
    const { events } = new LogFold([...items, voucher]).group;
    expect(events.some(({ kind, hash }) => kind === "adminNamed" && hash === rogue.hash)).toBe(counts);
  });
});

describe("any history", () => {
  it("makes the same group in any order of its entries", () => {
    for (let seed = 1; seed <= extent(10, 40); seed += 1) {
      const items = anyHistory(seed, 30);
      const expected = JSON.stringify(new LogFold(items).group);
      for (let order = 1; order <= 50; order += 1)
        expect(JSON.stringify(new LogFold(shuffled(items, 1_000 * seed + order)).group), `seed ${seed}, order ${order}`).toBe(expected);
    }
  });

  it("makes the group that a second evaluation makes", () => {
    for (let seed = 1; seed <= extent(120, 500); seed += 1) {
      const items = anyHistory(seed, 4 + (seed % 24));
      expect(shown(items), `seed ${seed}`).toEqual(naiveFold(items));
    }
  });

  it("is still all that its needed entries make", () => {
    for (let seed = 1; seed <= extent(60, 200); seed += 1) {
      const items = anyHistory(seed, 28);
      const { needed } = new LogFold(items);
      const rest = items.filter(({ hash }) => needed.has(hash));
      expect(shown(rest), `seed ${seed}`).toEqual(shown(items));
    }
  });
});

describe("who was removed", () => {
  /** An honest history after which the owner, and in half of them an admin, removes people for good. */
  function history(seed: number): { readonly items: readonly LogItem[]; readonly removed: readonly string[] } {
    const random = seeded(seed);
    const isByOwner = seed % 2 === 0;
    let items = written([ANN, admins(BOB, CAROL)], [BOB, add(EVE)], [CAROL, name("Walks")]);
    const removed = isByOwner ? some(random, [BOB, CAROL, DAVE, EVE], 3) : some(random, [DAVE, EVE], 2);
    const remover = isByOwner ? ANN : BOB;
    for (const someone of removed) items = [...items, honest(items, remover, { op: "remove", at: 7, people: [someone] })];
    return { items: [...items, honest(items, ANN, name("Without them"))], removed };
  }

  it("changes nothing, by any entries after anything, in hostile histories", () => {
    for (let seed = 1; seed <= extent(100, 400); seed += 1) {
      const { items, removed } = history(seed);
      const random = seeded(seed + 10_000);
      const expected = shown(items);
      const writers = [...removed, person(0x61), person(0x62)];
      let all = items;
      for (let count = 0; count < 12; count += 1) {
        // After entries before the removal, beside it, after it, and after each other's.
        const known = pastOf(
          all,
          some(random, all, 3).map(({ hash }) => hash),
        );
        const prev =
          random() < 0.5 ? new LogFold([items[0] as LogItem, ...known.slice(1)]).group.heads : some(random, all, 3).map(({ hash }) => hash);
        const author = writers[Math.floor(random() * writers.length)] ?? "";
        const change = anyChange(random, 100 + count);
        const isOwnDeparture = change.op === "leave";
        all = [
          ...all,
          entryAfter(all, prev, {
            author,
            change: isOwnDeparture ? { op: "name", at: 100 + count, name: "no" } : change,
            isListed: random() > 0.3,
          }),
        ];
      }
      expect(shown(all), `seed ${seed}`).toEqual(expected);
      expect(shown(shuffled(all, seed)), `seed ${seed}`).toEqual(expected);
      expect(membersOf(all).some((key) => removed.includes(key))).toBe(false);
    }
  });

  it("is still out, and takes nothing back of what they did, whatever departures they write", () => {
    for (let seed = 1; seed <= extent(40, 100); seed += 1) {
      const { items, removed } = history(seed);
      const random = seeded(seed);
      let all = items;
      for (const author of removed)
        for (let count = 0; count < 4; count += 1)
          all = [
            ...all,
            entryAfter(
              all,
              some(random, all, 3).map(({ hash }) => hash),
              { author, change: { op: "leave", at: 50 + count } },
            ),
          ];
      expect(shown(all), `seed ${seed}`).toEqual(shown(items));
    }
  });
});

it("an owner who has left takes back nothing by leaving again, in the past", () => {
  const items = written([ANN, admins(BOB)], [ANN, remove(CAROL)], [ANN, leave]);
  const again = entryAfter(items, [items[0]?.hash ?? ""], { author: ANN, change: { op: "leave", at: 9 } });
  expect(shown([...items, again])).toEqual(shown(items));
});

it("a log without a beginning is none", () => {
  const change = { op: "name", at: 1, name: "x" } as const;
  const item = itemOf({ group: "00".repeat(16), n: 2, prev: ["00".repeat(32)], author: ANN, device: ANN, height: 0, change });
  expect(() => new LogFold([item])).toThrow(TypeError);
  expect(() => new LogFold([])).toThrow(TypeError);
});
