// A log that grows by what comes: in any order, from anyone, within its bounds.
import { describe, expect, it } from "vitest";
import type { LogItem } from "#shared/protocol/groups/entry-graph.ts";
import { LogFold } from "#shared/protocol/groups/fold-log.ts";
import {
  beginLog,
  type GroupLog,
  MAX_AUTHOR_ENTRIES,
  MAX_LOG_ENTRIES,
  MAX_NAMED_PEOPLE,
  nextEntry,
  OWNER_ENTRIES,
  pastOf,
  type StoredEntry,
  withEntries,
} from "#shared/protocol/groups/group-log.ts";
import type { GroupChange } from "#shared/protocol/groups/log-entry.ts";
import { anyHistory, createItem, entryAfter, itemOf, PEOPLE, person } from "#test/support/groups/group-history.ts";

const [ANN, BOB, CAROL, DAVE] = PEOPLE as readonly [string, string, string, string];

const stored = (item: LogItem): StoredEntry => ({ ...item, text: item.hash });

function begun(): GroupLog {
  const log = beginLog(stored(createItem()));
  if (log === undefined) throw new Error("no log");
  return log;
}

function grown(log: GroupLog, author: string, change: GroupChange): GroupLog {
  const item = entryAfter(log.entries, log.fold.group.heads, { author, change });
  return withEntries(log, [stored(item)]).log;
}

const historyOf = (seed: number): readonly LogItem[] => anyHistory(seed, 12, [ANN, BOB, CAROL, DAVE]);

const statusOf = (log: GroupLog, key: string): string | undefined => log.fold.group.people[key]?.status;

describe("a log", () => {
  it("is the same whichever entries come first, and says when some are missing", () => {
    // Who is out may not leave again once that is known, so departures are left out.
    const seed = Array.from({ length: 200 }, (_, index) => index).find(
      (index) => !historyOf(index).some(({ entry }) => entry.change.op === "leave"),
    );
    const items = historyOf(seed ?? 0).map(stored);
    const first = items[0] as StoredEntry;
    const whole = withEntries(begunBy(first), items).log;
    expect(whole.fold.group).toEqual(new LogFold(items).group);
    let log = begunBy(first);
    const backwards = [...items.slice(1)].reverse();
    expect(withEntries(log, backwards.slice(0, 1)).isMissing).toBe(true);
    while (log.entries.length < items.length) for (const item of backwards) log = withEntries(log, [item]).log;
    expect(log.fold.group).toEqual(whole.fold.group);
    expect(withEntries(log, items)).toEqual({ log, isMissing: false });
  });

  it("takes no entry of another group, with a wrong number, before the height of those it follows, or of a stranger", () => {
    const log = grown(begun(), ANN, { op: "name", at: 2, name: "Walks" });
    const [head = ""] = log.fold.group.heads;
    const good = { ...nextEntry(log, 7), author: ANN, device: ANN, change: { op: "name", at: 3, name: "x" } } as const;
    const high = itemOf(good);
    const heightened = withEntries(log, [stored(high)]).log;
    expect(heightened.entries).toHaveLength(3);
    for (const wrong of [
      { ...good, group: "ff".repeat(16) },
      { ...good, n: good.n + 1 },
      { ...good, author: person(0x77) },
      { ...good, n: good.n + 1, prev: [high.hash], height: 6 },
    ])
      expect(withEntries(heightened, [stored(itemOf(wrong))]).log).toBe(heightened);
    const unknown = withEntries(log, [stored(itemOf({ ...good, prev: [head, "ff".repeat(32)].sort() }))]);
    expect(unknown).toEqual({ log, isMissing: true });
  });

  it("takes no second beginning", () => {
    const log = begun();
    expect(withEntries(log, [stored(createItem(5))]).log).toBe(log);
  });

  it("believes an entry later for which someone vouches", () => {
    const log = begun();
    const item = stored(
      entryAfter(log.entries, log.fold.group.heads, { author: ANN, change: { op: "remove", at: 2, people: [BOB] }, isListed: false }),
    );
    const doubted = withEntries(log, [item]).log;
    expect(statusOf(doubted, BOB)).toBe("in");
    const believed = withEntries(doubted, [{ ...item, isListed: true }]).log;
    expect(statusOf(believed, BOB)).toBe("removed");
    expect(withEntries(believed, [item]).log).toBe(believed);
  });

  it("knows what was before an entry", () => {
    const log = grown(grown(begun(), ANN, { op: "name", at: 2, name: "a" }), ANN, { op: "name", at: 3, name: "b" });
    const [first, second] = log.entries;
    expect([...pastOf(log, [second?.hash ?? ""])].sort()).toEqual([first?.hash, second?.hash].sort());
  });
});

