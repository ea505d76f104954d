// What the entries of a log say in the chat of their group. Their ids follow from the entries, so every device has each of them once.
import type { GroupId } from "#shared/content/group-content.ts";
import { type EntryNode, isConcurrent, type LogItem } from "#shared/protocol/groups/entry-graph.ts";
import type { FoldedEvent } from "#shared/protocol/groups/fold-log.ts";
import { MAX_ENTRY_PEOPLE, MAX_GROUP_MEMBERS } from "#shared/protocol/groups/group-bounds.ts";
import { type GroupLog, pastOf } from "#shared/protocol/groups/group-log.ts";
import { lostDepartures } from "#shared/protocol/groups/log-base.ts";
import type { EntryHash } from "#shared/protocol/groups/log-entry.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { createdLine, type GroupLine, lineOfEntry } from "../../model/group-lines.ts";

/** Entries that a full group needs to begin: everyone but its owner is named in one. */
const FOUNDING_ENTRIES = Math.ceil((MAX_GROUP_MEMBERS - 1) / MAX_ENTRY_PEOPLE);

interface ChangedLog {
  readonly log: GroupLog;
  readonly before: GroupLog | undefined;
  readonly me: PublicKeyHex;
  /** It begins at a base of which this device has not known what is before. */
  readonly isMoved?: boolean;
}

/** Lines of what is new in a log, for a member who sees nothing of what was before they came. */
export function linesOfLog(group: GroupId, { log, before, me, isMoved = false }: ChangedLog): readonly GroupLine[] {
  const known = new Set(eventsIn(before).map(keyOf));
  const founding = foundingOf(log);
  const earlier = beforeJoining(log, founding, me);
  // Who came with the group is in no line. What comes later is in one, however it is dated.
  const isFounding = ({ hash, kind }: FoldedEvent): boolean => before === undefined && kind === "added" && founding.has(hash);
  // Who comes back sees no more of the time without them than who is new.
  const seen = before?.fold.group.people[me]?.status === "in" ? before : undefined;
  const isSaid = (event: FoldedEvent): boolean => (seen === undefined ? isEarlier(log, event, me) : isKnownTo(seen, log, event));
  // Whom a link did not let in is named where this device had them in the group.
  const isUnseen = ({ kind, person }: FoldedEvent): boolean =>
    kind === "unadmitted" && (before?.fold.group.people[person]?.status !== "in" || log.fold.group.people[person]?.status === "in");
  const nodes = new Map(log.fold.nodes.map((node) => [node.hash, node]));
  const arrivals = log.fold.group.events.filter(({ kind }) => kind === "joined");
  // Whom two admins let in at once came once.
  const isTwice = (event: FoldedEvent): boolean =>
    arrivals.slice(0, Math.max(0, arrivals.indexOf(event))).some((other) => isBesideArrival(nodes, event, other)) ||
    (event.kind === "joined" && arrivals.some((other) => known.has(keyOf(other)) && isBesideArrival(nodes, event, other)));
  const events = eventsIn(log).filter(
    (event) =>
      !known.has(keyOf(event)) && !earlier.has(event.hash) && !isFounding(event) && !isSaid(event) && !isUnseen(event) && !isTwice(event),
  );
  return [...(isMoved ? [movedTo(log)] : []), ...events, ...unsaidIn(log, seen, events)].flatMap((event) => lineOfEvent(group, log, event));
}

function isBesideArrival(nodes: ReadonlyMap<EntryHash, EntryNode>, { hash, person }: FoldedEvent, other: FoldedEvent): boolean {
  const [one, another] = [nodes.get(hash), nodes.get(other.hash)];
  return person === other.person && one !== undefined && another !== undefined && isConcurrent(one, another);
}

/** What a base says that a device knows from the entry itself, or from the base before. */
function isKnownTo(before: GroupLog, { root }: GroupLog, { hash, person }: FoldedEvent): boolean {
  const isOf = (other: { readonly key: PublicKeyHex; readonly hash: EntryHash }): boolean => other.key === person && other.hash === hash;
  if (root?.state.people.some(isOf) !== true) return false;
  const entry = before.entries.find((other) => other.hash === hash)?.entry;
  const isNamed = entry !== undefined && (entry.author === person || ("people" in entry.change && entry.change.people.includes(person)));
  return isNamed || before.root?.state.people.some(isOf) === true;
}

