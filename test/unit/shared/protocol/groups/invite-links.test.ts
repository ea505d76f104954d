// Invite links in a log: who comes in by them, what ends them, and the same by a second evaluation, in any order.
import { describe, expect, it } from "vitest";
import { decodeBaseState } from "#shared/protocol/groups/base-state.ts";
import type { LogItem } from "#shared/protocol/groups/entry-graph.ts";
import { LogFold } from "#shared/protocol/groups/fold-log.ts";
import { MAX_BASE_LINKS } from "#shared/protocol/groups/group-bounds.ts";
import { nextBaseState, nextEntry, type StoredEntry, withEntries } from "#shared/protocol/groups/group-log.ts";
import type { GroupChange } from "#shared/protocol/groups/log-entry.ts";
import type { OwnerTransfer } from "#shared/protocol/groups/owner-terms.ts";
import {
  anyChangeOrLink,
  anyHistory,
  createItem,
  entryAfter,
  honest,
  itemOf,
  LINKS,
  PEOPLE,
  person,
  seeded,
} from "#test/support/groups/group-history.ts";
import { LogDevice, stored } from "#test/support/groups/log-device.ts";
import { type NaiveGroup, naiveFold } from "#test/support/groups/naive-fold.ts";
import { extent } from "#test/support/host/test-extent.ts";

const [ANN, BOB, CAROL, DAVE, EVE, FAY, GIL] = PEOPLE as readonly [string, string, string, string, string, string, string];
const [LINK, OTHER] = LINKS as readonly [string, string];

const link = (uses = 9, until = 1_000, key = LINK): GroupChange => ({ op: "invite", at: 2, key, until, uses });
const withdraw: GroupChange = { op: "withdraw", at: 3, keys: [LINK] };
const admins = (...people: readonly string[]): GroupChange => ({ op: "admins", at: 4, people: [...people].sort() });
const remove = (who: string): GroupChange => ({ op: "remove", at: 5, people: [who] });
const name: GroupChange = { op: "name", at: 6, name: "Walks" };
const leave: GroupChange = { op: "leave", at: 7 };

function shown(items: readonly LogItem[], transfers: readonly OwnerTransfer[] = []): NaiveGroup {
  const { admins: list, name: chosen, picture, people, owner, links } = new LogFold(items, transfers).group;
  const statuses = Object.fromEntries(Object.entries(people).map(([key, { status }]) => [key, status]));
  const used = Object.fromEntries(links.map(({ key, used: count }) => [key, count]));
  return { admins: list, name: chosen.text, picture, people: statuses, owner, links: used };
}

/** Items with an entry of an author on what is known, or on these entries. */
function and(items: readonly LogItem[], author: string, change: GroupChange, prev?: readonly string[]): readonly LogItem[] {
  return [...items, prev === undefined ? honest(items, author, change) : entryAfter(items, prev, { author, change })];
}

/** Items with the two entries by which an admin lets people in by a link. */
function andIn(
  items: readonly LogItem[],
  author: string,
  guests: readonly string[],
  more: { prev?: readonly string[]; at?: number; key?: string } = {},
): readonly LogItem[] {
  const { prev, at = 8, key = LINK } = more;
  const people = [...guests].sort();
  const admitted = and(items, author, { op: "admit", at, key, guests: people }, prev);
  return and(admitted, author, { op: "add", at, people }, [admitted.at(-1)?.hash ?? ""]);
}

const headsOf = (items: readonly LogItem[]): readonly string[] => new LogFold(items).group.heads;

/** Ann's group, in which Bob and Carol are admins, and in which Bob has made a link. */
const begun = and([createItem()], ANN, admins(BOB, CAROL));
const linked = and(begun, BOB, link());

