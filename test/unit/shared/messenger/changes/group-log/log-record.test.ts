// Which log counts for a group: no one but its owner, from a device that the chain lists, begins or replaces one.
import { describe, expect, it } from "vitest";
import { linesOfLog } from "#shared/messenger/changes/group-log/log-lines.ts";
import { type JoinedLog, joinEntries, joinRecords, joinTransfer } from "#shared/messenger/changes/group-log/log-record.ts";
import { type GroupRecord, LATE_MS, mayWrite, membersOf, stateOf, withLearned, withState } from "#shared/messenger/model/group-state.ts";
import { type BaseState, decodeBaseState, encodeBaseState, hashOfState } from "#shared/protocol/groups/base-state.ts";
import type { LogItem } from "#shared/protocol/groups/entry-graph.ts";
import { beginLog, type GroupLog, logOfEntries, type StoredEntry } from "#shared/protocol/groups/group-log.ts";
import { stateAt } from "#shared/protocol/groups/log-base.ts";
import { type GroupChange, logIdOf } from "#shared/protocol/groups/log-entry.ts";
import { createItem, entryAfter, honest, itemOf, PEOPLE } from "#test/support/groups/group-history.ts";
import { newGroup } from "#test/support/worlds/older-group.ts";

const [ANN, BOB, CAROL, DAVE, EVE] = PEOPLE as readonly [string, string, string, string, string];
const OLDER = "5a".repeat(16);

const stored = (item: LogItem): StoredEntry => ({ ...item, text: item.hash });

/** The beginning of a log of a group with this id. */
function beginning(author: string, group: string, { others = [], isListed = true, at = 1 }: Partial<Begins> = {}): StoredEntry {
  const change = { op: "create", at, name: "Hikes", people: [...others].sort() } as const;
  return stored(itemOf({ group, n: 1, prev: [], author, device: author, height: 0, change }, isListed));
}

interface Begins {
  readonly others: readonly string[];
  readonly isListed: boolean;
  readonly at: number;
}

function join(known: GroupRecord | undefined, group: string, incoming: readonly StoredEntry[]): JoinedLog {
  const joined = joinEntries({ known, group }, incoming, CAROL);
  if (joined === undefined) throw new Error("no log");
  return joined;
}

describe("a group with a log", () => {
  const create = stored(createItem());
  const id = logIdOf(create.hash);
  const forged = beginning(DAVE, id, { others: [ANN, BOB, CAROL] });

  it("is the one that its id names, also where somebody else's came before", () => {
    const fooled = join(undefined, id, [forged]).record;
    expect(fooled.keeper).toBe(DAVE);
    const removal = stored(honest([create], ANN, { op: "remove", at: 2, people: [DAVE] }));
    const early = join(fooled, id, [removal]);
    expect(early.isMissing).toBe(true);
    const { record } = join(early.record, id, [create, removal]);
    expect(record.keeper).toBe(ANN);
    expect(membersOf(record)).toEqual([ANN, BOB, CAROL]);
    expect(join(record, id, [forged, create]).record).toBe(record);
  });

  it("is the one that its id names, also where a state of an older program came before", () => {
    const squat = withState(undefined, stateOf(newGroup(DAVE, { name: "Mine", others: [CAROL], at: 1 })), {
      author: DAVE,
      me: CAROL,
      isOwn: false,
    });
    const continued = join(squat, id, [beginning(DAVE, id, { others: [CAROL] })]).record;
    for (const known of [squat, continued]) expect(join(known, id, [create]).record.keeper).toBe(ANN);
  });
});

describe("a group that was passed on", () => {
  const create = stored(createItem());
  const id = logIdOf(create.hash);
  const passing = stored(honest([create], ANN, { op: "owner", at: 2, people: [BOB] }));
  const transfer = { owner: ANN, entry: passing.hash, chainId: "parley-test", height: 5 };

  it("says who is to follow, and who owns it once the chain has it", () => {
    const { record } = join(undefined, id, [create, passing]);
    expect(record).toMatchObject({ owner: ANN, keeper: ANN, term: 0, successor: { person: BOB, at: 2 } });
    const passed = joinTransfer(record, transfer, CAROL)?.record as GroupRecord;
    expect(passed).toMatchObject({ owner: BOB, keeper: BOB, term: 1, log: { transfers: [transfer] } });
    expect(passed.successor).toBeUndefined();
    expect(joinTransfer(passed, transfer, CAROL)).toBeUndefined();
    const after = stored(honest([create, passing], CAROL, { op: "leave", at: 3 }));
    expect(join(passed, id, [after]).record).toMatchObject({ owner: BOB, log: { transfers: [transfer] } });
  });

  it("is passed on in a record that is joined with one from a backup, whichever of the two knows it", () => {
    const { record } = join(undefined, id, [create, passing]);
    const passed = joinTransfer(record, transfer, CAROL)?.record as GroupRecord;
    for (const [one, other] of [
      [record, passed],
      [passed, record],
      [passed, passed],
    ] as const)
      expect(joinRecords(one, other, id, CAROL)).toMatchObject({ owner: BOB, log: { transfers: [transfer] } });
  });
});