describe("a flood", () => {
  const flood = (log: GroupLog, author: string, count: number, op: "leave" | "name"): readonly StoredEntry[] =>
    Array.from({ length: count }, (_, at) =>
      stored(entryAfter(log.entries, log.fold.group.heads, { author, change: op === "leave" ? { op, at } : { op, at, name: "x" } })),
    );

  it("of an admin's entries ends at a bound, and the owner still removes them", () => {
    let log = grown(begun(), ANN, { op: "admins", at: 2, people: [BOB] });
    log = withEntries(log, flood(log, BOB, 400, "name")).log;
    expect(log.entries).toHaveLength(2 + MAX_AUTHOR_ENTRIES);
    const removed = grown(log, ANN, { op: "remove", at: 3, people: [BOB] });
    expect(statusOf(removed, BOB)).toBe("removed");
  });

  it("of a member who leaves many times takes no room from others, and no heads", () => {
    const log = begun();
    const flooded = withEntries(log, flood(log, CAROL, 100, "leave")).log;
    expect(statusOf(flooded, CAROL)).toBe("left");
    expect(flooded.fold.group.heads.length).toBeLessThanOrEqual(2);
    const added = grown(flooded, ANN, { op: "remove", at: 9, people: [DAVE] });
    expect(statusOf(added, DAVE)).toBe("removed");
  });

  it("that differs from device to device keeps no device from the owner's entries", () => {
    const base = grown(begun(), ANN, { op: "admins", at: 2, people: [BOB] });
    const entries = flood(base, BOB, 400, "name");
    const one = withEntries(base, entries.slice(0, 200)).log;
    const other = withEntries(base, entries.slice(200)).log;
    const removal = entryAfter(one.entries, one.fold.group.heads, { author: ANN, change: { op: "remove", at: 3, people: [BOB] } });
    const taken = withEntries(other, [...one.entries, stored(removal)]).log;
    expect(statusOf(taken, BOB)).toBe("removed");
  });

  it("of several admins leaves room for the owner, who goes on for long", () => {
    let log = grown(begun(), ANN, { op: "admins", at: 2, people: [BOB, CAROL, DAVE].sort() });
    for (const author of [BOB, CAROL, DAVE]) log = withEntries(log, flood(log, author, 400, "name")).log;
    expect(log.entries.length).toBeLessThanOrEqual(MAX_LOG_ENTRIES - OWNER_ENTRIES);
    for (let at = 10; at < 40; at += 1) log = grown(log, ANN, { op: "name", at, name: `name ${at}` });
    expect(log.fold.group.name.text).toBe("name 39");
  });

  it("of people whom the owner names admins ends at a bound, and those who were named before can be named again", () => {
    let log = begun();
    const listOf = (list: number): readonly string[] => Array.from({ length: 7 }, (_, index) => person(16 + 7 * list + index));
    for (let list = 0; list < 20; list += 1) log = grown(log, ANN, { op: "admins", at: 2 + list, people: listOf(list) });
    expect(log.entries).toHaveLength(1 + Math.floor(MAX_NAMED_PEOPLE / 7));
    expect(grown(log, ANN, { op: "admins", at: 40, people: listOf(0) }).entries).toHaveLength(log.entries.length + 1);
    expect(grown(log, ANN, { op: "admins", at: 41, people: [] }).fold.hasRight(person(16))).toBe(false);
  });

  it("of departures of someone who is out takes nothing back", () => {
    let log = grown(begun(), ANN, { op: "admins", at: 2, people: [BOB] });
    const [admins = ""] = log.fold.group.heads;
    log = grown(log, BOB, { op: "remove", at: 3, people: [CAROL] });
    log = grown(log, BOB, { op: "leave", at: 4 });
    const again = stored(entryAfter(log.entries, [admins], { author: BOB, change: { op: "leave", at: 5 } }));
    expect(withEntries(log, [again]).log).toBe(log);
    expect(statusOf(log, CAROL)).toBe("removed");
  });
});

describe("a departure beside a removal", () => {
  const entryOn = (log: GroupLog, author: string, change: GroupChange): StoredEntry =>
    stored(entryAfter(log.entries, log.fold.group.heads, { author, change }));
  const inOrder = (log: GroupLog, ...entries: readonly StoredEntry[]): GroupLog =>
    entries.reduce((grownLog, entry) => withEntries(grownLog, [entry]).log, log);
  const base = grown(begun(), ANN, { op: "admins", at: 2, people: [BOB] });
  const left = entryOn(base, CAROL, { op: "leave", at: 3 });
  const removed = entryOn(base, BOB, { op: "remove", at: 3, people: [CAROL] });

  it("is no head, so devices say the same whichever came first", () => {
    const first = inOrder(base, removed, left);
    expect(first.entries).not.toContain(left);
    expect(inOrder(base, left, removed).fold.group.heads).toEqual(first.fold.group.heads);
    expect(withEntries(base, [left, removed]).log.fold.group.heads).toEqual(first.fold.group.heads);
    expect(statusOf(inOrder(base, left, removed), CAROL)).toBe("removed");
  });

  it("is no head of an admin either, whom the owner removed", () => {
    const [leaves, removal] = [entryOn(base, BOB, { op: "leave", at: 3 }), entryOn(base, ANN, { op: "remove", at: 3, people: [BOB] })];
    expect(inOrder(base, leaves, removal).fold.group.heads).toEqual(inOrder(base, removal, leaves).fold.group.heads);
  });

  it("is a head once the removal counts no more, and is taken then", () => {
    const ended = entryOn(base, ANN, { op: "admins", at: 3, people: [] });
    const late = inOrder(base, removed, left, ended);
    expect(statusOf(late, CAROL)).toBe("in");
    const early = inOrder(base, left, removed, ended);
    expect(statusOf(early, CAROL)).toBe("left");
    expect(early.fold.group.heads).toContain(left.hash);
    expect(inOrder(late, left).fold.group).toEqual(early.fold.group);
  });

  it("is taken, and a head, where it alone ends a right that the owner gave after the removal", () => {
    const removal = entryOn(base, ANN, { op: "remove", at: 3, people: [BOB] });
    const leaves = entryOn(base, BOB, { op: "leave", at: 3 });
    const named = entryOn(inOrder(base, removal), ANN, { op: "admins", at: 4, people: [BOB] });
    const late = inOrder(base, removal, named, leaves);
    expect(late.fold.hasRight(BOB)).toBe(false);
    expect(late.fold.group.heads).toContain(leaves.hash);
    expect(inOrder(base, leaves, removal, named).fold.group).toEqual(late.fold.group);
  });
});

function begunBy(first: StoredEntry): GroupLog {
  const log = beginLog(first);
  if (log === undefined) throw new Error("no log");
  return log;
}
