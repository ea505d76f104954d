// Where a log can begin: at a base of its owner, once a later one knows it and nothing else that is not after it. Pure, and the same on
// all devices that have the same entries. What does not know that base when another one has confirmed it changes nothing any more.

import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type BaseState, decodeBaseState, encodeBaseState, hashOfState } from "./base-state.ts";
import { type EntryNode, isBefore, type LogItem } from "./entry-graph.ts";
import { LogFold, type LogRoot } from "./fold-log.ts";
import { MAX_AWAITED_ENTRIES, MAX_BASE_PEOPLE, MAX_BASES, MAX_KEPT_ENTRIES } from "./group-bounds.ts";
import { carriedOf } from "./invite-links.ts";
import type { EntryHash } from "./log-entry.ts";
import { peopleOfBase } from "./membership.ts";
import type { OwnerTransfer } from "./owner-terms.ts";

/** A folded log, and what it was folded of. */
export interface FoldedLog {
  readonly fold: LogFold;
  readonly transfers: readonly OwnerTransfer[];
  readonly root: LogRoot | undefined;
}

/** Of each base of an owner whether its state is what the entries that it knows make. */
export type JudgedBases = ReadonlyMap<EntryHash, boolean>;

/** Bytes of the state that a base after these entries would have; undefined where it would be too large. */
export function stateAt(log: FoldedLog, prev: readonly EntryHash[]): Uint8Array | undefined {
  const within = log.fold.nodes.filter(({ hash }) => prev.includes(hash)).reduce((bits, { bit, past }) => bits | bit | past, 0n);
  return stateWithin(log, within, log.transfers);
}

/** Bases of owners that hold, each with whether it is true; what was judged before is not judged again. */
export function judgeBases(log: FoldedLog, known: JudgedBases): JudgedBases {
  const bases = basesOf(log.fold).filter(({ hash }) => hash !== log.root?.hash);
  return new Map(bases.map((node) => [node.hash, known.get(node.hash) ?? isTrue(log, node)]));
}

/** The base with which the entries of a log can begin; undefined where there is none behind the present root. */
export function nextRoot(log: FoldedLog, judged: JudgedBases): LogRoot | undefined {
  const { fold, root } = log;
  const bases = basesOf(fold).filter(({ hash }) => judged.get(hash) === true);
  const confirmed = bases.filter((base) => {
    const after = followersOf(fold, base.hash);
    // Nor does an owner take a group back by two bases beside the entry by which they are about to pass it on.
    const isOfferLost = fold.terms.awaited.some((offer) => !isBefore(offer, base) && !after.has(offer.hash));
    return !isOfferLost && bases.some((later) => after.has(later.hash));
  });
  const [base] = confirmed.sort((a, b) => b.entry.n - a.entry.n || (a.hash < b.hash ? -1 : 1));
  if (base === undefined || base.hash === root?.hash) return undefined;
  const bytes = stateWithin(log, base.past, transfersUntil(log, base));
  const state = bytes && hashOfState(bytes) === stateHashOf(base) ? decodeBaseState(bytes) : undefined;
  return state && { hash: base.hash, state };
}

/** The items of a log that stay with a base as its root: those that it keeps, itself, and what follows it alone. */
export function itemsAfter<Item extends LogItem>(fold: LogFold, items: readonly Item[], { hash, state }: LogRoot): readonly Item[] {
  const after = followersOf(fold, hash);
  // A listed device confirmed the root, so all that it knows counts.
  const kept = new Set([...state.kept, hash]);
  return items.flatMap((item) => (kept.has(item.hash) ? [{ ...item, isListed: true }] : after.has(item.hash) ? [item] : []));
}

/** What is since the last true base. */
export interface SinceBase {
  /** Entries of everyone. */
  readonly all: number;
  /** Of the one besides the owner who wrote most of them. */
  readonly ofOne: number;
  /** That base, where it is not the root; milliseconds since 1970 by the clock of its device. */
  readonly at: number | undefined;
}

/** Entries since the last true base. */
export function entriesSinceBase(log: FoldedLog, judged: JudgedBases): SinceBase {
  const { nodes, terms } = log.fold;
  const last = lastBase(log, judged);
  const counts = new Map<PublicKeyHex, number>();
  const since = nodes.filter((node) => last === undefined || (node !== last && !isBefore(node, last)));
  for (const { entry } of since) if (entry.author !== terms.owner) counts.set(entry.author, (counts.get(entry.author) ?? 0) + 1);
  const at = last?.entry.change.op === "base" && last.hash !== log.root?.hash ? last.entry.change.at : undefined;
  return { all: since.length, ofOne: Math.max(0, ...counts.values()), at };
}

/** True where the last true base cannot become the root: the next one would know something that does not know it. */
export function isLastBaseLost(log: FoldedLog, judged: JudgedBases): boolean {
  const last = lastBase(log, judged);
  if (last === undefined || last.hash === log.root?.hash) return false;
  const after = followersOf(log.fold, last.hash);
  return !log.fold.group.heads.every((hash) => hash === last.hash || after.has(hash));
}

