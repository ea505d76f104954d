// Passing on a group: only what the chain says first counts, in any order, whatever those who owned it before write.
import { describe, expect, it } from "vitest";
import type { LogItem } from "#shared/protocol/groups/entry-graph.ts";
import { type FoldedGroup, LogFold } from "#shared/protocol/groups/fold-log.ts";
import { MAX_OWNER_TRANSFERS } from "#shared/protocol/groups/group-bounds.ts";
import {
  beginLog,
  type GroupLog,
  MAX_AUTHOR_ENTRIES,
  type StoredEntry,
  withEntries,
  withTransfer,
} from "#shared/protocol/groups/group-log.ts";
import type { GroupChange } from "#shared/protocol/groups/log-entry.ts";
import type { OwnerTransfer } from "#shared/protocol/groups/owner-terms.ts";
import {
  anyChangeOrOwner,
  anyHistory,
  anyTransfers,
  createItem,
  entryAfter,
  honest,
  PEOPLE,
  seeded,
  some,
} from "#test/support/groups/group-history.ts";
import { naiveFold } from "#test/support/groups/naive-fold.ts";

const [ANN, BOB, CAROL, DAVE, EVE] = PEOPLE as readonly [string, string, string, string, string];

const add = (...people: readonly string[]): GroupChange => ({ op: "add", at: 2, people: [...people].sort() });
const remove = (...people: readonly string[]): GroupChange => ({ op: "remove", at: 3, people: [...people].sort() });
const admins = (...people: readonly string[]): GroupChange => ({ op: "admins", at: 4, people: [...people].sort() });
const name = (text: string): GroupChange => ({ op: "name", at: 5, name: text });
const owner = (person: string, at = 6): GroupChange => ({ op: "owner", at, people: [person] });
const leave: GroupChange = { op: "leave", at: 7 };

const transferOf = (item: LogItem, height = 1): OwnerTransfer => ({
  owner: item.entry.author,
  entry: item.hash,
  chainId: "parley-test",
  height,
});

/** Honest entries, each on all before and on what the chain says then. */
class Written {
  items: readonly LogItem[] = [createItem()];
  transfers: readonly OwnerTransfer[] = [];

  write(author: string, change: GroupChange): LogItem {
    const { heads } = new LogFold(this.items, this.transfers).group;
    const item = entryAfter(this.items, heads, { author, change });
    this.items = [...this.items, item];
    return item;
  }

  /** Passes the group on, and the chain has it. */
  pass(from: string, to: string): LogItem {
    const item = this.write(from, owner(to, 10 + this.items.length));
    this.transfers = [...this.transfers, transferOf(item, this.transfers.length + 1)];
    return item;
  }

  get group(): FoldedGroup {
    return new LogFold(this.items, this.transfers).group;
  }

  status(person: string): string | undefined {
    return this.group.people[person]?.status;
  }
}

/** Ann's group, which she has passed on to Bob; Carol is an admin. */
function passed(): Written {
  const log = new Written();
  log.write(ANN, admins(CAROL));
  log.pass(ANN, BOB);
  return log;
}

const summary = (items: readonly LogItem[], transfers: readonly OwnerTransfer[]): unknown => {
  const { people, ...rest } = new LogFold(items, transfers).group;
  return { ...rest, people: Object.fromEntries(Object.entries(people).sort()) };
};

describe("an owner who names the next one", () => {
  it("stays the owner until the chain has it, and is a member like others then", () => {
    const log = new Written();
    log.write(ANN, admins(BOB, CAROL));
    const item = log.write(ANN, owner(BOB));
    expect(log.group).toMatchObject({ owner: ANN, hasOwner: true, admins: [BOB, CAROL], pending: { person: BOB, hash: item.hash, at: 6 } });
    log.transfers = [transferOf(item)];
    expect(log.group).toMatchObject({ owner: BOB, hasOwner: true, admins: [CAROL], pending: undefined });
    expect(log.group.events.filter(({ kind }) => kind === "ownerNamed")).toMatchObject([{ person: BOB, hash: item.hash }]);
    expect(log.status(ANN)).toBe("in");
    log.write(BOB, remove(ANN));
    log.write(BOB, admins(CAROL, DAVE));
    expect(log.group).toMatchObject({ admins: [CAROL, DAVE], people: { [ANN]: { status: "removed" } } });
  });

  it("can get the group back, and is no admin again by what was before", () => {
    const log = new Written();
    log.write(ANN, admins(BOB));
    log.pass(ANN, BOB);
    log.pass(BOB, ANN);
    expect(log.group).toMatchObject({ owner: ANN, admins: [] });
    log.write(ANN, remove(BOB));
    expect(log.status(BOB)).toBe("removed");
  });

  it("who has left has left it to the one who follows", () => {
    const log = new Written();
    const item = log.write(ANN, owner(BOB));
    log.write(ANN, leave);
    expect(log.group.hasOwner).toBe(false);
    log.transfers = [transferOf(item)];
    expect(log.group).toMatchObject({ owner: BOB, hasOwner: true, people: { [ANN]: { status: "left" } } });
    log.write(BOB, add(EVE));
    expect(log.status(EVE)).toBe("in");
    log.write(BOB, leave);
    log.write(BOB, add(DAVE));
    expect(log.group.hasOwner).toBe(false);
  });

  it("takes in again who was removed before, and leaves out who left meanwhile", () => {
    const log = new Written();
    log.write(ANN, remove(BOB));
    log.pass(ANN, BOB);
    expect(log.status(BOB)).toBe("in");
    const other = new Written();
    const departure = entryAfter(other.items, [other.items[0]?.hash ?? ""], { author: BOB, change: leave });
    other.pass(ANN, BOB);
    other.items = [...other.items, departure];
    expect(other.status(BOB)).toBe("left");
    expect(other.group.hasOwner).toBe(false);
  });
});

