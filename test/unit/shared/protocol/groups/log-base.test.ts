// Bases: a log that begins at one says what the whole log says, on every device, and no one else than its owner can make one.
import { describe, expect, it } from "vitest";
import { encodeBaseState, hashOfState } from "#shared/protocol/groups/base-state.ts";
import type { LogItem } from "#shared/protocol/groups/entry-graph.ts";
import { LogFold } from "#shared/protocol/groups/fold-log.ts";
import { AUTHOR_BASE_ENTRIES, BASE_ENTRIES, LOST_BASE_ENTRIES, RANK_ENTRIES } from "#shared/protocol/groups/group-bounds.ts";
import { beginLog, type GroupLog, isBaseDue, MAX_LOG_ENTRIES, type StoredEntry, withEntries } from "#shared/protocol/groups/group-log.ts";
import { partsAt, rebased, type SentBase } from "#shared/protocol/groups/join-base.ts";
import { stateAt } from "#shared/protocol/groups/log-base.ts";
import type { GroupChange } from "#shared/protocol/groups/log-entry.ts";
import type { OwnerTransfer } from "#shared/protocol/groups/owner-terms.ts";
import {
  anyChange,
  anyChangeOrLink,
  createItem,
  entryAfter,
  LINKS,
  PEOPLE,
  pastOf,
  type Random,
  seeded,
  some,
} from "#test/support/groups/group-history.ts";
import { LogDevice, settle, stored } from "#test/support/groups/log-device.ts";
import { naiveBase } from "#test/support/groups/naive-base.ts";
import { naiveFold } from "#test/support/groups/naive-fold.ts";

const [ANN, BOB, CAROL, DAVE, EVE] = PEOPLE as readonly [string, string, string, string, string];
const LIE = "ab".repeat(32);

const name = (text: string, at = 2): GroupChange => ({ op: "name", at, name: text });
const admins = (...people: readonly string[]): GroupChange => ({ op: "admins", at: 2, people: [...people].sort() });
const add = (person: string): GroupChange => ({ op: "add", at: 3, people: [person] });
const remove = (person: string): GroupChange => ({ op: "remove", at: 4, people: [person] });
const statusOf = ({ log }: Pick<LogDevice, "log">, person: string): string | undefined => log.fold.group.people[person]?.status;

