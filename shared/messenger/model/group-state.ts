// What a group is, and what states, departures and clocks make of it. Pure: the same set of states and departures gives the same
// group in any order of arrival, repeated or not.
import { type MentioningText, mentioningText } from "#shared/content/chat/mention-content.ts";
import type { GroupEntry, GroupName, GroupStateBody } from "#shared/content/group-content.ts";
import { GROUP_MEMBERSHIP_STATUSES, MAX_GROUP_ENTRIES } from "#shared/content/group-content.ts";
import { MAX_GROUP_MEMBERS, OFFER_MS } from "#shared/protocol/groups/group-bounds.ts";
import type { OwnerTransfer } from "#shared/protocol/groups/owner-terms.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";

/** Membership of one person. */
export type GroupMembershipRecord = Omit<GroupEntry, "key">;

/** A group as one device knows it. */
export interface GroupRecord {
  readonly term: number;
  readonly keeper: PublicKeyHex;
  readonly since: number;
  readonly name: GroupName;
  readonly entries: Readonly<Record<PublicKeyHex, GroupMembershipRecord>>;
  /** Admin of each term that was seen. */
  readonly keepers: Readonly<Record<number, PublicKeyHex>>;
  /** Clock at which this person came in: nothing earlier is shown. */
  readonly joined: number;
  /** When this device learned that a person is no longer in it, milliseconds since 1970; 0 where it never learned when they went. */
  readonly learned: Readonly<Record<PublicKeyHex, number>>;
  /** When it came back with a backup, milliseconds since 1970, until its admin or an own device has sent its state. */
  readonly restoredAt?: number;
  /** When members were asked for entries of its log, the last minutes only, milliseconds since 1970. */
  readonly asked?: Readonly<Record<PublicKeyHex, number>>;
  /** When people who asked got its log, the last minutes only, milliseconds since 1970. */
  readonly answered?: Readonly<Record<PublicKeyHex, readonly number[]>>;
  /** Of a group with a log: its owner, or null once they have left. */
  readonly owner?: PublicKeyHex | null;
  /** Of a group with a log: who may change it besides its owner. */
  readonly admins?: readonly PublicKeyHex[];
  /** Whom its owner makes the next one once the chain has it, and since when, milliseconds since 1970 by the owner's clock. */
  readonly successor?: { readonly person: PublicKeyHex; readonly at: number };
  /** The picture that its log names. */
  readonly picture?: GroupPictureRecord;
  /** Invite links of its log that were not withdrawn; by key, ascending. */
  readonly links?: readonly InviteLinkRecord[];
  /** Texts of invite links that own devices have made, by key, the newest last. */
  readonly linkTexts?: Readonly<Record<PublicKeyHex, string>>;
  /** Requests by invite links that wait. */
  readonly waiting?: readonly WaitingRequest[];
  /** When people who asked by an invite link were refused, of the last day, milliseconds since 1970. */
  readonly refused?: Readonly<Record<PublicKeyHex, number>>;
  /** Where it is, all else follows from it. */
  readonly log?: GroupLogRecord;
}

/** An invite link of a group. */
export interface InviteLinkRecord {
  /** Public key of the link. */
  readonly key: PublicKeyHex;
  /** Who made it. */
  readonly by: PublicKeyHex;
  /** When it was made, milliseconds since 1970 by their clock; null where the log no longer says it. */
  readonly at: number | null;
  /** Until when it lets people in, milliseconds since 1970. */
  readonly until: number;
  /** How many people it lets in, and how many have come. */
  readonly uses: number;
  readonly used: number;
}

/** A request by an invite link that waits. */
export interface WaitingRequest {
  readonly person: PublicKeyHex;
  /** Public key of the link. */
  readonly key: PublicKeyHex;
  /** When it was made, and when it came here, milliseconds since 1970. */
  readonly at: number;
  readonly cameAt: number;
  /** The admins who were asked, as the request says. */
  readonly asked: readonly PublicKeyHex[];
}

/** The picture of a group; its bytes are stored apart. */
export interface GroupPictureRecord {
  /** Hex of SHA-256 of its bytes. */
  readonly hash: string;
  /** False while its bytes have not come. */
  readonly isHere: boolean;
  /** Who was asked for its bytes. */
  readonly askedOf: readonly PublicKeyHex[];
}

/** The log of a group as it is stored. */
export interface GroupLogRecord {
  /** Signed entries in base64, parents first. */
  readonly entries: readonly string[];
  /** Hashes of those whose device was not listed when they came. */
  readonly unlisted: readonly string[];
  /** Hashes of the entries that the next one follows. */
  readonly heads: readonly string[];
  /** What older programs count: the clock and the term before the first entry, and when that term began. */
  readonly older: { readonly clock: number; readonly term: number; readonly since: number };
  /** Departures that older programs told of. */
  readonly departed: Readonly<Record<PublicKeyHex, Omit<GroupMembershipRecord, "standing">>>;
  /** How owners have passed it on, as this device found it on the chain. */
  readonly transfers?: readonly OwnerTransfer[];
  /** State of the base that replaces what is before it, in base64; the base is the first of its kind among the entries. */
  readonly base?: string;
}

