// Histories of a group's log from a seed: people whose devices know more or less of it write beside each other, as honest programs do and
// as those do that want their rights back.
import type { LogItem } from "#shared/protocol/groups/entry-graph.ts";
import { LogFold } from "#shared/protocol/groups/fold-log.ts";
import { encodeEntry, type GroupChange, hashOfEntry, type LogEntry, logIdOf } from "#shared/protocol/groups/log-entry.ts";
import type { OwnerTransfer } from "#shared/protocol/groups/owner-terms.ts";

/** Random numbers from 0 to below 1. */
export type Random = () => number;

/** Keys of people, and of a device of each. */
export const person = (number: number): string => number.toString(16).padStart(2, "0").repeat(32);
export const PEOPLE: readonly string[] = Array.from({ length: 7 }, (_, index) => person(index + 1));

/** Reproducible random numbers (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An entry as an item of a log. */
export function itemOf(entry: LogEntry, isListed = true): LogItem {
  return { hash: hashOfEntry(encodeEntry(entry)), entry, isListed };
}

/** The beginning of a group of the first person and the next three. */
export function createItem(nonce = 0): LogItem {
  const [owner = "", ...others] = PEOPLE;
  const change = { op: "create", at: 1, name: "Hikes", people: others.slice(0, 3).sort() } as const;
  return itemOf({ group: nonce.toString(16).padStart(32, "0"), n: 1, prev: [], author: owner, device: owner, height: 0, change });
}

/** An entry after others of a log. */
export function entryAfter(
  items: readonly LogItem[],
  prev: readonly string[],
  { author, change, isListed = true }: { readonly author: string; readonly change: GroupChange; readonly isListed?: boolean },
): LogItem {
  const before = items.filter(({ hash }) => prev.includes(hash));
  const n = 1 + Math.max(...before.map(({ entry }) => entry.n));
  const group = logIdOf(items[0]?.hash ?? "");
  return itemOf({ group, n, prev: [...prev].sort(), author, device: author, height: 0, change }, isListed);
}

/** An entry that an honest program of its author writes on what it knows. */
export function honest(known: readonly LogItem[], author: string, change: GroupChange): LogItem {
  return entryAfter(known, new LogFold(known).group.heads, { author, change });
}

/** Some of a list, at least one of one that is not empty. */
export function some<T>(random: Random, list: readonly T[], most: number): readonly T[] {
  const count = 1 + Math.floor(random() * Math.min(most, list.length));
  return [...list].sort(() => random() - 0.5).slice(0, Math.max(1, count));
}

/** Any change, with a time that makes entries different. */
export function anyChange(random: Random, at: number): GroupChange {
  const people = [...some(random, PEOPLE, 2)].sort();
  const kind = Math.floor(random() * 7);
  if (kind === 6) return { op: "picture", at, picture: random() < 0.2 ? "" : at.toString(16).padStart(64, "0") };
  if (kind === 0) return { op: "leave", at };
  if (kind === 1) return { op: "name", at, name: `name ${at}` };
  if (kind === 2) return { op: "admins", at, people: random() < 0.2 ? [] : people.filter((key) => key !== PEOPLE[0]) };
  return kind === 3 ? { op: "remove", at, people } : { op: "add", at, people };
}

/** A closed part of a history: an entry and all that it knows. */
export function pastOf(items: readonly LogItem[], hashes: readonly string[]): readonly LogItem[] {
  const byHash = new Map(items.map((item) => [item.hash, item]));
  const found = new Set<string>();
  const open = [...hashes];
  for (let hash = open.pop(); hash !== undefined; hash = open.pop()) {
    if (found.has(hash)) continue;
    found.add(hash);
    open.push(...(byHash.get(hash)?.entry.prev ?? []));
  }
  return items.filter(({ hash }) => found.has(hash));
}

/** Keys of invite links. */
export const LINKS: readonly string[] = [person(0xa1), person(0xa2)];

/** Any change, in most cases one about invite links; an `admit` is followed by its `add` in {@link anyHistory}. */
export function anyChangeOrLink(random: Random, at: number): GroupChange {
  const key = LINKS[Math.floor(random() * LINKS.length)] as string;
  const kind = random();
  if (kind < 0.2) return { op: "invite", at, key, until: random() < 0.8 ? 1_000 : at + 3, uses: 1 + Math.floor(random() * 3) };
  if (kind < 0.24) return { op: "withdraw", at, keys: [key] };
  if (kind < 0.65) return { op: "admit", at, key, guests: [...some(random, PEOPLE, 2)].sort() };
  return anyChange(random, at);
}

/** Any change, in some cases one that names another owner. */
export function anyChangeOrOwner(random: Random, at: number): GroupChange {
  if (random() > 0.25) return anyChange(random, at);
  return { op: "owner", at, people: [PEOPLE[Math.floor(random() * PEOPLE.length)] as string] };
}

/** What a chain may say of the owners of a history: mostly transfers of who owns it then, in some cases of what is no way to pass it on. */
export function anyTransfers(seed: number, items: readonly LogItem[]): readonly OwnerTransfer[] {
  const random = seeded(seed);
  const transfers: OwnerTransfer[] = [];
  for (let height = 1; height <= 3; height += 1) {
    const owner = new LogFold(items, transfers).group.owner;
    const named = items.filter(({ entry: { author, change } }) => change.op === "owner" && (author === owner || random() < 0.1));
    const chosen = named[Math.floor(random() * named.length)];
    if (chosen === undefined || random() < 0.2) break;
    transfers.push({ owner: random() < 0.95 ? owner : person(9), entry: chosen.hash, chainId: "parley-test", height });
  }
  return transfers;
}

/** A history in which anyone (or these authors) writes anything after anything: rights are for the fold to judge. */
export function anyHistory(
  seed: number,
  length: number,
  authors: readonly string[] = PEOPLE,
  changeOf: (random: Random, at: number) => GroupChange = anyChange,
): readonly LogItem[] {
  const random = seeded(seed);
  const items: LogItem[] = [createItem(seed)];
  for (let at = 2; items.length < length; at += 1) {
    const recent = random() < 0.7 ? items.slice(-4) : items;
    const prev = some(random, recent, 3).map(({ hash }) => hash);
    const author = authors[Math.floor(random() ** 1.7 * authors.length)] ?? "";
    const item = entryAfter(items, prev, { author, change: changeOf(random, at), isListed: random() > 0.1 });
    items.push(item);
    if (item.entry.change.op !== "admit") continue;
    items.push(entryAfter(items, [item.hash], { author, change: { op: "add", at, people: item.entry.change.guests } }));
  }
  return items;
}
