// What the entries of a log say in the chat of their group. Their ids follow from the entries, so every device has each of them once.
import type { GroupId } from "#shared/content/group-content.ts";
import type { LogItem } from "#shared/protocol/groups/entry-graph.ts";
import type { FoldedEvent } from "#shared/protocol/groups/fold-log.ts";
import { MAX_ENTRY_PEOPLE, MAX_GROUP_MEMBERS } from "#shared/protocol/groups/group-bounds.ts";
import { type GroupLog, pastOf } from "#shared/protocol/groups/group-log.ts";
import type { EntryHash } from "#shared/protocol/groups/log-entry.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { createdLine, type GroupLine, lineOfEntry } from "../model/group-lines.ts";

/** Entries that a full group needs to begin: everyone but its owner is named in one. */
const FOUNDING_ENTRIES = Math.ceil((MAX_GROUP_MEMBERS - 1) / MAX_ENTRY_PEOPLE);

/** Lines of what is new in a log, for a member who sees nothing of what was before they came. */
export function linesOfLog(
  group: GroupId,
  { log, before, me }: { readonly log: GroupLog; readonly before: GroupLog | undefined; readonly me: PublicKeyHex },
): readonly GroupLine[] {
  const known = new Set(eventsIn(before).map(keyOf));
  const founding = foundingOf(log);
  const earlier = beforeJoining(log, founding, me);
  // Who came with the group is in no line. What comes later is in one, however it is dated.
  const isFounding = ({ hash, kind }: FoldedEvent): boolean => before === undefined && kind === "added" && founding.has(hash);
  return eventsIn(log)
    .filter((event) => !known.has(keyOf(event)) && !earlier.has(event.hash) && !isFounding(event) && !isEarlier(log, event, me))
    .flatMap((event) => lineOfEvent(group, log, event));
}

/** What entries did, what a base says of those before it, and bases that say something else than this device knows. */
function eventsIn(log: GroupLog | undefined): readonly FoldedEvent[] {
  if (log === undefined) return [];
  const said = (log.root?.state.people ?? []).map(({ key, status, hash, at }): FoldedEvent => {
    return { kind: status === "in" ? "added" : status, hash, at, person: key, name: "" };
  });
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