describe("who owned a group before", () => {
  it("changes nothing, by any entries after or beside, in 300 histories", () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = seeded(seed);
      const log = passed();
      log.write(BOB, name("His"));
      const expected = log.group;
      let all = log.items;
      for (let at = 100; at < 110; at += 1) {
        const prev = some(random, all, 3).map(({ hash }) => hash);
        const change = anyChangeOrOwner(random, at);
        if (change.op !== "leave") all = [...all, entryAfter(all, prev, { author: ANN, change, isListed: random() > 0.2 })];
      }
      const now = new LogFold(all, log.transfers).group;
      expect([now.owner, now.admins, now.name.text, now.people], `seed ${seed}`).toEqual([
        expected.owner,
        expected.admins,
        expected.name.text,
        expected.people,
      ]);
    }
  });

  it("does not vouch for a stolen device of somebody else", () => {
    const log = passed();
    const rogue = entryAfter(log.items, log.group.heads, { author: CAROL, change: add(EVE), isListed: false });
    const voucher = entryAfter([...log.items, rogue], [rogue.hash], { author: ANN, change: name("x") });
    log.items = [...log.items, rogue, voucher];
    expect(log.status(EVE)).toBeUndefined();
    log.items = [...log.items, entryAfter(log.items, [rogue.hash], { author: BOB, change: name("y") })];
    expect(log.status(EVE)).toBe("in");
  });

  it("may still leave, however much they wrote as the owner", () => {
    let log = beginLog(stored(createItem())) as GroupLog;
    const grown = (author: string, change: GroupChange): LogItem => {
      const item = entryAfter(log.entries, log.fold.group.heads, { author, change });
      log = withEntries(log, [stored(item)]).log;
      return item;
    };
    for (let at = 0; at <= MAX_AUTHOR_ENTRIES; at += 1) grown(ANN, { op: "name", at, name: `name ${at}` });
    const item = grown(ANN, owner(BOB));
    log = withTransfer(log, transferOf(item));
    grown(ANN, leave);
    expect(log.fold.group).toMatchObject({ owner: BOB, people: { [ANN]: { status: "left" } } });
  });
});

