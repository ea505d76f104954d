// Requests by an invite link to be let into a group: which of them an admin's device takes, which wait, and whom it lets in next. Pure.

import type { RefusalReason } from "#shared/content/group-content.ts";
import { MAX_ENTRY_PEOPLE, MAX_GROUP_MEMBERS } from "#shared/protocol/groups/group-bounds.ts";
import { isGenuineJoinRequest, type JoinRequest } from "#shared/protocol/groups/group-link.ts";
import type { GroupLog } from "#shared/protocol/groups/group-log.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type GroupMembershipRecord, type GroupRecord, membersOf, type WaitingRequest } from "../model/group-state.ts";

/** Most requests that wait in one group. */
export const MAX_JOIN_REQUESTS = 32;
/** A request that could not be answered is dropped after this time: who asks repeats it. */
export const JOIN_WAIT_MS = 86_400_000;
/** A request counts for this time after it was made, by the clock of who made it. */
export const JOIN_AGE_MS = 604_800_000;
/** The clock of who asks may be ahead by this. */
export const JOIN_LEAD_MS = 600_000;

/**
 * - `wanted`: they are to be let in.
 * - `member`: they are in the group, and lack its log.
 * - `refused`: the link was rightly used and lets them in no more; they are told why.
 * - `dropped`: nothing follows.
 */
export type JoinVerdict =
  | { readonly kind: "wanted" }
  | { readonly kind: "member" }
  | { readonly kind: "dropped" }
  | { readonly kind: "refused"; readonly reason: RefusalReason };

/** A request, and what this device knows of its group. */
export interface AskedGroup {
  readonly log: GroupLog;
  readonly record: Pick<GroupRecord, "entries">;
  readonly chainId: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  readonly isBlocked: boolean;
}

const DROPPED: JoinVerdict = { kind: "dropped" };

/** What follows from a request that came from the person whom it names. A signature is only checked where the log knows the link. */
export function judgeRequest(request: JoinRequest, signature: string, { log, record, chainId, nowMs, isBlocked }: AskedGroup): JoinVerdict {
  const { person, key, at } = request;
  const link = log.fold.group.links.find((other) => other.key === key);
  const isKnown = link !== undefined || log.entries.some(({ entry: { change } }) => change.op === "invite" && change.key === key);
  const isInTime = at <= nowMs + JOIN_LEAD_MS && at >= nowMs - JOIN_AGE_MS;
  if (!isKnown || isBlocked || !isInTime || !isGenuineJoinRequest(request, signature, chainId)) return DROPPED;
  const known = record.entries[person];
  if (known?.standing === "in") return { kind: "member" };
  // Who was removed comes back by no link, and who left by no request of before.
  if (wasRemoved(log, known, person) || (known !== undefined && at <= known.at)) return DROPPED;
  if (link === undefined) return { kind: "refused", reason: "withdrawn" };
  if (nowMs > link.until) return { kind: "refused", reason: "over" };
  if (link.used >= link.uses) return { kind: "refused", reason: "used" };
  return membersOf(record).length >= MAX_GROUP_MEMBERS ? { kind: "refused", reason: "full" } : { kind: "wanted" };
}

/** Requests that wait, with another one: of each person the latest, and no more than there is room for. */
export function withRequest(waiting: readonly WaitingRequest[], request: WaitingRequest): readonly WaitingRequest[] {
  const lasting = waiting.filter(({ cameAt }) => Math.abs(request.cameAt - cameAt) < JOIN_WAIT_MS);
  const before = lasting.find(({ person }) => person === request.person);
  if (before !== undefined) return before.at >= request.at ? lasting : lasting.map((one) => (one === before ? request : one));
  return lasting.length < MAX_JOIN_REQUESTS ? [...lasting, request] : lasting;
}

/** People who are let in together by one link. */
export interface NextGuests {
  readonly key: PublicKeyHex;
  /** Ascending. */
  readonly people: readonly PublicKeyHex[];
}

/** Whom to let in next: those who wait by the link of the first of them, as far as link, group and entry have room; undefined for no one. */
export function nextGuests(
  waiting: readonly WaitingRequest[],
  { log, record, nowMs }: Pick<AskedGroup, "log" | "record" | "nowMs">,
): NextGuests | undefined {
  const room = MAX_GROUP_MEMBERS - membersOf(record).length;
  for (const { key } of waiting) {
    const link = log.fold.group.links.find((other) => other.key === key);
    if (link === undefined || nowMs > link.until) continue;
    const most = Math.min(MAX_ENTRY_PEOPLE, room, link.uses - link.used);
    const outside = waiting.filter((one) => one.key === key && mayStillComeIn(log, record, one));
    const people = outside.slice(0, Math.max(0, most)).map(({ person }) => person);
    if (people.length > 0) return { key, people: people.sort() };
  }
  return undefined;
}

/** Requests that may still be answered, of people who are not blocked: one by a link without room takes no place from others. */
export function lastingRequests(
  waiting: readonly WaitingRequest[],
  { log, record, nowMs }: Pick<AskedGroup, "log" | "record" | "nowMs">,
  isBlocked: (person: PublicKeyHex) => boolean,
): readonly WaitingRequest[] {
  const isLasting = (one: WaitingRequest): boolean =>
    Math.abs(nowMs - one.cameAt) < JOIN_WAIT_MS && mayStillComeIn(log, record, one) && !isBlocked(one.person);
  const open = log.fold.group.links.filter(({ until, uses, used }) => nowMs <= until && used < uses).map(({ key }) => key);
  return waiting.filter((one) => isLasting(one) && open.includes(one.key));
}

/** Since it came they may have been let in, or removed. */
function mayStillComeIn(log: GroupLog, { entries }: Pick<GroupRecord, "entries">, { person, at }: WaitingRequest): boolean {
  const known = entries[person];
  return !wasRemoved(log, known, person) && (known === undefined || (known.standing !== "in" && at > known.at));
}

/**
 * Who was let in by a link that did not hold is out of the group without anyone having removed them. Who says without an entry that they
 * have left may be removed in the log, which would let them in by no addition.
 */
function wasRemoved({ fold }: GroupLog, known: GroupMembershipRecord | undefined, person: PublicKeyHex): boolean {
  if (fold.group.people[person]?.status === "removed") return true;
  if (known?.standing !== "removed") return false;
  const { people, events } = fold.group;
  return people[person] !== undefined || !events.some(({ kind, person: other }) => kind === "unadmitted" && other === person);
}