describe("an older group", () => {
  const known = newGroup(ANN, { name: "Hikes", others: [BOB, CAROL], at: 1 });

  it("gets no log from an unlinked device of its admin, unless a listed one knows it", () => {
    const stolen = beginning(ANN, OLDER, { others: [CAROL], isListed: false });
    expect(joinEntries({ known, group: OLDER }, [stolen], CAROL)).toBeUndefined();
    expect(joinEntries({ known, group: OLDER }, [beginning(BOB, OLDER, { others: [CAROL] })], CAROL)).toBeUndefined();
    const after = stored(entryAfter([stolen], [stolen.hash], { author: ANN, change: { op: "name", at: 2, name: "Walks" } }));
    expect(join(known, OLDER, [stolen, after]).record.name.text).toBe("Walks");
  });

  it("gets no other log from an unlinked device of its admin", () => {
    const all = Array.from({ length: 8 }, (_, at) => beginning(ANN, OLDER, { others: [CAROL], at })).sort((a, b) =>
      a.hash < b.hash ? -1 : 1,
    );
    const [smallest, greatest] = [all[0], all.at(-1)] as [StoredEntry, StoredEntry];
    const { record } = join(known, OLDER, [greatest]);
    expect(join(record, OLDER, [{ ...smallest, isListed: false }]).record).toBe(record);
    expect(join(record, OLDER, [smallest]).log.id).toBe(logIdOf(smallest.hash));
  });

  it("is not taken back by a beginning that its first admin had prepared for its id", () => {
    const create = stored(createItem());
    const id = logIdOf(create.hash);
    const handed = { ...stateOf(known), term: 1, keeper: BOB, since: 2 };
    const ofBob = withState(known, handed, { author: ANN, me: CAROL, isOwn: false });
    expect(joinEntries({ known: ofBob, group: id }, [create], CAROL)).toBeUndefined();
    const { record } = join(ofBob, id, [beginning(BOB, id, { others: [ANN, CAROL] })]);
    expect(join(record, id, [create]).record).toBe(record);
  });
});

describe("the lines of a large group", () => {
  const create = createItem();
  const added = (at: number, person: string): LogItem => honest([create], ANN, { op: "add", at, people: [person] });
  const logOf = (...items: readonly LogItem[]): GroupLog => logOfEntries(items.map(stored)) as GroupLog;
  const eventsOf = (log: GroupLog, before?: GroupLog): readonly (string | undefined)[] =>
    linesOfLog(log.id, { log, before, me: BOB }).map(({ body }) => (body.kind === "group.note" ? body.event : undefined));

  it("name no one who came with it", () => {
    expect(eventsOf(logOf(create, added(1, EVE)))).toEqual(["made"]);
    expect(eventsOf(logOf(create, added(2, EVE)))).toEqual(["made", "added"]);
  });

  it("name everyone who comes later, also by an entry that is dated back to the beginning", () => {
    expect(eventsOf(logOf(create, added(1, EVE)), logOf(create))).toEqual(["added"]);
  });
});

describe("a log that begins at a base", () => {
  const create = stored(createItem());
  const id = logIdOf(create.hash);
  const truth = stateAt(beginLog(create) as GroupLog, [create.hash]) as Uint8Array;
  const eventsOf = ({ log, before, isMoved }: JoinedLog): readonly (string | undefined)[] =>
    linesOfLog(id, { log, before, me: CAROL, isMoved }).map(({ body }) => (body.kind === "group.note" ? body.event : undefined));

  it("of which what is before is not known says so, and names who came in by it, also where they are dated back to the beginning", () => {
    const state = decodeBaseState(truth) as BaseState;
    const eve = { key: EVE, status: "in", n: 2, at: 1, hash: "ab".repeat(32) } as const;
    const people = [...state.people, eve].sort((a, b) => (a.key < b.key ? -1 : 1));
    const bytes = encodeBaseState({ ...state, people });
    const ofAnn = { group: id, author: ANN, device: ANN, height: 0 };
    const base = stored(itemOf({ ...ofAnn, n: 9, prev: [eve.hash], change: { op: "base", at: 9, state: hashOfState(bytes) } }));
    const later = stored(itemOf({ ...ofAnn, n: 10, prev: [base.hash], change: { op: "base", at: 10, state: eve.hash } }));
    const { record: known } = join(undefined, id, [create]);
    const joined = joinEntries({ known, group: id, base: { kept: [create], state: bytes } }, [base, later], CAROL) as JoinedLog;
    expect(joined.log.root?.hash).toBe(base.hash);
    // The later base says nothing that is true.
    expect(eventsOf(joined)).toEqual(["moved", "added", "forked"]);
  });

  it("that does not know of a departure brings no one back", () => {
    const leave = stored(honest([create], DAVE, { op: "leave", at: 5 }));
    const { record: known } = join(undefined, id, [create, leave]);
    const base = stored(honest([create], ANN, { op: "base", at: 6, state: hashOfState(truth) }));
    const later = stored(
      entryAfter([create, base], [base.hash], { author: ANN, change: { op: "base", at: 7, state: hashOfState(truth) } }),
    );
    const joined = join(known, id, [base, later]);
    expect(joined.log.root?.hash).toBe(base.hash);
    expect(joined.record.entries[DAVE]?.standing).toBe("left");
    expect(eventsOf(joined)).toEqual([]);
    const back = stored(entryAfter([create, base, later], [later.hash], { author: ANN, change: { op: "add", at: 8, people: [DAVE] } }));
    expect(join(joined.record, id, [back]).record.entries[DAVE]?.standing).toBe("in");
  });
});

