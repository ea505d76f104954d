// The log of one group: its entries, parents first, and what they make of it. It grows by entries whose predecessors are there, and what is
// before a base of its owner goes once a later one confirms that; of what has no effect no more is kept than there is room for, so it
// cannot be filled with entries that do not count.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { compareEntries, type LogItem } from "./entry-graph.ts";
import { LogFold, type LogRoot } from "./fold-log.ts";
import {
  AUTHOR_BASE_ENTRIES,
  BASE_ENTRIES,
  FULL_LOG_MS,
  LITTLE_ROOM_ENTRIES,
  LOST_BASE_ENTRIES,
  MAX_BASES,
  MAX_OWNER_TRANSFERS,
  RANK_ENTRIES,
} from "./group-bounds.ts";
import { entriesSinceBase, isLastBaseLost, itemsAfter, type JudgedBases, judgeBases, nextRoot, stateAt } from "./log-base.ts";
import { type EntryHash, type GroupChange, type LogEntry, logIdOf } from "./log-entry.ts";
import type { OwnerTransfer } from "./owner-terms.ts";

/** Most entries of a log. */
export const MAX_LOG_ENTRIES = 1_024;
/** Entries that are left for the owner. */
export const OWNER_ENTRIES = 256;
/** Most entries of one author besides the owner, but for those that an entry of the owner knows. */
export const MAX_AUTHOR_ENTRIES = 128;
/** Most people whom one owner ever names admins: what each of them may do is worked out for every list of admins. */
export const MAX_NAMED_PEOPLE = 64;

/** An entry as it is stored and passed on. */
export interface StoredEntry extends LogItem {
  /** Base64 of the entry with its proof. */
  readonly text: string;
}

/** A log and what it says. */
export interface GroupLog {
  /** Its own id, 16 bytes in hex. */
  readonly id: string;
  /** In an order in which each follows all that it knows. */
  readonly entries: readonly StoredEntry[];
  /** How owners passed it on, as the chain says. */
  readonly transfers: readonly OwnerTransfer[];
  /** The base that it begins with, behind entries that stayed; undefined where all entries are there. */
  readonly root: LogRoot | undefined;
  /** Which bases of owners behind that are true. */
  readonly judged: JudgedBases;
  readonly fold: LogFold;
}

/** The log that begins with an entry; undefined for one that begins none. */
export function beginLog(create: StoredEntry): GroupLog | undefined {
  return create.entry.change.op === "create"
    ? foldedLog({ id: logIdOf(create.hash), entries: [create], transfers: [], root: undefined })
    : undefined;
}

/** A log of entries that were taken before; undefined when they begin with no `create`. */
export function logOfEntries(
  entries: readonly StoredEntry[],
  transfers: readonly OwnerTransfer[] = [],
  root?: LogRoot,
): GroupLog | undefined {
  const [create] = entries;
  return create?.entry.change.op === "create" ? foldedLog({ id: logIdOf(create.hash), entries, transfers, root }) : undefined;
}

/** A log with what the chain says next of its owner; the same log where that is known, or where there is no room for more owners. */
export function withTransfer(log: GroupLog, transfer: OwnerTransfer): GroupLog {
  const { transfers, fold } = log;
  const isKnown = transfers.some(({ entry }) => entry === transfer.entry);
  const isNext = !fold.terms.isBlocked && !isKnown && transfer.owner === fold.terms.owner;
  if (!isNext || transfers.length >= MAX_OWNER_TRANSFERS) return log;
  return shortened(foldedLog({ ...log, transfers: [...transfers, transfer] }));
}

/**
 * A log with more entries, whose proofs were checked. What does not fit is left out: of another log, with a wrong number, of someone who
 * was never in the group, beyond the bounds. `isMissing`: something is left out because entries before it are not known.
 */
export function withEntries(log: GroupLog, incoming: readonly StoredEntry[]): { readonly log: GroupLog; readonly isMissing: boolean } {
  const known = new Map(log.entries.map((entry) => [entry.hash, entry]));
  if (incoming.every(({ hash, isListed }) => known.get(hash)?.isListed === true || (!isListed && known.has(hash))))
    return { log, isMissing: false };
  const { isMissing, isChanged } = takeInto(known, log, incoming);
  const isVouched = vouchIn(known, incoming);
  if (!isChanged && !isVouched) return { log, isMissing };
  return { log: bounded(shortened(foldedLog({ ...log, entries: [...known.values()] })), log), isMissing };
}

interface Taken {
  readonly isMissing: boolean;
  readonly isChanged: boolean;
}

