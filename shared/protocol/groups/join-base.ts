// A log as who has the entries before a base no more passes it on: the base with its state and what stayed, and the entries behind it. Who
// lacks those entries, too, takes the owner's word for the state: a device of theirs has signed its hash, and a later base confirmed it.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { decodeBaseState, encodeBaseState, hashOfState, type Status } from "./base-state.ts";
import { compareEntries, type EntryNode } from "./entry-graph.ts";
import { type GroupLog, logOfEntries, type StoredEntry, withEntries, withTransfer } from "./group-log.ts";
import { isConfirmed } from "./log-base.ts";
import type { EntryHash, LogEntry } from "./log-entry.ts";
import type { OwnerTransfer } from "./owner-terms.ts";

/** What goes with the entries from a base on. */
export interface SentBase {
  /** The `create` and entries that name owners, in their order. */
  readonly kept: readonly StoredEntry[];
  readonly state: Uint8Array;
}

/** The base of a log, and its entries from there on; all entries where there is none. */
export function partsAt({ entries, root }: GroupLog): { readonly base: SentBase | undefined; readonly entries: readonly StoredEntry[] } {
  if (root === undefined) return { base: undefined, entries };
  const kept = entries.filter(({ hash }) => root.state.kept.includes(hash));
  return { base: { kept, state: encodeBaseState(root.state) }, entries: entries.filter((entry) => !kept.includes(entry)) };
}

/**
 * A log that begins at a base which came, in place of one that cannot be joined with it; the same log where it can, where its root is a later
 * one, or where that base is none of its owner's, or not confirmed.
 * @param transfers what the chain says of its owners
 */
export function rebased(
  log: GroupLog,
  base: SentBase,
  { entries, transfers }: { readonly entries: readonly StoredEntry[]; readonly transfers: readonly OwnerTransfer[] },
): GroupLog {
  const state = hashOfState(base.state);
  // Parts come in any order, and where nothing was decided between two bases they have one state: the first of them begins the log.
  const [root] = entries.filter(({ entry: { change } }) => change.op === "base" && change.state === state).sort(compareEntries);
  if (root === undefined || log.entries.some(({ hash }) => hash === root.hash)) return log;
  const begun = begunAt(log.id, base, root);
  const owned = begun && [...log.transfers, ...transfers].reduce(withTransfer, begun);
  if (owned === undefined || owned.fold.terms.isBlocked || !isWithinTerm(owned, root.hash) || !isLater(owned, log)) return log;
  if (!agrees(owned, [...log.entries, ...base.kept])) return log;
  const { log: next } = withEntries(owned, entries);
  return isConfirmed(next, root.hash) && hasOwnersOf(next, log) ? next : log;
}

/** Of two bases at which devices begin all follow that of the later owner, of one owner's the one with the greater number. */
function isLater(next: GroupLog, log: GroupLog): boolean {
  const own = placeOf(log);
  const other = placeOf(next);
  if (own === undefined || other === undefined) return own === undefined;
  if (other.term !== own.term) return other.term > own.term;
  const more = other.node.entry.n - own.node.entry.n;
  return more > 0 || (more === 0 && other.node.hash < own.node.hash);
}

/** What a state says of entries that are known here is what they did, and what it says of others lies between the beginning and its base. */
function agrees({ root, fold }: GroupLog, known: readonly StoredEntry[]): boolean {
  const byHash = new Map(known.map(({ hash, entry }) => [hash, entry]));
  const end = fold.nodes.find(({ hash }) => hash === root?.hash)?.entry.n ?? 0;
  return (root?.state.people ?? []).every(({ key, status, n, at, hash }) => {
    const entry = byHash.get(hash);
    if (entry === undefined) return n > 1 && n < end;
    return entry.n === n && entry.change.op !== "unknown" && entry.change.at === at && statusBy(entry, key) === status;
  });
}

/** What an entry makes of a person, where it counts. */
function statusBy({ author, change }: LogEntry, person: PublicKeyHex): Status | undefined {
  if (change.op === "leave") return author === person ? "left" : undefined;
  if (change.op === "create" && author === person) return "in";
  if (!("people" in change) || change.op === "admins" || !change.people.includes(person)) return undefined;
  return change.op === "remove" ? "removed" : "in";
}

/** The base at which a log begins, and how many owners were before its own; -1 where that one had passed the group on before. */
function placeOf({ fold, root }: GroupLog): { readonly node: EntryNode; readonly term: number } | undefined {
  const node = fold.nodes.find(({ hash }) => hash === root?.hash);
  return node && { node, term: fold.terms.termOf(node) ?? -1 };
}

/** How owners passed a group on is in a log, and until one has done so, too, all by which they still may: it can be sold already. */
function hasOwnersOf(next: GroupLog, { transfers, fold }: GroupLog): boolean {
  const isWhole = transfers.every(({ entry }) => next.transfers.some((other) => other.entry === entry));
  const isPassedOn = next.transfers.length > transfers.length;
  return isWhole && (isPassedOn || fold.terms.awaited.every(({ hash }) => next.entries.some((other) => other.hash === hash)));
}

/** What stayed and the base alone; undefined where they do not belong together. */
function begunAt(id: string, { kept, state: bytes }: SentBase, root: StoredEntry): GroupLog | undefined {
  const state = decodeBaseState(bytes);
  const isKept = ({ hash, entry }: StoredEntry, index: number): boolean =>
    hash === state?.kept[index] &&
    entry.n < root.entry.n &&
    (index === 0 ? entry.n === 1 : entry.change.op === "owner" && entry.group === id);
  if (state === undefined || kept.length !== state.kept.length || !kept.every(isKept) || root.entry.group !== id) return undefined;
  // A confirming base vouches for what is before it.
  const listed = [...kept, root].map((entry) => ({ ...entry, isListed: true }));
  const log = logOfEntries(listed, [], { hash: root.hash, state });
  return log?.id === id ? log : undefined;
}

/** The base is of the owner whom the chain names, and who its state says that it is. */
function isWithinTerm({ fold, root }: GroupLog, hash: EntryHash): boolean {
  const node = fold.nodes.find((other) => other.hash === hash);
  return node !== undefined && fold.terms.holds(node) && node.entry.author === root?.state.owner;
}

/** Base64 of the state of a root. */
export function stateText({ root }: GroupLog): string | undefined {
  return root && toBase64(encodeBaseState(root.state));
}