describe("an invite link", () => {
  it("lets in whom an admin adds by it, and counts them", () => {
    const items = andIn(andIn(linked, CAROL, [EVE]), ANN, [FAY, GIL]);
    expect(shown(items)).toMatchObject({ people: { [EVE]: "in", [FAY]: "in", [GIL]: "in" }, links: { [LINK]: 3 } });
    expect(shown(items)).toEqual(naiveFold(items));
  });

  it("does nothing by an `admit` alone", () => {
    expect(shown(and(linked, BOB, { op: "admit", at: 8, key: LINK, guests: [EVE] })).people[EVE]).toBeUndefined();
  });

  it.each<readonly [string, readonly LogItem[]]>([
    ["no link of that key is known", andIn(linked, CAROL, [EVE], { key: OTHER })],
    ["a member made it", andIn(and(begun, DAVE, link()), CAROL, [EVE])],
    ["a member uses it", andIn(linked, DAVE, [EVE])],
    ["its time is over", andIn(linked, CAROL, [EVE], { at: 1_001 })],
    ["it is for fewer people", andIn(and(begun, BOB, link(1)), CAROL, [EVE, FAY])],
    ["as many came before", andIn(andIn(and(begun, BOB, link(1)), CAROL, [FAY]), ANN, [EVE])],
    ["it was withdrawn", andIn(and(linked, CAROL, withdraw), CAROL, [EVE])],
    ["it was withdrawn, and made again", andIn(and(and(linked, CAROL, withdraw), BOB, link()), CAROL, [EVE])],
    ["its maker is no admin any more", andIn(and(linked, ANN, admins(CAROL)), CAROL, [EVE])],
    ["its maker became one again", andIn(and(and(linked, ANN, admins(CAROL)), ANN, admins(BOB, CAROL)), CAROL, [EVE])],
    ["its maker has left", andIn(and(linked, BOB, leave), CAROL, [EVE])],
  ])("lets no one in where %s", (_, items) => {
    expect(shown(items).people[EVE]).toBeUndefined();
    expect(shown(items)).toEqual(naiveFold(items));
  });

  it("lets no one in who was removed, but who has left", () => {
    const items = andIn(and(and(linked, ANN, remove(DAVE)), CAROL, leave), ANN, [CAROL, DAVE, EVE]);
    expect(shown(items).people).toMatchObject({ [CAROL]: "in", [DAVE]: "removed", [EVE]: "in" });
    expect(shown(and(items, ANN, { op: "add", at: 9, people: [DAVE] })).people[DAVE]).toBe("in");
  });

  it("is used up by who comes back again and again", () => {
    const once = andIn(and(begun, BOB, link(2)), CAROL, [EVE]);
    const twice = andIn(and(once, EVE, leave), CAROL, [EVE]);
    expect(shown(twice)).toMatchObject({ people: { [EVE]: "in" }, links: { [LINK]: 2 } });
    const third = andIn(and(twice, EVE, leave), CAROL, [EVE]);
    expect(shown(third).people[EVE]).toBe("left");
    expect(shown(third)).toEqual(naiveFold(third));
  });

  it("gets neither people nor time by an `invite` of its key that comes later", () => {
    const items = andIn(and(and(begun, BOB, link(1)), CAROL, link(9)), CAROL, [EVE, FAY]);
    expect(shown(items).people[EVE]).toBeUndefined();
    expect(shown(items)).toEqual(naiveFold(items));
  });

  it("is read as any addition where the people are others, or more comes before it", () => {
    const admitted = and(linked, CAROL, { op: "admit", at: 8, key: OTHER, guests: [EVE] });
    const [hash] = [admitted.at(-1)?.hash ?? ""];
    expect(shown(and(admitted, CAROL, { op: "add", at: 8, people: [FAY] }, [hash])).people[FAY]).toBe("in");
    expect(shown(and(admitted, BOB, { op: "add", at: 8, people: [EVE] }, [hash])).people[EVE]).toBe("in");
  });

  it("of an owner falls as the group is passed on", () => {
    const own = and(begun, ANN, link());
    const passed = and(own, ANN, { op: "owner", at: 8, people: [BOB] });
    const transfers = [{ owner: ANN, entry: passed.at(-1)?.hash ?? "", chainId: "parley-test", height: 1 }];
    const after = andIn(passed, BOB, [EVE]);
    expect(shown(after).links).toEqual({ [LINK]: 1 });
    expect(shown(after, transfers)).toMatchObject({ owner: BOB, links: {} });
    expect(shown(after, transfers).people[EVE]).toBeUndefined();
    expect(shown(after, transfers)).toEqual(naiveFold(after, transfers));
  });
});