/** Ann's group with Bob as its admin, on her device and on others. */
function group(...people: readonly string[]): readonly LogDevice[] {
  const devices = [ANN, ...people].map((person) => new LogDevice(person, createItem()));
  devices[0]?.write(admins(BOB));
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

describe("a base", () => {
  it("alone replaces nothing, and with one that confirms it all that was before", () => {
    const [ann, bob] = pair(BOB);
    bob.write(add(EVE));
    bob.write(remove(CAROL));
    settle([ann, bob]);
    const before = ann.seen;
    const base = ann.writeBase(10) as StoredEntry;
    expect(ann.log.entries).toHaveLength(5);
    expect(ann.seen).toMatchObject({ ...before, heads: [base.hash] });
    ann.write(name("after", 11));
    ann.writeBase(12);
    expect(ann.log.entries.map(({ entry }) => entry.change.op)).toEqual(["create", "base", "name", "base"]);
    expect(ann.seen).toMatchObject({ ...before, name: "after", heads: ann.log.fold.group.heads });
    expect(statusOf(ann, CAROL)).toBe("removed");
    settle([ann, bob]);
    expect(bob.log.entries).toEqual(ann.log.entries);
  });

  it("has the members' entries of before, for who is added and for lines in the chat", () => {
    const [ann, bob] = pair(BOB);
    const added = bob.write(add(EVE)) as StoredEntry;
    ann.takeAll(bob);
    shorten(ann);
    expect(ann.log.fold.group.people[EVE]).toEqual({ status: "in", n: added.entry.n, at: 3, hash: added.hash });
    expect(ann.log.fold.group.people[DAVE]?.n).toBe(1);
  });

  it("is the beginning for who was away, and what that one wrote unaware of it counts no more", () => {
    const [ann, bob] = pair(BOB);
    const fresh = new LogDevice(DAVE, createItem());
    shorten(ann);
    for (let at = 20; at < 24; at += 1) ann.write(name(`name ${at}`, at));
    ann.writeBase(30);
    expect(ann.log.entries.length).toBeLessThan(9);
    bob.write(add(EVE));
    expect(bob.take(partsAt(ann.log).entries)).toBe(true);
    bob.takeAll(ann);
    fresh.takeAll(ann);
    expect(bob.seen).toEqual(ann.seen);
    expect(fresh.seen).toEqual(ann.seen);
    expect(statusOf(bob, EVE)).toBeUndefined();
    bob.write(add(EVE));
    settle([ann, bob, fresh]);
    expect(statusOf(fresh, EVE)).toBe("in");
  });

  it("leaves what is beside it, until another one confirms it that does not know that", () => {
    const [ann, bob] = pair(BOB);
    ann.writeBase(10);
    bob.write(add(EVE));
    ann.takeAll(bob);
    bob.takeAll(ann);
    expect(statusOf(bob, EVE)).toBe("in");
    ann.writeBase(12);
    expect(ann.log.root).toBeUndefined();
    ann.writeBase(13);
    expect(ann.log.root).toBeDefined();
    expect(statusOf(ann, EVE)).toBe("in");
    const late = bob.write(add(PEOPLE[5] ?? "")) as StoredEntry;
    settle([ann, bob]);
    expect(ann.knows(late.hash)).toBe(false);
    expect(bob.seen).toEqual(ann.seen);
  });

  it("takes nothing that it has replaced, as from an old backup, and is not taken back by it", () => {
    const [ann, bob] = pair(BOB);
    bob.write(remove(DAVE));
    ann.takeAll(bob);
    const old = ann.log;
    ann.write(add(DAVE));
    shorten(ann);
    const now = ann.log;
    expect(ann.take(old.entries)).toBe(false);
    expect(ann.log).toBe(now);
    const restored = new LogDevice(ANN, createItem());
    restored.log = old;
    restored.takeAll(ann);
    expect(restored.seen).toEqual(ann.seen);
  });
});

describe("two devices of the owner", () => {
  it("that write bases beside each other come to the same log", () => {
    const [ann, other, bob] = group(ANN, BOB) as readonly [LogDevice, LogDevice, LogDevice];
    ann.write(name("one", 5));
    ann.writeBase(10);
    other.writeBase(10);
    bob.takeAll(other);
    settle([ann, other, bob]);
    expect(ann.log.root).toBeUndefined();
    ann.writeBase(20);
    ann.write(name("two", 21));
    other.takeAll(ann);
    expect(ann.log.root).toBeUndefined();
    other.writeBase(30);
    settle([ann, other, bob]);
    expect(ann.log.root).toBeDefined();
    for (const device of [other, bob]) expect(device.log.entries).toEqual(ann.log.entries);
  });

  it("do not write at the same moment: the second waits for more entries", () => {
    const [ann, bob] = pair(BOB);
    for (let at = 0; at < BASE_ENTRIES - 3; at += 1) ann.write(name(`name ${at}`, at));
    expect(isBaseDue(ann.log, 0, 0)).toBe(false);
    ann.write(name("last"));
    expect([0, 1].map((rank) => isBaseDue(ann.log, rank, 0))).toEqual([true, false]);
    for (let at = 0; at < RANK_ENTRIES; at += 1) ann.write(name(`more ${at}`, at));
    expect(isBaseDue(ann.log, 1, 0)).toBe(true);
    ann.writeBase(900);
    expect(isBaseDue(ann.log, 0, 0)).toBe(false);
    bob.takeAll(ann);
    for (let at = 0; at < AUTHOR_BASE_ENTRIES; at += 1) bob.write(name(`bob ${at}`, at));
    ann.takeAll(bob);
    expect(isBaseDue(ann.log, 0, 0)).toBe(true);
  });

  it("write the next one sooner where something beside the last one has made it useless", () => {
    const [ann, bob] = pair(BOB);
    ann.writeBase(10);
    bob.write(add(EVE));
    ann.takeAll(bob);
    for (let at = 0; at < LOST_BASE_ENTRIES; at += 1) ann.write(name(`name ${at}`, at));
    expect(isBaseDue(ann.log, 0, 0)).toBe(true);
  });
});

describe("a base of another one", () => {
  const log = (): GroupLog => beginLog(stored(createItem())) as GroupLog;
  const grown = (of: GroupLog, author: string, change: GroupChange, isListed = true): GroupLog =>
    withEntries(of, [stored(entryAfter(of.entries, of.fold.group.heads, { author, change, isListed }))]).log;
  const based = (of: GroupLog, author: string, isListed = true): GroupLog =>
    grown(of, author, { op: "base", at: 9, state: hashOfState(stateAt(of, of.fold.group.heads) ?? new Uint8Array()) }, isListed);

  it.each([
    ["an admin", BOB, true],
    ["a member", CAROL, true],
    ["an unlinked device of the owner", ANN, false],
  ] as const)("as %s begins nothing", (_, author, isListed) => {
    const begun = grown(log(), ANN, admins(BOB));
    const twice = based(grown(based(begun, author, isListed), ANN, name("x")), author, isListed);
    expect(twice.root).toBeUndefined();
  });

  it("as who was the owner before begins nothing, beside or after the entry that passed it on", () => {
    const first = grown(log(), ANN, name("x"));
    const passed = grown(first, ANN, { op: "owner", at: 5, people: [BOB] });
    const passing = passed.entries.at(-1) as StoredEntry;
    const transfer: OwnerTransfer = { owner: ANN, entry: passing.hash, chainId: "parley-test", height: 5 };
    const state = hashOfState(stateAt(first, first.fold.group.heads) ?? new Uint8Array());
    let all: readonly LogItem[] = passed.entries;
    for (const prev of [first.fold.group.heads, passed.fold.group.heads]) {
      const base = entryAfter(all, prev, { author: ANN, change: { op: "base", at: 6, state } });
      const after = entryAfter([...all, base], [base.hash], { author: ANN, change: { op: "base", at: 7, state } });
      all = [...all, base, after];
    }
    const known = { ...passed, transfers: [transfer], fold: new LogFold(passed.entries, [transfer]) };
    expect(withEntries(known, all.map(stored)).log).toMatchObject({ root: undefined });
    const ofBob = based(grown(based(known, BOB), BOB, name("y")), BOB);
    expect(ofBob.root).toBeDefined();
    expect(ofBob.entries.map(({ entry }) => entry.change.op)).toEqual(["create", "owner", "base", "name", "base"]);
    expect(ofBob.fold.group).toMatchObject({ owner: BOB, hasOwner: true });
  });
});

describe("a base that lies", () => {
  it("is not followed by who knows better, and says so", () => {
    const [ann, bob] = pair(BOB);
    const lie = ann.write({ op: "base", at: 10, state: LIE }) as StoredEntry;
    ann.write({ op: "base", at: 11, state: LIE });
    settle([ann, bob]);
    expect(bob.log.root).toBeUndefined();
    expect(bob.log.judged.get(lie.hash)).toBe(false);
    expect(bob.log.entries).toHaveLength(4);
  });

  it("is not followed with bytes that are not its own, that begin another log, or that no later base confirms", () => {
    const [ann] = pair(BOB);
    shorten(ann);
    const { base, entries } = partsAt(ann.log) as { base: SentBase; entries: readonly StoredEntry[] };
    const away = beginLog(stored(createItem())) as GroupLog;
    const taken = (sent: SentBase, from = entries): GroupLog => rebased(away, sent, { entries: from, transfers: [] });
    expect(taken(base).root).toBeDefined();
    const { root } = ann.log;
    const other = encodeBaseState({ ...(root?.state as NonNullable<typeof root>["state"]), admins: [CAROL] });
    expect(taken({ ...base, state: other })).toBe(away);
    expect(taken({ ...base, state: new Uint8Array(60_000) })).toBe(away);
    expect(taken({ ...base, kept: [] })).toBe(away);
    expect(taken({ ...base, kept: [stored(createItem(7))] })).toBe(away);
    expect(taken(base, entries.slice(0, 2))).toBe(away);
    const unlisted = entries.map((entry) => ({ ...entry, isListed: false }));
    expect(taken(base, unlisted)).toBe(away);
  });
});

/** Anyone writes anything after anything; the owner's bases are true, some are not. */
function historyWithBases(
  seed: number,
  length: number,
  changeOf: (random: Random, at: number) => GroupChange = anyChange,
): { readonly items: readonly LogItem[]; readonly lies: ReadonlySet<string> } {
  const random: Random = seeded(seed);
  const items: LogItem[] = [createItem(seed)];
  const lies = new Set<string>();
  for (let at = 2; items.length < length; at += 1) {
    const recent = random() < 0.8 ? items.slice(-3) : items;
    const prev = some(random, recent, 2).map(({ hash }) => hash);
    const isBase = random() < 0.35;
    const author = isBase && random() < 0.9 ? ANN : (PEOPLE[Math.floor(random() ** 1.7 * 4)] ?? "");
    const change = isBase ? baseAfter(items, prev, { at, isLie: random() < 0.15 }) : changeOf(random, at);
    // What an owner who has left writes is looked at elsewhere.
    if (change.op === "leave" && author === ANN) continue;
    const item = entryAfter(items, prev, { author, change });
    if (isLie(item)) lies.add(item.hash);
    items.push(item, ...additionAfter(items, item));
  }
  return { items, lies };
}

function isLie({ entry: { author, change } }: LogItem): boolean {
  return change.op === "base" && (change.state === LIE || author !== ANN);
}

/** The addition that follows an `admit`. */
function additionAfter(items: readonly LogItem[], admit: LogItem): readonly LogItem[] {
  const { author, change } = admit.entry;
  if (change.op !== "admit") return [];
  return [entryAfter([...items, admit], [admit.hash], { author, change: { op: "add", at: change.at, people: change.guests } })];
}

function baseAfter(items: readonly LogItem[], prev: readonly string[], { at, isLie }: { at: number; isLie: boolean }): GroupChange {
  const past = pastOf(items, prev);
  const state = stateAt({ fold: new LogFold(past), transfers: [], root: undefined }, prev);
  return { op: "base", at, state: isLie || state === undefined ? LIE : hashOfState(state) };
}

/** A device that takes entries in pieces, in any order, until nothing is new. */
function takenInOrder(create: LogItem, items: readonly LogItem[], random: Random): LogDevice {
  const device = new LogDevice(CAROL, create);
  const shuffled = [...items].sort(() => random() - 0.5).map(stored);
  for (let before: GroupLog | undefined; before !== device.log; ) {
    before = device.log;
    for (let at = 0; at < shuffled.length; ) {
      const count = 1 + Math.floor(random() * 12);
      device.take(shuffled.slice(at, at + count));
      at += count;
    }
  }
  return device;
}

describe("any history with bases", () => {
  const membersOf = (people: Readonly<Record<string, string>>): readonly string[] =>
    Object.keys(people)
      .filter((key) => people[key] === "in")
      .sort();

  it("says what the whole log says, by a second evaluation, of 400 histories", () => {
    let shortened = 0;
    for (let seed = 1; seed <= 400; seed += 1) {
      const { items, lies } = historyWithBases(seed, 8 + (seed % 24));
      const device = new LogDevice(CAROL, items[0] as LogItem);
      device.take(items.map(stored));
      const expected = naiveBase(items, ({ hash }) => !lies.has(hash));
      const { owner, admins: leading, name: title, picture, people } = naiveFold(expected.items);
      expect(device.log.root?.hash, `seed ${seed}`).toBe(expected.root?.hash);
      expect(device.seen, `seed ${seed}`).toMatchObject({ owner, admins: leading, name: title, picture, members: membersOf(people) });
      for (const [key, { status }] of Object.entries(device.log.fold.group.people)) expect(status, `seed ${seed}`).toBe(people[key]);
      if (device.log.root !== undefined) shortened += 1;
    }
    expect(shortened).toBeGreaterThan(100);
  });

  it("comes to the same on all devices, in 2,000 orders of its entries", () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const { items } = historyWithBases(seed, 24);
      const whole = new LogDevice(CAROL, items[0] as LogItem);
      whole.take(items.map(stored));
      const random = seeded(seed);
      for (let order = 1; order <= 50; order += 1) {
        const device = takenInOrder(items[0] as LogItem, items, random);
        device.takeAll(whole);
        expect(device.seen, `seed ${seed}, order ${order}`).toEqual(whole.seen);
        expect(device.log.root?.hash).toBe(whole.log.root?.hash);
      }
    }
  });
});