describe("of several that would follow", () => {
  it("the one that the chain has first is the owner, in every order of arrival", () => {
    const log = new Written();
    const heads = log.group.heads;
    const rival = entryAfter(log.items, heads, { author: ANN, change: owner(DAVE, 1) });
    const first = entryAfter(log.items, heads, { author: ANN, change: owner(BOB, 2) });
    const items = [...log.items, rival, first];
    expect(new LogFold(items, [transferOf(first, 5)]).group.owner).toBe(BOB);
    // What the chain has later, or what it names second, is no transfer of the owner any more.
    expect(new LogFold(items, [transferOf(first, 5), transferOf(rival, 6)]).group.owner).toBe(BOB);
    expect(new LogFold([...items].reverse(), [transferOf(first, 5), transferOf(rival, 6)]).group.owner).toBe(BOB);
  });

  it("an entry that is held back keeps the group where it is, and is the one once it is there", () => {
    const log = new Written();
    const hidden = entryAfter(log.items, log.group.heads, { author: ANN, change: owner(DAVE, 1) });
    log.write(ANN, owner(BOB, 2));
    log.transfers = [transferOf(hidden)];
    expect(log.group).toMatchObject({ owner: ANN, pending: undefined });
    log.items = [...log.items, hidden];
    expect(log.group.owner).toBe(DAVE);
  });

  it.each<readonly [string, string, GroupChange]>([
    ["a member", CAROL, owner(CAROL, 1)],
    ["an admin", BOB, owner(BOB, 1)],
    ["the owner to themself", ANN, owner(ANN, 1)],
    ["another operation", ANN, name("x")],
  ])("none is by %s", (_, author, change) => {
    const log = new Written();
    log.write(ANN, admins(BOB));
    const item = log.write(author, change);
    for (const claimed of [transferOf(item), { ...transferOf(item), owner: ANN }]) {
      log.transfers = [claimed];
      expect(log.group).toMatchObject({ owner: ANN, admins: [BOB], pending: undefined });
    }
  });

  it("none is of a time that is over, or of an owner who had left", () => {
    const log = passed();
    const stale = entryAfter(log.items, [log.items[0]?.hash ?? ""], { author: BOB, change: owner(EVE) });
    log.items = [...log.items, stale];
    expect(new LogFold(log.items, [...log.transfers, transferOf(stale, 9)]).group.owner).toBe(BOB);
    log.write(BOB, leave);
    const late = log.write(BOB, owner(EVE, 8));
    expect(new LogFold(log.items, [...log.transfers, transferOf(late, 9)]).group).toMatchObject({ owner: BOB, hasOwner: false });
  });

  it("an entry of a device that was unlinked counts where the chain names it", () => {
    const log = new Written();
    const item = entryAfter(log.items, log.group.heads, { author: ANN, change: owner(BOB), isListed: false });
    log.items = [...log.items, item];
    expect(log.group.pending).toBeUndefined();
    log.transfers = [transferOf(item)];
    expect(log.group.owner).toBe(BOB);
  });
});

describe("any history with owners", () => {
  const history = (seed: number, length: number): readonly LogItem[] => anyHistory(seed, length, PEOPLE.slice(0, 4), anyChangeOrOwner);

  it("makes the same group in 2,000 orders of its entries", () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const items = history(seed, 24);
      const transfers = anyTransfers(seed, items);
      const expected = JSON.stringify(summary(items, transfers));
      const random = seeded(seed);
      for (let order = 1; order <= 50; order += 1) {
        const shuffled = [...items].sort(() => random() - 0.5);
        expect(JSON.stringify(summary(shuffled, transfers)), `seed ${seed}, order ${order}`).toBe(expected);
      }
    }
  });

  it("makes the group that a second evaluation makes, of 500 histories, a third of them with other owners", () => {
    let changed = 0;
    for (let seed = 1; seed <= 500; seed += 1) {
      const items = history(seed, 4 + (seed % 24));
      const transfers = anyTransfers(seed, items);
      const { owner: now, admins: leading, name: title, picture, people } = new LogFold(items, transfers).group;
      const statuses = Object.fromEntries(Object.entries(people).map(([key, { status }]) => [key, status]));
      expect({ owner: now, admins: leading, name: title.text, picture, people: statuses, links: {} }, `seed ${seed}`).toEqual(
        naiveFold(items, transfers),
      );
      if (now !== ANN) changed += 1;
    }
    expect(changed).toBeGreaterThan(150);
  });

  it("is still all that its needed entries make", () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const items = history(seed, 24);
      const transfers = anyTransfers(seed, items);
      const { needed } = new LogFold(items, transfers);
      const rest = items.filter(({ hash }) => needed.has(hash));
      expect(naiveFold(rest, transfers), `seed ${seed}`).toEqual(naiveFold(items, transfers));
    }
  });
});

describe("a log that learns of the chain", () => {
  it("takes what the chain says of its owner next, once each, within a bound", () => {
    let log = beginLog(stored(createItem())) as GroupLog;
    let [from, to] = [ANN, BOB];
    for (let height = 1; height <= MAX_OWNER_TRANSFERS + 1; height += 1) {
      const item = entryAfter(log.entries, log.fold.group.heads, { author: from, change: owner(to, height) });
      log = withEntries(log, [stored(item)]).log;
      const transfer = transferOf(item, height);
      const next = withTransfer(log, transfer);
      expect(withTransfer(next, transfer)).toBe(next);
      expect(withTransfer(log, { ...transfer, owner: EVE })).toBe(log);
      if (height > MAX_OWNER_TRANSFERS) expect(next).toBe(log);
      log = next;
      [from, to] = [to, from];
    }
    expect(log.transfers).toHaveLength(MAX_OWNER_TRANSFERS);
    expect(log.fold.group.pending).toBeUndefined();
    expect(honest(log.entries, CAROL, leave).entry.n).toBeGreaterThan(MAX_OWNER_TRANSFERS);
  });
});

function stored(item: LogItem): StoredEntry {
  return { ...item, text: item.hash };
}
