// A group's log in the record of its conversation: opened, joined with what comes, and put into the form that the rest of the messenger,
// and programs from before there were logs, know. Pure.

import type { GroupId } from "#shared/content/group-content.ts";
import { decodeBaseState, hashOfState } from "#shared/protocol/groups/base-state.ts";
import type { LogRoot } from "#shared/protocol/groups/fold-log.ts";
import {
  beginLog,
  type GroupLog,
  logOfEntries,
  pastOf,
  type StoredEntry,
  withEntries,
  withTransfer,
} from "#shared/protocol/groups/group-log.ts";
import { partsAt, rebased, type SentBase, stateText } from "#shared/protocol/groups/join-base.ts";
import { lostDepartures } from "#shared/protocol/groups/log-base.ts";
import type { EntryHash } from "#shared/protocol/groups/log-entry.ts";
import { logIdOf } from "#shared/protocol/groups/log-entry.ts";
import type { OwnerTransfer } from "#shared/protocol/groups/owner-terms.ts";
import { decodeSignedEntry } from "#shared/protocol/groups/signed-entry.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { fromBase64 } from "#shared/util/bytes.ts";
import {
  type GroupLogRecord,
  type GroupMembershipRecord,
  type GroupPictureRecord,
  type GroupRecord,
  membersOf,
  nextClock,
  withDeparture,
} from "../../model/group-state.ts";
import { linkFieldsOf, withLinkTexts } from "../group-links.ts";

/** A record with its log, and what was known before. */
export interface JoinedLog {
  readonly record: GroupRecord;
  readonly log: GroupLog;
  readonly before: GroupLog | undefined;
  /** Something could not be taken because entries before it are not known. */
  readonly isMissing: boolean;
  /** It begins at a base of which this device has not known what is before. */
  readonly isMoved: boolean;
}

/** What is known of a group before entries come. */
export interface KnownLog {
  readonly known: GroupRecord | undefined;
  readonly group: GroupId;
  /** What the chain says of its owners, where that was looked up just now. */
  readonly transfers?: readonly OwnerTransfer[];
  /** What came with entries from a base on. */
  readonly base?: SentBase | undefined;
}

const opened = new WeakMap<readonly string[], GroupLog>();

/** An entry of a text that was checked. @throws TypeError for a text that is none. */
export function storedEntryOf(text: string, isListed: (hash: EntryHash) => boolean): StoredEntry {
  const decoded = decodeSignedEntry(text);
  if (decoded === undefined) throw new TypeError("This is no signed entry of a group");
  const { hash, entry } = decoded;
  return { hash, entry, text, isListed: isListed(hash) };
}

/** The log of a record. @throws TypeError for a record that this program has not written. */
export function openLog({
  entries,
  unlisted,
  transfers,
  base,
}: Pick<GroupLogRecord, "entries" | "unlisted" | "transfers" | "base">): GroupLog {
  const known = opened.get(entries);
  if (known !== undefined) return known;
  const stored = entries.map((text) => storedEntryOf(text, (hash) => !unlisted.includes(hash)));
  const log = logOfEntries(stored, transfers, base === undefined ? undefined : rootOf(stored, base));
  if (log === undefined) throw new TypeError("A log begins with the creation of its group");
  opened.set(entries, log);
  return log;
}

function rootOf(entries: readonly StoredEntry[], base: string): LogRoot {
  const bytes = fromBase64(base);
  const state = decodeBaseState(bytes);
  const root = entries.find(({ entry: { change } }) => change.op === "base" && change.state === hashOfState(bytes));
  if (state === undefined || root === undefined) throw new TypeError("A log that was shortened has the base at which it begins");
  return { hash: root.hash, state };
}

/**
 * A group with entries whose proofs were checked; undefined when they begin no log of it. A log counts for a group whose id is that of its
 * first entry, or whose admin, as known so far, continues an older group by it.
 */
export function joinEntries(
  { known, group, transfers = [], base }: KnownLog,
  incoming: readonly StoredEntry[],
  me: PublicKeyHex,
): JoinedLog | undefined {
  const before = known?.log === undefined ? undefined : openLog(known.log);
  const begun = beginningOf({ known, before, group, incoming: [...(base?.kept ?? []), ...incoming] }) ?? before;
  if (begun === undefined) return undefined;
  const joined = withEntries(begun, incoming);
  const moved = base === undefined ? joined.log : rebased(joined.log, base, { entries: incoming, transfers });
  const isMissing = joined.isMissing && moved === joined.log;
  // Without the base at which its entries begin a log is not that of the group.
  if (before === undefined && base !== undefined && moved.root === undefined && isMissing) return undefined;
  const log = transfers.reduce(withTransfer, moved);
  const record = log === before && known !== undefined ? known : recordOf(log, known, me);
  // Of the log that the id of the group names, of which only later entries came.
  const isOfFounding = log.id !== group && incoming.some(({ entry }) => entry.group === group && entry.n > 1);
  return { record, log, before, isMissing: isMissing || isOfFounding, isMoved: before !== undefined && moved !== joined.log };
}