describe("what an admin wrote beside their own leaving", () => {
  it("holds at a base that knows both, as at every entry of the owner", () => {
    const items: LogItem[] = [createItem()];
    const write = (author: string, change: GroupChange, prev = [items.at(-1)?.hash as string]): string => {
      const item = entryAfter(items, prev, { author, change });
      items.push(item);
      return item.hash;
    };
    const named = write(ANN, admins(BOB));
    let prev = [write(BOB, add(EVE), [named]), write(BOB, { op: "leave", at: 5 }, [named])];
    for (const at of [10, 11, 12]) prev = [write(ANN, baseAfter(items, prev, { at, isLie: false }), prev)];
    const whole = new LogDevice(CAROL, items[0] as LogItem);
    whole.take(items.map(stored));
    const step = new LogDevice(CAROL, items[0] as LogItem);
    for (const item of items.slice(1)) step.take([stored(item)]);
    for (const device of [whole, step]) {
      expect([...device.log.judged.values()]).not.toContain(false);
      expect(statusOf(device, EVE)).toBe("in");
    }
    expect(step.seen).toEqual(whole.seen);
    expect(step.log.root?.hash).toBe(whole.log.root?.hash);
  });
});

describe("who was removed before the last bases", () => {
  /** Dave is removed, some bases later let in by a link, and the owner writes two more. */
  const history = (bases: number): readonly LogItem[] => {
    const items: LogItem[] = [createItem()];
    const key = LINKS[0] as string;
    const write = (change: GroupChange): void => {
      const prev = [items.at(-1)?.hash as string];
      items.push(entryAfter(items, prev, { author: ANN, change }));
    };
    const writeBase = (at: number): void => write(baseAfter(items, [items.at(-1)?.hash as string], { at, isLie: false }));
    write({ op: "invite", at: 2, key, until: 1_000, uses: 3 });
    write(remove(DAVE));
    for (let at = 1; at <= bases; at += 1) writeBase(10 + at);
    write({ op: "admit", at: 20, key, guests: [DAVE] });
    write({ op: "add", at: 20, people: [DAVE] });
    for (const at of [30, 31]) writeBase(at);
    return items;
  };

  it.each([
    [1, "removed"],
    [2, "in"],
    [3, "in"],
  ])("comes back by a link where %d bases are between, or does not, on every device", (bases, expected) => {
    const items = history(bases);
    const whole = new LogDevice(CAROL, items[0] as LogItem);
    whole.take(items.map(stored));
    const step = new LogDevice(CAROL, items[0] as LogItem);
    for (const item of items.slice(1)) step.take([stored(item)]);
    for (const device of [whole, step]) {
      expect([...device.log.judged.values()]).not.toContain(false);
      expect(statusOf(device, DAVE) === "in").toBe(expected === "in");
    }
    expect(step.seen).toEqual(whole.seen);
    expect(naiveFold(items).people[DAVE]).toBe(expected);
  });
});