/** Who may change a group: its owner (null: they have left) and its admins. */
export function rightsIn({ keeper, owner = keeper, admins = [] }: Pick<GroupRecord, "keeper" | "owner" | "admins">): {
  readonly owner: PublicKeyHex | null;
  readonly admins: readonly PublicKeyHex[];
} {
  return { owner, admins };
}

/** True for the owner and the admins of a group. */
export function mayChange(group: Pick<GroupRecord, "keeper" | "owner" | "admins">, person: PublicKeyHex): boolean {
  const { owner, admins } = rightsIn(group);
  return person === owner || admins.includes(person);
}

/** So long after the entry blocks take a TRANSFER that was signed while the entry was taken for one. */
const PASSING_MS = TX_WINDOW_MS + OFFER_MS;

/** True for the owner while the TRANSFER by which they pass the group on may still come into a block: what they change then may not count. */
export function isPassing(group: Pick<GroupRecord, "keeper" | "owner" | "admins" | "successor">, me: PublicKeyHex, nowMs: number): boolean {
  return group.successor !== undefined && Math.abs(nowMs - group.successor.at) < PASSING_MS && rightsIn(group).owner === me;
}

/** Contents of a person who was removed or has left, written before that, may arrive so long after this device has learned of it. */
export const LATE_MS = 86_400_000;

/** People in the group, those who came first first. More than a group may have do not count: all devices agree on whom. */
export function membersOf({ entries }: Pick<GroupRecord, "entries">): readonly PublicKeyHex[] {
  return Object.entries(entries)
    .filter(([, { standing: status }]) => status === "in")
    .sort(([a, one], [b, other]) => one.clock - other.clock || (a < b ? -1 : 1))
    .slice(0, MAX_GROUP_MEMBERS)
    .map(([key]) => key);
}

/** The members besides oneself. */
export function othersIn(group: Pick<GroupRecord, "entries">, me: PublicKeyHex): readonly PublicKeyHex[] {
  return membersOf(group).filter((member) => member !== me);
}

/** Clock of the next change. */
export function nextClock({ entries, name }: GroupRecord): number {
  return Math.max(name.clock, ...Object.values(entries).map(({ clock }) => clock)) + 1;
}

/** Changes that a device may not have heard of, at most: a clock that is further ahead is none of an honest device, and would be the last. */
export const MAX_CLOCK_LEAD = 1_048_576;
/**
 * The same of a state. It may name departures that this device has not heard of, each of them so far ahead of the one before: who leaves
 * again and again, and says so to the keeper alone, must not make its states unbelievable to others.
 */
export const MAX_STATE_LEAD = 2 ** 40;

/** True where all clocks of a change can follow from changes of the group. */
export function isClockPlausible(
  known: GroupRecord,
  change: GroupStateBody | { readonly kind: "group.leave"; readonly clock: number },
): boolean {
  const next = nextClock(known);
  if (change.kind === "group.leave") return change.clock <= next + MAX_CLOCK_LEAD;
  return [change.name, ...change.entries].every(({ clock }) => clock <= next + MAX_STATE_LEAD);
}

/** True unless a term claims to begin later than now: of two with one number the later one counts. */
export function isBegun({ since }: Pick<GroupStateBody, "since">, nowMs: number): boolean {
  return since <= nowMs + LATE_MS;
}

/** Two records of one group, as from a backup: all that either knows, and nothing is set back. */
export function joinedGroups(known: GroupRecord, other: GroupRecord, me: PublicKeyHex): GroupRecord {
  return withState(known, stateOf(other), { author: me, me, isOwn: true }) ?? known;
}

/** True while a group that came from a backup may have changed since: its members are not known yet. */
export function isUnconfirmed({ restoredAt, keeper, admins = [] }: GroupRecord, me: PublicKeyHex): boolean {
  return restoredAt !== undefined && (keeper !== me || admins.length > 0);
}

/** What may be done with something that was sent to the group: accepted, or stored until more is known of its author. */
export function mayWrite({ entries, learned }: GroupRecord, author: PublicKeyHex, { at, nowMs }: { at: number; nowMs: number }): boolean {
  const entry = entries[author];
  if (entry === undefined) return false;
  return entry.standing === "in" || (at <= entry.at && nowMs <= (learned[author] ?? entry.at) + LATE_MS);
}

/**
 * The group with a state, or undefined when its author had no right to it or that is not known yet. `isOwn` is true for a state
 * that another device of one's own passes on.
 */
