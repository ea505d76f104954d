// At which base a log begins, a second time: by sets and the words of docs/messages.md, of all entries that were ever written.
import type { LogItem } from "#shared/protocol/groups/entry-graph.ts";

/** What counts of a set of entries, and the base at which it begins; all of them where there is none. */
export interface NaiveBase {
  readonly root: LogItem | undefined;
  readonly items: readonly LogItem[];
  /** Two of the owner's devices wrote bases beside each other, and each confirmed its own: devices may have begun at the other one meanwhile. */
  readonly isForked: boolean;
}

/** @param isTrue for bases of the owner that say what the entries before them make */
export function naiveBase(items: readonly LogItem[], isTrue: (base: LogItem) => boolean): NaiveBase {
  const byHash = new Map(items.map((item) => [item.hash, item]));
  const pasts = new Map<string, ReadonlySet<LogItem>>();
  const past = (item: LogItem): ReadonlySet<LogItem> => {
    const known = pasts.get(item.hash);
    if (known !== undefined) return known;
    const parents = item.entry.prev.flatMap((hash) => byHash.get(hash) ?? []);
    const all = new Set(parents.flatMap((parent) => [parent, ...past(parent)]));
    pasts.set(item.hash, all);
    return all;
  };
  const knows = (later: LogItem, earlier: LogItem): boolean => past(later).has(earlier);
  const bases = items.filter((item) => item.entry.change.op === "base" && isTrue(item));
  // What names anything else than the base, or what follows it, among the entries before it does not follow it.
  const follows = (item: LogItem, base: LogItem): boolean =>
    knows(item, base) && item.entry.prev.every((hash) => hash === base.hash || follows(byHash.get(hash) as LogItem, base));
  const roots = bases.filter((base) => bases.some((later) => follows(later, base)));
  const [root] = roots.sort((a, b) => b.entry.n - a.entry.n || (a.hash < b.hash ? -1 : 1));
  if (root === undefined) return { root, items, isForked: false };
  const isForked = roots.some((other) => other.entry.n === root.entry.n && other !== root);
  return { root, isForked, items: items.filter((item) => item === root || knows(root, item) || follows(item, root)) };
}
