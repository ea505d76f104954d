// What a log makes of a group, a second time: by sets and the words of docs/messages.md, without bits, orders or caches.
import type { LogItem } from "#shared/protocol/groups/entry-graph.ts";
import { MAX_BASE_LINKS } from "#shared/protocol/groups/group-bounds.ts";
import type { OwnerTransfer } from "#shared/protocol/groups/owner-terms.ts";

/** What is compared. */
export interface NaiveGroup {
  readonly admins: readonly string[];
  readonly name: string;
  readonly picture: string;
  readonly people: Readonly<Record<string, string>>;
  readonly owner: string;
  /** How many came by each invite link that lets people in. */
  readonly links: Readonly<Record<string, number>>;
}

/** The group of a set of entries, and of what the chain says of its owners. */
export function naiveFold(items: readonly LogItem[], transfers: readonly OwnerTransfer[] = []): NaiveGroup {
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
  const follows = (item: LogItem, begin: LogItem): boolean => begin === create || knows(item, begin);
  const isBy = (item: LogItem, author: string, op: string): boolean => item.entry.author === author && item.entry.change.op === op;
  const peopleOf = ({ entry: { change } }: LogItem): readonly string[] => ("people" in change ? change.people : []);

  // The owners one after the other, each with the entry that began and (but for the last) the one that ended their time.
  const owners: { readonly key: string; readonly begin: LogItem; end?: LogItem }[] = [{ key: create.entry.author, begin: create }];
  for (const { owner, entry } of transfers) {
    const current = owners[owners.length - 1] as (typeof owners)[number];
    const item = items.find(({ hash }) => hash === entry);
    const left = items.filter((leave) => isBy(leave, current.key, "leave") && follows(leave, current.begin));
    if (item === undefined || owner !== current.key || !isBy(item, owner, "owner")) break;
    if (!follows(item, current.begin) || left.some((leave) => knows(item, leave)) || peopleOf(item)[0] === owner) break;
    current.end = item;
    owners.push({ key: peopleOf(item)[0] ?? "", begin: item });
  }
  const isNamedByChain = (item: LogItem): boolean => owners.some(({ end }) => end === item);
  const timeOf = (item: LogItem): (typeof owners)[number] | undefined =>
    owners.find(
      ({ key, begin, end }) => key === item.entry.author && follows(item, begin) && (end === undefined || end === item || knows(end, item)),
    );
  const standing = items.filter((item) => {
    const isVouched = items.some(
      (other) =>
        (other.isListed || isNamedByChain(other)) &&
        knows(other, item) &&
        (item.entry.author === other.entry.author || timeOf(other) !== undefined),
    );
    return item === create || item.isListed || isNamedByChain(item) || isVouched;
  });
  const leftIn = ({ key, begin, end }: (typeof owners)[number]): readonly LogItem[] =>
    standing.filter((item) => isBy(item, key, "leave") && follows(item, begin) && (end === undefined || knows(end, item)));
  const ownerIn = (within: ReadonlySet<LogItem>): string | undefined => {
    const time = owners.filter(({ begin }) => begin === create || within.has(begin)).at(-1) as (typeof owners)[number];
    return leftIn(time).some((leave) => within.has(leave)) ? undefined : time.key;
  };
  const ofOwner = standing.filter((item) => {
    const time = timeOf(item);
    return time !== undefined && !leftIn(time).some((leave) => knows(item, leave));
  });
  const grants = (admin: string): readonly LogItem[] =>
    ofOwner.filter((item) => isBy(item, item.entry.author, "admins") && peopleOf(item).includes(admin) && item.entry.author !== admin);
  const losses = (admin: string): readonly LogItem[] => [
    ...ofOwner.filter((item) => item.entry.change.op === "admins" && !peopleOf(item).includes(admin)),
    ...ofOwner.filter((item) => item.entry.change.op === "remove" && peopleOf(item).includes(admin)),
    ...standing.filter((item) => isBy(item, admin, "leave")),
    ...items.filter((item) => isNamedByChain(item) && item.entry.author === admin),
  ];
  const isAdmin = (admin: string, within: ReadonlySet<LogItem>): boolean => {
    if (admin === ownerIn(within)) return false;
    const turns = last([...grants(admin), ...losses(admin)].filter((item) => within.has(item)));
    return turns.length > 0 && turns.every((item) => grants(admin).includes(item));
  };
  const RIGHTFUL_OPS = ["admins", "add", "remove", "name", "picture", "invite", "withdraw"];
  const rightful = new Map<LogItem, boolean>();
  const isRightful = (item: LogItem): boolean => {
    const known = rightful.get(item) ?? hadRight(item);
    rightful.set(item, known);
    return known;
  };
  const hadRight = (item: LogItem): boolean => {
    const { author, change } = item.entry;
    if (item === create) return true;
    if (!standing.includes(item) || !RIGHTFUL_OPS.includes(change.op)) return false;
    if (author === ownerIn(past(item))) return ofOwner.includes(item);
    const isBuiltUpon = ofOwner.some((other) => knows(other, item));
    const taking = losses(author).filter((loss) => !(isBuiltUpon && loss.entry.author === author));
    return change.op !== "admins" && isAdmin(author, past(item)) && !taking.some((loss) => areBeside(loss, item));
  };
  // Invite links: an addition that follows an `admit` of its author with the same people, and nothing else, is by one.
  const linkOf = (item: LogItem): string | undefined => {
    const { author, prev, change } = item.entry;
    const admit = change.op === "add" && prev.length === 1 ? byHash.get(prev[0] as string)?.entry : undefined;
    if (change.op !== "add" || admit?.author !== author || admit.change.op !== "admit") return undefined;
    return admit.change.guests.join() === change.people.join() ? admit.change.key : undefined;
  };
  const isOwnLeave = (loss: LogItem, someone: string): boolean => isBy(loss, someone, "leave");
  const endsOfRight = (maker: string): readonly LogItem[] =>
    losses(maker).filter((loss) => loss.entry.author !== maker || isOwnLeave(loss, maker) || isNamedByChain(loss));
  const makings = (key: string): readonly LogItem[] =>
    items.filter(({ entry: { change } }) => change.op === "invite" && change.key === key).filter(isRightful);
  const withdrawals = (key: string): readonly LogItem[] =>
    items.filter(({ entry: { change } }) => change.op === "withdraw" && change.keys.includes(key)).filter(isRightful);
  // What the last base among entries knows counts as that carries it on: its links, with how many have come by then.
  const isAfter = (a: LogItem, b: LogItem): boolean => a.entry.n > b.entry.n || (a.entry.n === b.entry.n && a.hash > b.hash);
  const lastBaseIn = (within: ReadonlySet<LogItem>): LogItem | undefined => {
    const bases = ofOwner.filter((item) => item.entry.change.op === "base" && within.has(item));
    return bases.find((base) => bases.every((other) => other === base || isAfter(base, other)));
  };
  const unsettledIn = (within: ReadonlySet<LogItem>): readonly LogItem[] => {
    const base = lastBaseIn(within);
    return base === undefined ? [...within] : [...within].filter((item) => item !== base && !knows(base, item));
  };
  const comingsBy = (key: string, among: readonly LogItem[]): number => {
    const comings = among
      .filter((item) => linkOf(item) === key && holds(item))
      .flatMap((item) => peopleOf(item).flatMap((someone) => (turnOf(item, someone) === "in" ? [{ item, someone }] : [])))
      .sort((a, b) => (isAfter(a.item, b.item) ? 1 : -1));
    const counted: (typeof comings)[number][] = [];
    for (const one of comings)
      if (!counted.some(({ item, someone }) => someone === one.someone && areBeside(item, one.item))) counted.push(one);
    return counted.length;
  };
  interface NaiveLink {
    readonly key: string;
    readonly from: LogItem;
    readonly made: LogItem;
    readonly uses: number;
    readonly until: number;
    readonly used: number;
  }
  const linkIn = (key: string, within: ReadonlySet<LogItem>): NaiveLink | undefined => {
    const base = lastBaseIn(within);
    const unsettled = unsettledIn(within);
    const before = base && carriedBy(base).find((link) => link.key === key);
    const [making] = makings(key)
      .filter((item) => unsettled.includes(item))
      .sort((a, b) => (isAfter(a, b) ? 1 : -1));
    const came = comingsBy(key, unsettled);
    if (base !== undefined && before !== undefined) return { ...before, from: base, used: before.used + came };
    if (making?.entry.change.op !== "invite") return undefined;
    return { key, from: making, made: making, uses: making.entry.change.uses, until: making.entry.change.until, used: came };
  };
  const livingIn = (within: ReadonlySet<LogItem>): readonly NaiveLink[] => {
    const keys = new Set(items.flatMap(({ entry: { change } }) => (change.op === "invite" ? [change.key] : [])));
    return [...keys].sort().flatMap((key) => {
      const found = linkIn(key, within);
      const isWithdrawn = withdrawals(key).some((item) => unsettledIn(within).includes(item));
      const ends = found === undefined ? [] : endsOfRight(found.made.entry.author).filter((end) => within.has(end));
      return found === undefined || isWithdrawn || ends.some((end) => !knows(found.from, end)) ? [] : [found];
    });
  };
  const carriedLinks = new Map<LogItem, readonly NaiveLink[]>();
  const carriedBy = (base: LogItem): readonly NaiveLink[] => {
    const found = carriedLinks.get(base) ?? foundLinks(base);
    carriedLinks.set(base, found);
    return found;
  };
  const foundLinks = (base: LogItem): readonly NaiveLink[] => {
    const living = livingIn(past(base));
    const open = living.filter(({ uses, used }) => used < uses);
    const others = living.filter(({ uses, used }) => used >= uses);
    const isNewer = (a: NaiveLink, b: NaiveLink): number => b.made.entry.n - a.made.entry.n || (a.made.hash < b.made.hash ? -1 : 1);
    return [...open.sort(isNewer), ...others.sort(isNewer)].slice(0, MAX_BASE_LINKS);
  };
  const isAllowed = (item: LogItem): boolean => {
    const key = linkOf(item);
    const { change } = item.entry;
    if (key === undefined || change.op !== "add") return true;
    const base = lastBaseIn(past(item));
    const isSettled = (other: LogItem): boolean => base !== undefined && knows(base, other);
    if (withdrawals(key).some((other) => !isSettled(other) && (knows(item, other) || areBeside(item, other)))) return false;
    const found = linkIn(key, past(item));
    if (found === undefined || change.at > found.until || found.used + change.people.length > found.uses) return false;
    const maker = found.made.entry.author;
    const isBuiltUpon = ofOwner.some((other) => knows(other, item));
    const after = endsOfRight(maker).filter((end) => !knows(found.from, end) && !knows(end, item));
    return after.every((end) => isBuiltUpon && isOwnLeave(end, maker) && areBeside(end, item));
  };
  const held = new Map<LogItem, boolean>();
  const holds = (item: LogItem): boolean => {
    const known = held.get(item);
    if (known !== undefined) return known;
    const value = isRightful(item) && isAllowed(item);
    held.set(item, value);
    return value;
  };

  type Turn = readonly [LogItem, "in" | "left" | "removed"];
  const decided = (turns: readonly Turn[]): string | undefined => {
    const latest = last(turns.map(([item]) => item));
    const words = turns.filter(([item]) => latest.includes(item)).map(([, word]) => word);
    return (["removed", "left", "in"] as const).find((word) => words.includes(word));
  };
  const mayRemove = (item: LogItem, someone: string): boolean => {
    const isOwned = owners.some(
      ({ key, begin, end }) =>
        key === someone && !(end !== undefined && knows(item, end)) && (follows(item, begin) || areBeside(item, begin)),
    );
    if (isOwned) return false;
    const isSafe = isAdmin(someone, past(item)) || grants(someone).some((grant) => areBeside(grant, item));
    return item.entry.author === ownerIn(past(item)) || !isSafe;
  };
  const turned = new Map<string, Turn[1] | undefined>();
  const turnOf = (item: LogItem, someone: string): Turn[1] | undefined => {
    const name = `${item.hash} ${someone}`;
    if (!turned.has(name)) turned.set(name, foundTurn(item, someone));
    return turned.get(name);
  };
  /** Who was removed, as far as the last base says it that the entry knows: that has who is in the group, or was since the one before. */
  const isKeptOut = (item: LogItem, someone: string): boolean => {
    const base = lastBaseIn(past(item));
    const isCarried = base === undefined || isSaidAt(base, someone);
    const turns = turnsOf(someone, past(item)).filter(([other]) => isCarried || (other !== base && !knows(base, other)));
    return linkOf(item) !== undefined && decided(turns) === "removed" && turns.some(([, word]) => word === "in");
  };
  const isSaidAt = (base: LogItem, someone: string): boolean => {
    const before = lastBaseIn(past(base));
    const turns = turnsOf(someone, past(base));
    const isIn = decided(turns) === "in" || before === undefined || decided(turnsOf(someone, past(before))) === "in";
    return turns.some(([, word]) => word === "in") && (isIn || turns.some(([other, word]) => word === "in" && !knows(before, other)));
  };
  const foundTurn = (item: LogItem, someone: string): Turn[1] | undefined => {
    if (isBy(item, someone, "leave") && standing.includes(item) && wasIn(item, someone)) return "left";
    const isNamed = peopleOf(item).includes(someone) || (item === create && someone === create.entry.author);
    if (isNamedByChain(item) && isNamed && !wasIn(item, someone)) return "in";
    return isNamed && holds(item) ? turnByRight(item, someone) : undefined;
  };
  const turnByRight = (item: LogItem, someone: string): Turn[1] | undefined => {
    const { op } = item.entry.change;
    if (op === "create" || (op === "add" && !isKeptOut(item, someone))) return "in";
    return op === "remove" && mayRemove(item, someone) ? "removed" : undefined;
  };
  const wasIn = (item: LogItem, someone: string): boolean => decided(turnsOf(someone, past(item))) === "in";
  const turnsOf = (someone: string, within: ReadonlySet<LogItem>): readonly Turn[] =>
    [...within].flatMap((item): readonly Turn[] => {
      const turn = turnOf(item, someone);
      return turn === undefined ? [] : [[item, turn]];
    });

  const everyone = new Set([create.entry.author, ...items.flatMap(peopleOf)]);
  const people = [...everyone].flatMap((someone): readonly (readonly [string, string])[] => {
    const turns = turnsOf(someone, everything);
    const status = turns.some(([, word]) => word === "in") ? decided(turns) : undefined;
    return status === undefined ? [] : [[someone, status]];
  });
  const statuses = Object.fromEntries(people);
  const chosen = (all: readonly LogItem[]): LogItem["entry"]["change"] | undefined => {
    const latest = last(all);
    const ofHighestRank = latest.some(timeOf) ? latest.filter(timeOf) : latest;
    return [...ofHighestRank].sort((a, b) => (a.hash < b.hash ? 1 : -1))[0]?.entry.change;
  };
  const named = chosen(items.filter((item) => item === create || (item.entry.change.op === "name" && holds(item))));
  const pictured = chosen(items.filter((item) => item.entry.change.op === "picture" && holds(item)));
  return {
    admins: [...everyone]
      .filter((someone) => someone !== owners.at(-1)?.key && isAdmin(someone, everything) && statuses[someone] === "in")
      .sort(),
    name: named !== undefined && "name" in named ? named.name : "",
    picture: pictured?.op === "picture" ? pictured.picture : "",
    people: statuses,
    owner: owners.at(-1)?.key ?? "",
    links: Object.fromEntries(livingIn(everything).map(({ key, used }) => [key, used])),
  };
}