export function withState(
  known: GroupRecord | undefined,
  state: GroupStateBody,
  { author, me, isOwn }: { readonly author: PublicKeyHex; readonly me: PublicKeyHex; readonly isOwn: boolean },
): GroupRecord | undefined {
  if (known === undefined) {
    const mine = state.entries.find(({ key }) => key === me);
    const isInvitation = mine?.standing === "in" && (isOwn || author === state.keeper);
    return isInvitation ? merged(recordOf(state, mine.clock), state) : undefined;
  }
  if (!isOwn && !isByAdmin(known, state, author)) return undefined;
  const order = compareTerms(state, known);
  if (order < 0) return known;
  return order === 0
    ? merged(known, state)
    : withDepartures(
        merged(
          { ...recordOf(state, known.joined), keepers: { ...known.keepers, [state.term]: state.keeper }, learned: known.learned },
          state,
        ),
        known,
      );
}

/** The group without a person who has left. */
export function withDeparture(known: GroupRecord, author: PublicKeyHex, entry: Omit<GroupMembershipRecord, "standing">): GroupRecord {
  return withEntry(known, author, { ...entry, standing: "left" });
}

/** The group, with the time at which this device learned of those who are no longer in it. */
export function withLearned(group: GroupRecord, nowMs: number): GroupRecord {
  const outside = Object.entries(group.entries).filter(([, { standing: status }]) => status !== "in");
  const learned = Object.fromEntries(outside.map(([key]) => [key, group.learned[key] ?? nowMs]));
  return { ...group, learned };
}

/** A group as its admin sends it: all who are in it, and the latest of those who were. */
export function stateOf({ term, keeper: admin, since, name, entries }: GroupRecord): GroupStateBody {
  const all = Object.entries(entries).map(([key, entry]): GroupEntry => ({ key, ...entry }));
  const inside = all.filter(({ standing: status }) => status === "in");
  const outside = all.filter(({ standing: status }) => status !== "in").sort((a, b) => b.clock - a.clock || (a.key < b.key ? -1 : 1));
  const listed = [...inside, ...outside].slice(0, MAX_GROUP_ENTRIES).sort((a, b) => (a.key < b.key ? -1 : 1));
  return { kind: "group.state", term, keeper: admin, since, name, entries: listed };
}

type AdminTerm = Pick<GroupRecord, "term" | "since" | "keeper">;

/** Two own devices of an admin may appoint a new one at the same time: all members follow the same one. */
function compareTerms(a: AdminTerm, b: AdminTerm): number {
  if (a.term !== b.term) return a.term - b.term;
  if (a.since !== b.since) return a.since - b.since;
  return a.keeper < b.keeper ? -1 : Number(a.keeper > b.keeper);
}

/** The admin of a term signs its states; the first state of a term comes from the admin before. */
function isByAdmin({ keepers: admins }: GroupRecord, { term, keeper: admin }: GroupStateBody, author: PublicKeyHex): boolean {
  return (author === admin && admins[term] === author) || admins[term - 1] === author;
}

function recordOf({ term, keeper: admin, since, name }: GroupStateBody, joined: number): GroupRecord {
  return { term, keeper: admin, since, name, entries: {}, keepers: { [term]: admin }, joined, learned: {} };
}

function merged(known: GroupRecord, { name, entries }: GroupStateBody): GroupRecord {
  const isLater = name.clock > known.name.clock || (name.clock === known.name.clock && name.text > known.name.text);
  const named = isLater ? { ...known, name } : known;
  return entries.reduce((group, { key, ...entry }) => withEntry(group, key, entry), named);
}

/** Departures come from those who leave: a state that does not know of them does not undo them. */
function withDepartures(group: GroupRecord, { entries }: GroupRecord): GroupRecord {
  const left = Object.entries(entries).filter(([, { standing: status }]) => status === "left");
  return left.reduce((current, [key, entry]) => withEntry(current, key, entry), group);
}

function withEntry(group: GroupRecord, key: PublicKeyHex, entry: GroupMembershipRecord): GroupRecord {
  const known = group.entries[key];
  if (known !== undefined && compareEntries(known, entry) >= 0) return group;
  return { ...group, entries: { ...group.entries, [key]: entry } };
}

function compareEntries(a: GroupMembershipRecord, b: GroupMembershipRecord): number {
  const rank = ({ standing: status }: GroupMembershipRecord): number => GROUP_MEMBERSHIP_STATUSES.indexOf(status);
  return a.clock - b.clock || rank(a) - rank(b) || a.at - b.at;
}

/**
 * A body without mentions of people who were never in its group as far as is known here, in a chat of two without any: another key would
 * put the name of someone else into a text.
 */
export function withKnownMentions<Body extends object>(group: GroupRecord | undefined, body: Body): Body {
  if (!("mentions" in body)) return body;
  const { mentions, ...rest } = body as Body & MentioningText;
  const known = mentions?.filter(({ person }) => group?.entries[person] !== undefined);
  return { ...rest, ...mentioningText(rest.text, known) } as unknown as Body;
}
