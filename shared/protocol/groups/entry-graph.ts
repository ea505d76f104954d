// Which entries of a log know which others. Entries are in an order in which each follows all that it knows; what an entry knows is a
// set of positions in that order, one bit each.
import type { EntryHash, LogEntry } from "./log-entry.ts";

/** An entry whose proof was checked. */
export interface LogItem {
  readonly hash: EntryHash;
  readonly entry: LogEntry;
  /** Its device was listed by the chain when the entry came here, or someone who is trusted with that vouched for it. */
  readonly isListed: boolean;
}

/** An entry in its log. */
export interface EntryNode extends LogItem {
  /** The bit of this entry. */
  readonly bit: bigint;
  /** Bits of all entries that it knows. */
  readonly past: bigint;
}

/** Negative when an entry comes first; the same on all devices. */
export function compareEntries(a: Pick<LogItem, "hash" | "entry">, b: Pick<LogItem, "hash" | "entry">): number {
  return a.entry.n - b.entry.n || (a.hash < b.hash ? -1 : Number(a.hash > b.hash));
}

/**
 * Entries in their order. Each one's predecessors must be among them, with smaller numbers. Where a base is the root, what is before it are
 * entries that stayed, which it knows, and each of which knows the ones before it.
 */
export function nodesOf(items: readonly LogItem[], root?: EntryHash): readonly EntryNode[] {
  const byHash = new Map<EntryHash, EntryNode>();
  const sorted = [...items].sort(compareEntries);
  const rootAt = sorted.findIndex(({ hash }) => hash === root);
  return sorted.map((item, index) => {
    const bit = 1n << BigInt(index);
    const isReplaced = index <= rootAt;
    const past = item.entry.prev.reduce(
      (bits, hash) => {
        const before = byHash.get(hash);
        return before === undefined ? bits : bits | before.past | before.bit;
      },
      isReplaced ? bit - 1n : 0n,
    );
    const node: EntryNode = { ...item, isListed: item.isListed || isReplaced, bit, past };
    byHash.set(item.hash, node);
    return node;
  });
}

/** True when `later` knows the other entry. */
export function isBefore({ bit }: Pick<EntryNode, "bit">, later: Pick<EntryNode, "past">): boolean {
  return (later.past & bit) !== 0n;
}

/** True when neither of two different entries knows the other. */
export function isConcurrent(a: EntryNode, b: EntryNode): boolean {
  return a.bit !== b.bit && !isBefore(a, b) && !isBefore(b, a);
}

/** Of things at entries, in the order of those: the ones within a set that no other one within it knows, the latest first. */
export function latestOf<T extends { readonly node: EntryNode }>(things: readonly T[], within: bigint): readonly T[] {
  const latest: T[] = [];
  let known = 0n;
  for (let index = things.length - 1; index >= 0; index -= 1) {
    const thing = things[index] as T;
    const { bit, past } = thing.node;
    if ((within & bit) === 0n || (known & bit) !== 0n) continue;
    latest.push(thing);
    known |= past;
  }
  return latest;
}