describe("entries beside an addition by a link", () => {
  const prev = headsOf(linked);

  it.each<readonly [string, string, GroupChange, string | undefined]>([
    ["a withdrawal goes before it", ANN, withdraw, undefined],
    ["a withdrawal by a member does not", DAVE, withdraw, "in"],
    ["the end of its maker's right goes before it", ANN, admins(CAROL), undefined],
    ["the removal of its maker goes before it", ANN, remove(BOB), undefined],
    ["its maker's leaving goes before it", BOB, leave, undefined],
    ["another name does not", ANN, name, "in"],
  ])("%s", (_, author, change, expected) => {
    const items = and(andIn(linked, CAROL, [EVE], { prev }), author, change, prev);
    expect(shown(items).people[EVE]).toBe(expected);
    expect(shown(items)).toEqual(naiveFold(items));
  });

  it("do not take back what an entry of the owner has built upon, where its maker only leaves", () => {
    const items = and(and(andIn(linked, CAROL, [EVE], { prev }), ANN, name), BOB, leave, prev);
    expect(shown(items)).toMatchObject({ people: { [EVE]: "in" }, links: {} });
  });

  it("by two admins let in more than it is for, and the same person once", () => {
    const one = and(begun, BOB, link(1));
    const two = andIn(andIn(one, CAROL, [EVE], { prev: headsOf(one) }), ANN, [FAY], { prev: headsOf(one) });
    expect(shown(two)).toMatchObject({ people: { [EVE]: "in", [FAY]: "in" }, links: { [LINK]: 2 } });
    const same = andIn(andIn(linked, CAROL, [EVE], { prev }), ANN, [EVE], { prev });
    expect(shown(same).links).toEqual({ [LINK]: 1 });
  });
});

describe("any history with links", () => {
  it("makes the group that a second evaluation makes, in any order, and of its needed entries", () => {
    let arrivals = 0;
    for (let seed = 1; seed <= extent(150, 600); seed += 1) {
      const items = anyHistory(seed, 8 + (seed % 24), PEOPLE.slice(0, 4), anyChangeOrLink);
      const expected = shown(items);
      arrivals += Object.values(expected.links).reduce((sum, used) => sum + used, 0);
      expect(expected, `seed ${seed}`).toEqual(naiveFold(items));
      const random = seeded(seed);
      expect(shown([...items].sort(() => random() - 0.5)), `seed ${seed}`).toEqual(expected);
      const { needed } = new LogFold(items);
      expect(shown(items.filter(({ hash }) => needed.has(hash))), `seed ${seed}`).toEqual(expected);
    }
    // Or it would say nothing about them.
    expect(arrivals).toBeGreaterThan(30);
  });
});