/** Someone who left by an entry that a base has not known: it is gone, and their box says the same. */
export interface LostDeparture {
  readonly person: PublicKeyHex;
  /** Number of the entry by which they had come in. */
  readonly n: number;
  /** Milliseconds since 1970 by their clock. */
  readonly at: number;
}

/** Departures that went as a log began at another base: of people who are in the group by no entry that those did not know. */
export function lostDepartures(before: FoldedLog, after: FoldedLog): readonly LostDeparture[] {
  if (before.root?.hash === after.root?.hash) return [];
  const { nodes, terms, group } = before.fold;
  return nodes.flatMap((node): readonly LostDeparture[] => {
    const { author, change } = node.entry;
    const { [author]: now } = after.fold.group.people;
    const isOut = change.op === "leave" && terms.stands(node) && group.people[author]?.status === "left";
    if (!isOut || now?.status !== "in") return [];
    const cameIn = nodes.find(({ hash }) => hash === now.hash);
    const wasIn = before.root?.state.people.some(({ key, hash }) => key === author && hash === now.hash) === true;
    return wasIn || (cameIn !== undefined && isBefore(cameIn, node)) ? [{ person: author, n: now.n, at: change.at }] : [];
  });
}

/** Entries that follow a base and what follows it, and nothing else. */
function followersOf({ nodes }: LogFold, base: EntryHash): ReadonlySet<EntryHash> {
  const after = new Set<EntryHash>();
  const isFollowing = ({ entry: { prev } }: EntryNode): boolean => prev.every((hash) => hash === base || after.has(hash));
  for (const node of nodes) if (node.entry.prev.length > 0 && isFollowing(node)) after.add(node.hash);
  return after;
}

/** True where another base of an owner, of a listed device, knows a base: one alone does not count. */
export function isConfirmed({ fold }: Pick<FoldedLog, "fold">, hash: EntryHash): boolean {
  return fold.nodes.every((node) => node.hash !== hash || basesOf(fold).some((later) => isBefore(node, later)));
}

/** Bases of owners within their time, in their order, the root among them: no more than an honest owner writes, as each is to be judged. */
function basesOf({ nodes, terms }: LogFold): readonly EntryNode[] {
  return nodes.filter((node) => node.entry.change.op === "base" && terms.stands(node) && terms.holds(node)).slice(0, MAX_BASES);
}

function lastBase({ fold, root }: FoldedLog, judged: JudgedBases): EntryNode | undefined {
  return basesOf(fold).findLast(({ hash }) => hash === root?.hash || judged.get(hash) === true);
}

function isTrue(log: FoldedLog, base: EntryNode): boolean {
  const bytes = stateWithin(log, base.past, transfersUntil(log, base));
  return bytes !== undefined && hashOfState(bytes) === stateHashOf(base);
}

function stateHashOf({ entry: { change } }: EntryNode): string {
  return change.op === "base" ? change.state : "";
}

/** How the group was passed on before an entry of an owner. */
function transfersUntil({ fold, transfers }: FoldedLog, node: EntryNode): readonly OwnerTransfer[] {
  return transfers.slice(0, fold.terms.termOf(node) ?? 0);
}

/** The state that certain entries make, as a base that knows them vouches for all of them. */
function stateWithin({ fold, root }: FoldedLog, bits: bigint, transfers: readonly OwnerTransfer[]): Uint8Array | undefined {
  const items = fold.nodes.filter(({ bit }) => (bit & bits) !== 0n).map((node): LogItem => ({ ...node, isListed: true }));
  if (items[0]?.entry.change.op !== "create" || (root !== undefined && !items.some(({ hash }) => hash === root.hash))) return undefined;
  const within = new LogFold(items, transfers, root, true);
  // Any of the entries that may still pass the group on can be sold: none of them goes.
  if (within.terms.awaited.length > MAX_AWAITED_ENTRIES) return undefined;
  const state = stateOf(within, transfers);
  const isLarge = state.people.length > MAX_BASE_PEOPLE || state.kept.length > MAX_KEPT_ENTRIES;
  return isLarge ? undefined : encodeBaseState(state);
}

function stateOf(fold: LogFold, transfers: readonly OwnerTransfer[]): BaseState {
  const { nodes, terms, group } = fold;
  const last = basesOf(fold).at(-1);
  const all = Object.entries(group.people).map(([key, member]) => ({ key, ...member, isSinceLast: fold.wasInSince(key, last) }));
  const kept = [nodes[0]?.hash ?? "", ...transfers.map(({ entry }) => entry), ...terms.awaited.map(({ hash }) => hash)];
  return {
    owner: group.owner,
    kept,
    admins: fold.rightful,
    name: group.name,
    picture: group.picture,
    people: peopleOfBase(all),
    links: carriedOf(group.links),
  };
}