/** Adds entries that are not known and follow known ones. */
function takeInto(known: Map<EntryHash, StoredEntry>, log: GroupLog, incoming: readonly StoredEntry[]): Taken {
  const fresh = new Map(incoming.filter(({ hash }) => !known.has(hash)).map((entry) => [entry.hash, entry]));
  const { owner, owners } = log.fold.terms;
  const isForOwner = knownTo(fresh, (author) => author === owner);
  const people = mentionedIn(log, owners);
  // Who was in the group before the last bases is in no state any more: what members have built upon is taken from anyone.
  const isBuiltUpon = log.root === undefined ? new Set() : knownTo(fresh, (author) => people.has(author));
  const isInvolved = ({ hash, entry }: StoredEntry): boolean => people.has(entry.author) || isBuiltUpon.has(hash);
  const named = namedIn(log);
  const counts = countsIn(log);
  const countOf = (author: PublicKeyHex): number => counts.get(author) ?? 0;
  const isKnownToOthers = knownTo(fresh, (author, of) => author !== of);
  const isOut = (author: PublicKeyHex): boolean => {
    const member = log.fold.group.people[author];
    return member !== undefined && member.status !== "in" && !log.fold.hasRight(author);
  };
  const hasRoom = ({ hash, entry: { author, change } }: StoredEntry): boolean => {
    // Who is out, without a right, has nothing to leave: such an entry could only take back what they did before.
    if (change.op === "leave" && isOut(author) && !isKnownToOthers.has(hash)) return false;
    return author === owner || isForOwner.has(hash) || countOf(author) < MAX_AUTHOR_ENTRIES;
  };
  // What does not know the root changes nothing any more, and what it replaces is not there.
  const rootNumber = log.entries.find(({ hash }) => hash === log.root?.hash)?.entry.n ?? 0;
  const isAfterRoot = (prev: readonly EntryHash[]): boolean => prev.every((hash) => (known.get(hash)?.entry.n ?? 0) >= rootNumber);
  let isMissing = false;
  let isChanged = false;
  for (const item of [...fresh.values()].sort(compareEntries)) {
    const { entry } = item;
    if (entry.group !== log.id || entry.n === 1 || entry.n <= rootNumber || !isInvolved(item) || !hasRoom(item)) continue;
    const namedWith = withNamed(named, entry);
    if (namedWith.size > MAX_NAMED_PEOPLE) continue;
    const before = entry.prev.flatMap((hash) => known.get(hash)?.entry ?? []);
    isMissing ||= before.length < entry.prev.length;
    if (before.length < entry.prev.length || !follows(entry, before) || !isAfterRoot(entry.prev)) continue;
    known.set(item.hash, item);
    counts.set(entry.author, countOf(entry.author) + 1);
    for (const person of peopleIn(entry.change)) people.add(person);
    named.set(entry.author, namedWith);
    isChanged = true;
  }
  return { isMissing, isChanged };
}

/** Entries that came from a listed device, or from someone trusted with that, stay vouched for; true when that is new for one. */
function vouchIn(known: Map<EntryHash, StoredEntry>, incoming: readonly StoredEntry[]): boolean {
  const vouched = incoming.filter(({ hash, isListed }) => isListed && known.get(hash)?.isListed === false);
  for (const item of vouched) known.set(item.hash, item);
  return vouched.length > 0;
}

/**
 * True where the owner's device is to replace what is before by a base.
 * @param rank how many of the owner's devices come before this one: those behind wait for more entries, so that one alone writes
 * @param nowMs milliseconds since 1970
 */
export function isBaseDue(log: GroupLog, rank: number, nowMs: number): boolean {
  const judged = judgeBases(log, log.judged);
  const { all, ofOne, at } = entriesSinceBase(log, judged);
  const isLost = isLastBaseLost(log, judged);
  // Into a full log no one besides the owner writes what the next one would wait for.
  const isFull = log.entries.length >= LITTLE_ROOM_ENTRIES && judged.size < MAX_BASES - 1;
  if (isFull && !isLost && at !== undefined && Math.abs(nowMs - at) >= FULL_LOG_MS * (1 + rank)) return true;
  const limit = isLost ? LOST_BASE_ENTRIES : BASE_ENTRIES;
  return all >= limit + rank * RANK_ENTRIES || ofOne >= AUTHOR_BASE_ENTRIES + rank * RANK_ENTRIES;
}

/** Bytes of the state of a base that is written now; undefined where none can be written. */
export function nextBaseState(log: GroupLog): Uint8Array | undefined {
  return stateAt(log, log.fold.group.heads);
}

/** What the next entry of a log is made of, beside its author and change. An `add` by an invite link follows its `admit` alone. */
export function nextEntry(
  { id, entries, fold }: GroupLog,
  height: number,
  prev: readonly EntryHash[] = fold.group.heads,
): Pick<LogEntry, "group" | "n" | "prev" | "height"> {
  const before = entries.filter(({ hash }) => prev.includes(hash)).map(({ entry }) => entry);
  return {
    group: id,
    n: 1 + Math.max(...before.map(({ n }) => n)),
    prev,
    height: Math.max(height, ...before.map((entry) => entry.height)),
  };
}