/** Two records of one group, as from a backup: all that either knows. */
export function joinRecords(known: GroupRecord, other: GroupRecord, group: GroupId, me: PublicKeyHex): GroupRecord {
  if (other.log === undefined) return known;
  const { base, entries } = partsAt(openLog(other.log));
  const { transfers } = openLog(other.log);
  const joined = joinEntries({ known, group, transfers, base }, entries, me);
  if (joined === undefined) return known;
  const begun = withLinkTexts(joined.record, joined.log, other.linkTexts ?? {});
  return Object.entries(other.log.departed).reduce(
    (record, [person, entry]) => withUnsignedDeparture(record, person, entry),
    transfers.reduce((record, transfer) => joinTransfer(record, transfer, me)?.record ?? record, begun),
  );
}

/** A group with what the chain says next of its owner; undefined where that is known, or the log is not the one that the group began with. */
export function joinTransfer(known: GroupRecord, transfer: OwnerTransfer, me: PublicKeyHex): JoinedLog | undefined {
  if (known.log === undefined) return undefined;
  const before = openLog(known.log);
  const log = withTransfer(before, transfer);
  return log === before
    ? undefined
    : { record: recordOf(log, known, me), log, before, isMissing: log.fold.terms.isBlocked, isMoved: false };
}

/** A departure that an older program told of: its box proves who said so. */
export function withUnsignedDeparture(
  group: GroupRecord,
  person: PublicKeyHex,
  entry: Omit<GroupMembershipRecord, "standing">,
): GroupRecord {
  const { log } = group;
  if (log === undefined) return withDeparture(group, person, entry);
  const latest = log.departed[person];
  if (latest !== undefined && latest.clock >= entry.clock) return group;
  return { ...withDeparture(group, person, entry), log: { ...log, departed: { ...log.departed, [person]: entry } } };
}

interface Beginning {
  readonly known: GroupRecord | undefined;
  readonly before: GroupLog | undefined;
  readonly group: GroupId;
  readonly incoming: readonly StoredEntry[];
}

/**
 * The log that entries begin for a group, in place of what was known of it. The one that the id of the group names goes before all others:
 * no one else can have made it. Of two by which the owner's devices continued an older group all follow the smaller.
 */
function beginningOf({ known, before, group, incoming }: Beginning): GroupLog | undefined {
  if (before?.id === group) return undefined;
  const founding = incoming.find(({ hash, entry }) => entry.n === 1 && logIdOf(hash) === group && !isFormerKeeper(known, entry.author));
  if (founding !== undefined) return beginLog(founding);
  const mayContinue = ({ hash, entry }: StoredEntry): boolean =>
    entry.n === 1 &&
    entry.group === group &&
    (known === undefined || (before?.fold.group.owner ?? known.keeper) === entry.author) &&
    (before === undefined || logIdOf(hash) < before.id);
  return incoming
    .filter(mayContinue)
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .flatMap((create) => beginLog(create) ?? [])
    .find((log) => withEntries(log, incoming).log.fold.isBegunByListed);
}

/** Who handed an older group over does not get it back by a beginning that was prepared for its id. */
function isFormerKeeper(known: GroupRecord | undefined, person: PublicKeyHex): boolean {
  return known !== undefined && known.keeper !== person && Object.values(known.keepers).includes(person);
}

/** The record of a group whose log is this. */
export function recordOf(log: GroupLog, known: GroupRecord | undefined, me: PublicKeyHex): GroupRecord {
  const { owner, hasOwner, pending, admins, name, picture, people, heads } = log.fold.group;
  const older = known?.log?.older ?? countsOf(log, known);
  const entries = {
    ...formerly(known),
    ...Object.fromEntries(
      Object.entries(people).map(([key, { status, n, at }]) => [key, { clock: older.clock + n, standing: status, at }]),
    ),
  };
  const departed = departedOf(log, known, older.clock);
  const texts = log.entries.map(({ text }) => text);
  opened.set(texts, log);
  const isOwnerGone = !hasOwner;
  const term = older.term + log.fold.terms.count - 1 + Number(isOwnerGone);
  const bare: GroupRecord = {
    term,
    keeper: owner,
    since: isOwnerGone ? (people[owner]?.at ?? older.since) : older.since,
    name: { text: name.text, clock: older.clock + name.n, at: name.at },
    entries,
    keepers: {},
    joined: people[me]?.status === "in" ? older.clock + people[me].n : (known?.joined ?? 1),
    learned: { ...known?.learned, ...longGone(log, known) },
    ...(known?.restoredAt !== undefined && { restoredAt: known.restoredAt }),
    ...(known?.asked !== undefined && { asked: known.asked }),
    owner: isOwnerGone ? null : owner,
    admins,
    ...(pending !== undefined && { successor: { person: pending.person, at: pending.at } }),
    ...(picture !== "" && { picture: pictureOf(known, picture) }),
    ...linkFieldsOf(log, known),
    log: { entries: texts, heads, older, departed, ...storedPartsOf(log) },
  };
  const group = Object.entries(departed).reduce((record, [person, entry]) => withDeparture(record, person, entry), bare);
  const keeper = isOwnerGone ? (membersOf(group).find((member) => admins.includes(member)) ?? owner) : owner;
  return { ...group, keeper, keepers: { ...known?.keepers, [term]: keeper } };
}