describe("a base", () => {
  /** Ann's device with links of hers. */
  function withLinks(count: number): LogDevice {
    const ann = new LogDevice(ANN, createItem());
    for (let index = 0; index < count; index += 1) ann.write(link(2, 1_000, person(0xa1 + index)));
    return ann;
  }

  /** Lets one in by a link, as the messenger does. */
  function letIn(device: LogDevice, guest: string, key = LINK): void {
    const admit = device.write({ op: "admit", at: 8, key, guests: [guest] });
    const place = nextEntry(device.log, 0, [admit?.hash ?? ""]);
    const add = itemOf({ ...place, author: device.person, device: device.person, change: { op: "add", at: 8, people: [guest] } });
    device.log = withEntries(device.log, [stored(add)]).log;
  }

  it("carries living links on, with how many came, and they still let in no more than that", () => {
    const ann = withLinks(1);
    letIn(ann, EVE);
    for (const at of [10, 11]) ann.writeBase(at);
    expect(ann.log.root?.state.links).toMatchObject([{ key: LINK, maker: ANN, uses: 2, used: 1 }]);
    letIn(ann, FAY);
    letIn(ann, GIL);
    expect(ann.log.fold.group.people).toMatchObject({ [FAY]: { status: "in" } });
    expect(ann.log.fold.group.people[GIL]).toBeUndefined();
    const bob = new LogDevice(BOB, createItem());
    bob.takeAll(ann);
    expect(bob.log.fold.group.links).toEqual(ann.log.fold.group.links);
    expect(bob.log.root?.hash).toBe(ann.log.root?.hash);
  });

  it("carries on no link that was withdrawn, and the newest of too many", () => {
    const ann = withLinks(MAX_BASE_LINKS + 2);
    ann.write({ op: "withdraw", at: 9, keys: [person(0xa1 + MAX_BASE_LINKS + 1)] });
    const state = decodeBaseState(nextBaseState(ann.log) ?? new Uint8Array());
    expect(state?.links.map(({ key }) => key)).toEqual(Array.from({ length: MAX_BASE_LINKS }, (_, index) => person(0xa2 + index)));
  });

  it("carries on links that have room before those that are used up", () => {
    const ann = new LogDevice(ANN, createItem());
    const keys = Array.from({ length: MAX_BASE_LINKS + 1 }, (_, index) => person(0xa1 + index));
    for (const key of keys) ann.write(link(1, 1_000, key));
    for (const [index, key] of keys.slice(1).entries()) letIn(ann, person(0x60 + index), key);
    const state = decodeBaseState(nextBaseState(ann.log) ?? new Uint8Array());
    expect(state?.links.map(({ key }) => key)).toContain(LINK);
  });

  /** Ann's device, which has written three bases, with what these made of a link each time. */
  function threeBases(write: (ann: LogDevice) => void, between: (ann: LogDevice) => void): LogDevice {
    const ann = new LogDevice(ANN, createItem());
    write(ann);
    ann.writeBase(20);
    between(ann);
    ann.writeBase(21);
    ann.writeBase(22);
    return ann;
  }

  it.each<readonly [string, (ann: LogDevice) => void, (ann: LogDevice) => void]>([
    [
      "of someone who came, left and comes again",
      (ann): void => {
        ann.write(link(1));
        letIn(ann, EVE);
        ann.take([stored(itemOf({ ...nextEntry(ann.log, 0), author: EVE, device: EVE, change: leave }))]);
      },
      (ann): void => letIn(ann, EVE),
    ],
    [
      "by a link that was withdrawn and is made again",
      (ann): void => {
        ann.write(link());
        ann.write(withdraw);
      },
      (ann): void => {
        ann.write(link());
        letIn(ann, EVE);
      },
    ],
    [
      "by a link that the base had no room for",
      (ann): void => {
        for (let index = 0; index <= MAX_BASE_LINKS; index += 1) ann.write(link(2, 1_000, person(0xa1 + index)));
      },
      (ann): void => letIn(ann, EVE),
    ],
    [
      "by a link whose key was made twice",
      (ann): void => {
        ann.write(link(1));
        ann.write(link(9));
      },
      (ann): void => letIn(ann, EVE),
    ],
  ])("makes no two groups of an addition %s", (_, write, between) => {
    const entries = new Map<string, StoredEntry>();
    const noted = (ann: LogDevice): void => {
      for (const entry of ann.log.entries) entries.set(entry.hash, entry);
    };
    const ann = threeBases(
      (device) => {
        write(device);
        noted(device);
      },
      (device) => {
        noted(device);
        between(device);
        noted(device);
      },
    );
    noted(ann);
    // One that was away takes all at once, with what the bases have replaced.
    const bob = new LogDevice(BOB, createItem());
    bob.take([...entries.values()]);
    expect([...bob.log.judged.values()]).not.toContain(false);
    expect(bob.log.root?.hash).toBe(ann.log.root?.hash);
    expect(bob.seen).toEqual(ann.seen);
  });

  it("has the bytes of before where there is no link", () => {
    const ann = withLinks(1);
    ann.write(withdraw);
    expect(nextBaseState(ann.log)?.slice(0, 2)).toEqual(Uint8Array.of(0x87, 1));
  });
});