/** Who is in the group, or out of it, since it begins at another base, and of whom no line says so: a base brings no one in unseen. */
function unsaidIn(log: GroupLog, before: GroupLog | undefined, said: readonly FoldedEvent[]): readonly FoldedEvent[] {
  if (before === undefined || log.root === undefined || log.root.hash === before.root?.hash) return [];
  const { hash, at } = movedTo(log);
  const { people } = log.fold.group;
  const was = before.fold.group.people;
  const named = new Set(said.filter(({ kind }) => kind !== "void").map(({ person }) => person));
  // Who has left meanwhile stays out of it, as their box says.
  for (const { person } of lostDepartures(before, log)) named.add(person);
  const isIn = (of: typeof people, person: PublicKeyHex): boolean => of[person]?.status === "in";
  return [...new Set([...Object.keys(people), ...Object.keys(was)])]
    .filter((person) => isIn(people, person) !== isIn(was, person) && !named.has(person))
    .map((person) => ({ kind: outcomeOf(people[person]?.status), hash, at, person, name: "" }));
}

function outcomeOf(status: "in" | "left" | "removed" | undefined): "added" | "left" | "removed" {
  return status === "in" ? "added" : (status ?? "removed");
}

/** That a device begins at a base on its author's word. */
function movedTo({ root, fold }: GroupLog): FoldedEvent {
  const entry = fold.nodes.find(({ hash }) => hash === root?.hash)?.entry;
  const at = entry?.change.op === "base" ? entry.change.at : 0;
  return { kind: "moved", hash: root?.hash ?? "", at, person: entry?.author ?? "", name: "" };
}

/** What entries did, what a base says of those before it, and bases that say something else than this device knows. */
function eventsIn(log: GroupLog | undefined): readonly FoldedEvent[] {
  if (log === undefined) return [];
  const said = (log.root?.state.people ?? []).map(
    ({ key, status, hash, at }): FoldedEvent => ({ kind: outcomeOf(status), hash, at, person: key, name: "" }),
  );
  const lies = log.fold.nodes.flatMap(({ hash, entry: { author, change } }): readonly FoldedEvent[] =>
    log.judged.get(hash) === false && change.op === "base" ? [{ kind: "forked", hash, at: change.at, person: author, name: "" }] : [],
  );
  return [...said, ...log.fold.group.events, ...lies];
}

/** What a base says of the time before one came, or of those who came with the group. */
function isEarlier({ root, entries }: GroupLog, { hash, person }: FoldedEvent, me: PublicKeyHex): boolean {
  const said = root?.state.people.find((other) => other.hash === hash && other.key === person);
  const mine = root?.state.people.find(({ key }) => key === me);
  const creation = entries[0]?.entry.change;
  if (said === undefined) return false;
  const isFounding = creation?.op === "create" && said.at === creation.at && said.n <= FOUNDING_ENTRIES;
  return isFounding || mine === undefined || mine.status !== "in" || said.n <= mine.n;
}

function lineOfEvent(group: GroupId, log: GroupLog, { kind, hash, at, person, name }: FoldedEvent): readonly GroupLine[] {
  // A log that continues an older group creates nothing.
  if (kind === "created") return log.id === group ? [createdLine(group, { at, person })] : [];
  // Who writes what does not count is named once.
  return [lineOfEntry(group, kind === "void" ? "" : hash, { at, event: kind, person: kind === "named" ? null : person, name })];
}

function keyOf({ kind, hash, person }: FoldedEvent): string {
  return `${kind} ${hash} ${person}`;
}

/** Entries of its owner that add the members for whom the `create` of a large group has no room. */
function foundingOf({ entries }: GroupLog): ReadonlySet<EntryHash> {
  const [create] = entries;
  if (create?.entry.change.op !== "create") return new Set();
  const { author, change: creation } = create.entry;
  const isFounding = ({ entry: { change, ...entry } }: LogItem): boolean =>
    change.op === "add" && change.at === creation.at && entry.author === author && entry.n <= FOUNDING_ENTRIES;
  return new Set(entries.filter(isFounding).map(({ hash }) => hash));
}

/** What the entry knew by which one came in; nothing for those who were there from the beginning. */
function beforeJoining(log: GroupLog, founding: ReadonlySet<EntryHash>, me: PublicKeyHex): ReadonlySet<EntryHash> {
  const mine = log.fold.group.people[me];
  if (mine?.status !== "in" || founding.has(mine.hash)) return new Set();
  const entry = log.entries.find(({ hash }) => hash === mine.hash);
  return pastOf(log, entry?.entry.prev ?? []);
}