describe("any history with bases and invite links", () => {
  it("says what the whole log says, on all devices, in any order", () => {
    let came = 0;
    for (let seed = 1; seed <= 150; seed += 1) {
      const { items, lies } = historyWithBases(seed, 18 + (seed % 24), anyChangeOrLink);
      const whole = new LogDevice(CAROL, items[0] as LogItem);
      whole.take(items.map(stored));
      const expected = naiveBase(items, ({ hash }) => !lies.has(hash));
      const { people, links } = naiveFold(expected.items);
      expect(whole.log.root?.hash, `seed ${seed}`).toBe(expected.root?.hash);
      expect(Object.fromEntries(whole.log.fold.group.links.map(({ key, used }) => [key, used])), `seed ${seed}`).toEqual(links);
      for (const [key, { status }] of Object.entries(whole.log.fold.group.people)) expect(status, `seed ${seed}`).toBe(people[key]);
      const device = takenInOrder(items[0] as LogItem, items, seeded(seed));
      device.takeAll(whole);
      expect(device.seen, `seed ${seed}`).toEqual(whole.seen);
      if (whole.log.root !== undefined) came += Object.values(links).reduce((sum, used) => sum + used, 0);
    }
    // Or it would say nothing about them.
    expect(came).toBeGreaterThan(4);
  });
});

describe("a log that is shortened", () => {
  it("never fills up, whatever its owner and its admins write", () => {
    const [ann, bob] = pair(BOB);
    let most = 0;
    for (let at = 0; at < 1_500; at += 1) {
      const device = at % 40 < 3 ? ann : bob;
      expect(device.write(name(`name ${at}`, at))).toBeDefined();
      (device === ann ? bob : ann).take(device.log.entries.slice(-1));
      if (isBaseDue(ann.log, 0, 0)) bob.take([ann.writeBase(at) as StoredEntry]);
      most = Math.max(most, ann.log.entries.length);
    }
    expect(most).toBeLessThan(MAX_LOG_ENTRIES / 4);
    expect(bob.seen).toEqual(ann.seen);
    expect(bob.log.fold.group.name.text).toBe("name 1499");
  });
});