describe("who was removed, where a base no longer names them", () => {
  const NOW = 10 * LATE_MS;
  const create = stored(createItem());
  const id = logIdOf(create.hash);
  const items: StoredEntry[] = [create];
  const write = (change: GroupChange): StoredEntry => {
    const { fold } = logOfEntries(items) as GroupLog;
    const entry = stored(entryAfter(items, fold.group.heads, { author: ANN, change }));
    items.push(entry);
    return entry;
  };
  const writeBase = (at: number): Uint8Array => {
    const log = logOfEntries(items) as GroupLog;
    const state = stateAt(log, log.fold.group.heads) as Uint8Array;
    write({ op: "base", at, state: hashOfState(state) });
    return state;
  };
  const added = write({ op: "add", at: 500, people: [EVE] });
  write({ op: "remove", at: 10, people: [EVE] });
  writeBase(20);
  write({ op: "remove", at: 30, people: [DAVE] });
  // Of another device of hers, which has not heard of that.
  const aside = stored(entryAfter(items, [added.hash], { author: ANN, change: { op: "name", at: 35, name: "Walks" } }));
  items.push(aside);
  const state = writeBase(40);
  writeBase(50);
  /** The group of a device that did not get what is between these entries and that base. */
  const moved = (...known: readonly StoredEntry[]): GroupRecord => {
    const record = withLearned(join(undefined, id, known).record, NOW);
    const joined = joinEntries({ known: record, group: id, base: { kept: [create], state } }, items.slice(-2), CAROL) as JoinedLog;
    expect(joined.isMoved).toBe(true);
    expect(joined.log.fold.group.people[EVE]).toBeUndefined();
    return withLearned(joined.record, NOW);
  };
  const mayEve = (record: GroupRecord, at: number, nowMs = NOW): boolean => mayWrite(record, EVE, { at, nowMs });

  it("has nothing late counted by a device that had them in the group, however late they had come in by a clock", () => {
    const record = moved(create, added);
    expect(record.entries[EVE]).toMatchObject({ standing: "removed", at: 500 });
    for (const at of [9, 400]) expect(mayEve(record, at)).toBe(false);
    expect(mayEve(moved(create, added, aside), 9)).toBe(false);
    // Of whom it does name it is known when they went.
    expect(mayWrite(record, DAVE, { at: 30, nowMs: NOW + LATE_MS })).toBe(true);
    expect(mayWrite(record, DAVE, { at: 31, nowMs: NOW })).toBe(false);
    expect(mayWrite(record, DAVE, { at: 30, nowMs: NOW + LATE_MS + 1 })).toBe(false);
  });

  it("has nothing late counted by a device that knew of another removal, which changes nothing any more", () => {
    const again = stored(entryAfter([create, added], [added.hash], { author: ANN, change: { op: "remove", at: 600, people: [EVE] } }));
    const record = moved(create, added, again);
    expect(record.entries[EVE]).toMatchObject({ standing: "removed", at: 600 });
    for (const at of [9, 400]) expect(mayEve(record, at)).toBe(false);
  });

  it("is late for a day as others, by a device that got the removal and all entries until the base", () => {
    let record = withLearned(join(undefined, id, [create]).record, NOW);
    for (const entry of items.slice(1)) record = withLearned(join(record, id, [entry]).record, NOW);
    expect(record.log?.base).toBeDefined();
    expect(mayEve(record, 10, NOW + LATE_MS)).toBe(true);
    expect(mayEve(record, 11)).toBe(false);
    expect(mayEve(record, 10, NOW + LATE_MS + 1)).toBe(false);
  });

  it("is late as others once they came back and were removed again", () => {
    const after = [...items];
    const follow = (change: GroupChange, from: GroupRecord): GroupRecord => {
      const { fold } = join(from, id, []).log;
      const entry = stored(entryAfter(after, fold.group.heads, { author: ANN, change }));
      after.push(entry);
      return withLearned(join(from, id, [entry]).record, NOW);
    };
    const back = follow({ op: "add", at: 60, people: [EVE] }, moved(create, added));
    const gone = follow({ op: "remove", at: 70, people: [EVE] }, back);
    expect(mayEve(gone, 65, NOW + LATE_MS)).toBe(true);
    expect(mayEve(gone, 71)).toBe(false);
  });
});
