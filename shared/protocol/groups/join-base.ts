// A log as who has the entries before a base no more passes it on: the base with its state and what stayed, and the entries behind it. Who
// lacks those entries, too, takes the owner's word for the state: a device of theirs has signed its hash, and a later base confirmed it.
import { toBase64 } from "#shared/util/bytes.ts";
import { decodeBaseState, encodeBaseState, hashOfState } from "./base-state.ts";
import { type GroupLog, logOfEntries, type StoredEntry, withEntries, withTransfer } from "./group-log.ts";
import { isConfirmed } from "./log-base.ts";
import type { EntryHash } from "./log-entry.ts";
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
  const root = entries.find(({ entry: { change } }) => change.op === "base" && change.state === hashOfState(base.state));
  const isKnown = root === undefined || log.entries.some(({ hash }) => hash === root.hash);
  if (isKnown || !isLater(log, root)) return log;
  const begun = begunAt(log.id, base, root);
  const owned = begun && [...log.transfers, ...transfers].reduce(withTransfer, begun);
  if (owned === undefined || owned.fold.terms.isBlocked || !isWithinTerm(owned, root.hash)) return log;
  const { log: next } = withEntries(owned, entries);
  const isWhole = log.transfers.every(({ entry }) => next.transfers.some((other) => other.entry === entry));
  return isWhole && isConfirmed(next, root.hash) ? next : log;
}

/** Of two bases at which devices begin all follow the one with the greater number. */
function isLater({ entries, root }: GroupLog, { hash, entry }: StoredEntry): boolean {
  const own = entries.find((other) => other.hash === root?.hash);
  return own === undefined || entry.n > own.entry.n || (entry.n === own.entry.n && hash < own.hash);
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
