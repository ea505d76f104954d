// What a log makes of a group, a second time: by sets and the words of docs/messages.md, without bits, orders or caches.
import type { LogItem } from "#shared/protocol/groups/entry-graph.ts";

/** What is compared. */
export interface NaiveGroup {
  readonly admins: readonly string[];
  readonly name: string;
  readonly people: Readonly<Record<string, string>>;
}

/** The group of a set of entries. */
export function naiveFold(items: readonly LogItem[]): NaiveGroup {
  const byHash = new Map(items.map((item) => [item.hash, item]));
  const pasts = new Map<LogItem, ReadonlySet<LogItem>>();
  const past = (item: LogItem): ReadonlySet<LogItem> => {
    const known = pasts.get(item);
    if (known !== undefined) return known;
    const parents = item.entry.prev.map((hash) => byHash.get(hash) as LogItem);
    const all = new Set(parents.flatMap((parent) => [parent, ...past(parent)]));
    pasts.set(item, all);
    return all;
  };
  const knows = (later: LogItem, earlier: LogItem): boolean => past(later).has(earlier);
  const areBeside = (a: LogItem, b: LogItem): boolean => a !== b && !knows(a, b) && !knows(b, a);
  const last = (set: readonly LogItem[]): readonly LogItem[] => set.filter((item) => !set.some((other) => knows(other, item)));
  const everything = new Set(items);

  const create = items.find(({ entry }) => entry.change.op === "create") as LogItem;
  const owner = create.entry.author;
  const isBy = (item: LogItem, author: string, op: string): boolean => item.entry.author === author && item.entry.change.op === op;
  const peopleOf = ({ entry: { change } }: LogItem): readonly string[] => ("people" in change ? change.people : []);

  const standing = items.filter((item) => {
    const { author } = item.entry;
    const isVouched = items.some((other) => other.isListed && knows(other, item) && [author, owner].includes(other.entry.author));
    return item === create || item.isListed || isVouched;
  });
  const ownerLeft = standing.filter((item) => isBy(item, owner, "leave"));
  const ofOwner = standing.filter(({ entry }) => entry.author === owner).filter((item) => !ownerLeft.some((leave) => knows(item, leave)));
  const grants = (admin: string): readonly LogItem[] =>
    ofOwner.filter((item) => item.entry.change.op === "admins" && peopleOf(item).includes(admin));
  const losses = (admin: string): readonly LogItem[] => [
    ...ofOwner.filter((item) => item.entry.change.op === "admins" && !peopleOf(item).includes(admin)),
    ...ofOwner.filter((item) => item.entry.change.op === "remove" && peopleOf(item).includes(admin)),
    ...standing.filter((item) => isBy(item, admin, "leave")),
  ];
  const isAdmin = (admin: string, within: ReadonlySet<LogItem>): boolean => {
    if (admin === owner) return false;
    const turns = last([...grants(admin), ...losses(admin)].filter((item) => within.has(item)));
    return turns.length > 0 && turns.every((item) => grants(admin).includes(item));
  };
  const holds = (item: LogItem): boolean => {
    const { author, change } = item.entry;
    if (item === create) return true;
    if (!standing.includes(item) || !["admins", "add", "remove", "name"].includes(change.op)) return false;
    if (author === owner) return ofOwner.includes(item);
    const isBuiltUpon = ofOwner.some((other) => knows(other, item));
    const taking = losses(author).filter((loss) => !(isBuiltUpon && loss.entry.author === author));
    return change.op !== "admins" && isAdmin(author, past(item)) && !taking.some((loss) => areBeside(loss, item));
  };

  type Turn = readonly [LogItem, "in" | "left" | "removed"];
  const decided = (turns: readonly Turn[]): string | undefined => {
    const latest = last(turns.map(([item]) => item));
    const words = turns.filter(([item]) => latest.includes(item)).map(([, word]) => word);
    return (["removed", "left", "in"] as const).find((word) => words.includes(word));
  };
  const mayRemove = (item: LogItem, someone: string): boolean => {
    if (someone === owner) return false;
    const isSafe = isAdmin(someone, past(item)) || grants(someone).some((grant) => areBeside(grant, item));
    return item.entry.author === owner || !isSafe;
  };
  const turnOf = (item: LogItem, someone: string): Turn[1] | undefined => {
    const { op } = item.entry.change;
    if (isBy(item, someone, "leave") && standing.includes(item) && wasIn(item, someone)) return "left";
    const isNamed = peopleOf(item).includes(someone) || (item === create && someone === owner);
    const holdsFor = (operation: string): boolean => op === operation && isNamed && holds(item);
    if (holdsFor("create") || holdsFor("add")) return "in";
    return holdsFor("remove") && mayRemove(item, someone) ? "removed" : undefined;
  };
  const wasIn = (item: LogItem, someone: string): boolean => decided(turnsOf(someone, past(item))) === "in";
  const turnsOf = (someone: string, within: ReadonlySet<LogItem>): readonly Turn[] =>
    [...within].flatMap((item): readonly Turn[] => {
      const turn = turnOf(item, someone);
      return turn === undefined ? [] : [[item, turn]];
    });

  const everyone = new Set([owner, ...items.flatMap(peopleOf)]);
  const people = [...everyone].flatMap((someone): readonly (readonly [string, string])[] => {
    const turns = turnsOf(someone, everything);
    const status = turns.some(([, word]) => word === "in") ? decided(turns) : undefined;
    return status === undefined ? [] : [[someone, status]];
  });
  const statuses = Object.fromEntries(people);
  const names = last(items.filter((item) => item === create || (item.entry.change.op === "name" && holds(item))));
  const ofHighestRank = names.some(({ entry }) => entry.author === owner) ? names.filter(({ entry }) => entry.author === owner) : names;
  const named = [...ofHighestRank].sort((a, b) => (a.hash < b.hash ? 1 : -1))[0]?.entry.change;
  return {
    admins: [...everyone].filter((someone) => isAdmin(someone, everything) && statuses[someone] === "in").sort(),
    name: named !== undefined && "name" in named ? named.name : "",
    people: statuses,
  };
}