/** Entries that those of these hashes know, and they themselves. */
export function pastOf({ fold }: GroupLog, hashes: readonly EntryHash[]): ReadonlySet<EntryHash> {
  const bits = fold.nodes.filter(({ hash }) => hashes.includes(hash)).reduce((sum, { bit, past }) => sum | bit | past, 0n);
  return new Set(fold.nodes.filter(({ bit }) => (bits & bit) !== 0n).map(({ hash }) => hash));
}

/** What a log is folded of; what is known of its bases need not be found out again. */
type LogParts = Pick<GroupLog, "id" | "entries" | "transfers" | "root"> & Partial<Pick<GroupLog, "judged">>;

function foldedLog({ id, entries, transfers, root, judged = new Map() }: LogParts): GroupLog {
  const sorted = [...entries].sort(compareEntries);
  return { id, entries: sorted, transfers, root, judged, fold: new LogFold(sorted, transfers, root) };
}

/** Without what a base of its owner replaces. */
function shortened(log: GroupLog): GroupLog {
  const judged = judgeBases(log, log.judged);
  const root = nextRoot(log, judged);
  if (root === undefined) return { ...log, judged };
  return foldedLog({ ...log, entries: itemsAfter(log.fold, log.entries, root), root, judged });
}

/** Within the bounds: first without what has no effect, and when that does not help, as it was. */
function bounded(log: GroupLog, before: GroupLog): GroupLog {
  if (isBounded(log)) return log;
  const { needed } = log.fold;
  const rest = foldedLog({ ...log, entries: log.entries.filter(({ hash }) => needed.has(hash)) });
  return isBounded(rest) ? rest : before;
}

function isBounded({ entries, fold }: GroupLog): boolean {
  const { ofOwners } = fold;
  const ofOwner = entries.filter(({ entry, hash }) => entry.author === fold.terms.owner || ofOwners.has(hash)).length;
  return entries.length <= MAX_LOG_ENTRIES && entries.length - ofOwner <= MAX_LOG_ENTRIES - OWNER_ENTRIES;
}

function follows({ n, height }: LogEntry, before: readonly (LogEntry | undefined)[]): boolean {
  const greatest = (of: (entry: LogEntry) => number): number =>
    Math.max(0, ...before.map((entry) => (entry === undefined ? 0 : of(entry))));
  return n === 1 + greatest((entry) => entry.n) && height >= greatest((entry) => entry.height);
}

/** Entries among these that an entry of certain authors among these knows: without them the others could not be taken. */
function knownTo(
  fresh: ReadonlyMap<EntryHash, StoredEntry>,
  isBy: (author: PublicKeyHex, of: PublicKeyHex) => boolean,
): ReadonlySet<EntryHash> {
  const found = new Set<EntryHash>();
  for (const { entry } of fresh.values()) {
    const seen = new Set<EntryHash>();
    const open = [...entry.prev];
    for (let hash = open.pop(); hash !== undefined; hash = open.pop()) {
      const before = fresh.get(hash);
      if (before === undefined || seen.has(hash)) continue;
      seen.add(hash);
      if (isBy(entry.author, before.entry.author)) found.add(hash);
      open.push(...before.entry.prev);
    }
  }
  return found;
}

/** People who ever were in the group, or were to be. */
function mentionedIn({ entries, root }: GroupLog, owners: ReadonlySet<PublicKeyHex>): Set<PublicKeyHex> {
  const before = root?.state.people.map(({ key }) => key) ?? [];
  return new Set([...owners, ...before, ...entries.flatMap(({ entry }) => peopleIn(entry.change))]);
}

/** Entries by author. What someone wrote as the owner takes nothing from what they may write afterwards. */
function countsIn({ entries, fold }: GroupLog): Map<PublicKeyHex, number> {
  const { ofOwners } = fold;
  const counts = new Map<PublicKeyHex, number>();
  for (const { entry, hash } of entries) if (!ofOwners.has(hash)) counts.set(entry.author, (counts.get(entry.author) ?? 0) + 1);
  return counts;
}

type NamedBy = ReadonlyMap<PublicKeyHex, ReadonlySet<PublicKeyHex>>;

/** People whom anyone ever named an admin, by who did: who is not the owner may become it. */
function namedIn({ entries, root }: GroupLog): Map<PublicKeyHex, ReadonlySet<PublicKeyHex>> {
  const named = new Map<PublicKeyHex, ReadonlySet<PublicKeyHex>>();
  if (root !== undefined) named.set(root.state.owner, new Set(root.state.admins));
  for (const { entry } of entries) named.set(entry.author, withNamed(named, entry));
  return named;
}

/** Those of an entry's author, with the ones that it names. */
function withNamed(named: NamedBy, { author, change }: LogEntry): ReadonlySet<PublicKeyHex> {
  const before = named.get(author) ?? new Set();
  return change.op === "admins" ? new Set([...before, ...change.people]) : before;
}

function peopleIn(change: GroupChange): readonly PublicKeyHex[] {
  return "people" in change ? change.people : [];
}