/** Who has left without an entry, those among them whose entry went with what a base has replaced. */
function departedOf(log: GroupLog, known: GroupRecord | undefined, olderClock: number): GroupLogRecord["departed"] {
  if (known?.log === undefined) return {};
  const { departed } = known.log;
  const lost = lostDepartures(openLog(known.log), log).map(({ person, n, at }) => [person, { clock: olderClock + n, at }] as const);
  const isNewer = ([person, { clock }]: (typeof lost)[number]): boolean => clock > (departed[person]?.clock ?? 0);
  return { ...departed, ...Object.fromEntries(lost.filter(isNewer)) };
}

function storedPartsOf(log: GroupLog): Pick<GroupLogRecord, "unlisted" | "transfers" | "base"> {
  const base = stateText(log);
  return {
    unlisted: log.entries.filter(({ isListed }) => !isListed).map(({ hash }) => hash),
    ...(log.transfers.length > 0 && { transfers: log.transfers }),
    ...(base !== undefined && { base }),
  };
}

/** What is known of the picture that a log names. */
function pictureOf(known: GroupRecord | undefined, hash: string): GroupPictureRecord {
  return known?.picture?.hash === hash ? known.picture : { hash, isHere: false, askedOf: [] };
}

/** What older programs counted before the first entry of a log. */
function countsOf({ fold }: GroupLog, known: GroupRecord | undefined): GroupLogRecord["older"] {
  if (known !== undefined) return { clock: nextClock(known), term: known.term, since: known.since };
  const change = fold.nodes[0]?.entry.change;
  return { clock: 0, term: 0, since: change?.op === "create" ? change.at : 0 };
}

/**
 * Of people whom a log no longer names this device may not know when they went: they were in the group here, or out of it by an entry that is not
 * known to be part of what a base has replaced. Nothing that comes late of them counts, as any time could be later than that of their removal.
 */
function longGone(log: GroupLog, known: GroupRecord | undefined): GroupRecord["learned"] {
  const { people } = log.fold.group;
  const unnamed = Object.entries(known?.entries ?? {}).filter(([key]) => people[key] === undefined);
  const before = known?.log === undefined || unnamed.length === 0 ? undefined : openLog(known.log);
  const replaced = before && replacedBy(log, before);
  const isUndated = (key: PublicKeyHex): boolean => {
    const decided = before?.fold.group.people[key];
    return decided !== undefined && replaced?.has(decided.hash) === false;
  };
  return Object.fromEntries(unnamed.filter(([key, { standing }]) => standing === "in" || isUndated(key)).map(([key]) => [key, 0]));
}

/** Entries of a log, and those that its own base names, of which it shows that the base of a later one knows them. */
function replacedBy({ entries, root }: GroupLog, before: GroupLog): ReadonlySet<EntryHash> {
  const base = entries.find(({ hash }) => hash === root?.hash);
  const past = base === undefined ? new Set<EntryHash>() : pastOf(before, [base.hash, ...base.entry.prev]);
  const named = before.root !== undefined && past.has(before.root.hash) ? before.root.state.people : [];
  return new Set([...past, ...named.map(({ hash }) => hash)]);
}

/** People of whom the log does not know: none of them is in the group. */
function formerly(known: GroupRecord | undefined): Record<PublicKeyHex, GroupMembershipRecord> {
  const entries = Object.entries(known?.entries ?? {});
  return Object.fromEntries(entries.map(([key, entry]) => [key, entry.standing === "in" ? { ...entry, standing: "removed" } : entry]));
}

/**
 * True for a member of the group that a link names. Everyone can call another one by its id: a state of an older program, or a log that
 * claims to continue one. What has such a link is the log whose id that is.
 */
export function isLetIn(record: GroupRecord | undefined, group: GroupId, me: PublicKeyHex): boolean {
  return record?.entries[me]?.standing === "in" && record.log !== undefined && openLog(record.log).id === group;
}
