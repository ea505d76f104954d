// People of a group whose programs lie. They sign what they like in their own names: after whatever they choose, with any number and time, as
// rivals beside each other of which each device gets another one, as bases and links of a group that is not theirs to change. They pass on
// states of their own, and what they had long ago as if it were all. What they hide comes out in the end.
import { hashOfState } from "#shared/protocol/groups/base-state.ts";
import { nextBaseState, type StoredEntry } from "#shared/protocol/groups/group-log.ts";
import { partsAt, rebased } from "#shared/protocol/groups/join-base.ts";
import type { GroupChange } from "#shared/protocol/groups/log-entry.ts";
import { entryAfter, itemOf } from "#test/support/groups/group-history.ts";
import { type LogDevice, stored } from "#test/support/groups/log-device.ts";
import { createRandom, type Random } from "#test/support/host/random.ts";
import type { RightsOracle } from "./rights-oracle.ts";

const STREAM = 0x60b1;
/** Entries that one of them writes at once to fill a log: more than one author may have there. */
const FLOOD = 150;
const LIE = "ab".repeat(32);

/** What they did. */
export interface HostileGroupFigures {
  /** Entries of theirs, those of which each device got another one, and what begins no log that they handed out for one. */
  readonly lies: number;
  readonly rivals: number;
  readonly falseBases: number;
}

/** Who gets entries of theirs. */
export type Lay = (to: LogDevice, entries: readonly StoredEntry[]) => void;

export class HostileMembers {
  readonly #random: Random;
  readonly #oracle: RightsOracle;
  /** In this order: never an admin, one for a while, and from a time on who was the owner. */
  readonly #people: readonly string[];
  readonly #floods: boolean;
  /** They sign in the name of who owns the group. */
  readonly #forges: boolean;
  readonly entries: StoredEntry[] = [];
  readonly figures = { lies: 0, rivals: 0, falseBases: 0 };
  /** The owner has dropped the second one. */
  isDropped = false;
  /** The third one is not the owner any more. */
  isPassedOn = false;
  #stale: Pick<LogDevice, "log"> | undefined;

  constructor(
    seed: number,
    {
      people,
      oracle,
      floods,
      forges,
    }: { readonly people: readonly string[]; readonly oracle: RightsOracle; readonly floods: boolean; readonly forges: boolean },
  ) {
    this.#random = createRandom(seed ^ STREAM);
    this.#people = people;
    this.#oracle = oracle;
    this.#floods = floods;
    this.#forges = forges;
  }

  /** One of them does something, and writes to the group: who, knowing which log. `devices` are honest, and what they know is known to all who lie. */
  act(devices: readonly LogDevice[], at: number, lay: Lay): { readonly author: string; readonly log: LogDevice["log"] } | undefined {
    const from = this.#one(devices);
    if (from === undefined || !this.#random.chance(0.35)) return undefined;
    if (this.#random.chance(0.05)) this.#stale = { log: from.log };
    const draw = this.#random.next();
    if (draw < 0.05) this.#passOnStale(devices);
    else if (draw < 0.15) this.#passOnFalseBase(from, devices, at);
    else this.#write(from, this.#author(), { devices, at, lay });
    const author = this.#people[this.entries.length % 2] ?? "";
    return { author, log: this.#stale !== undefined && at % 3 === 0 ? this.#stale.log : from.log };
  }

  #write(
    from: LogDevice,
    author: string,
    { devices, at, lay }: { readonly devices: readonly LogDevice[]; readonly at: number; readonly lay: Lay },
  ): void {
    const draw = this.#random.next();
    if (draw < 0.2) this.#writeRivals(from, { author, at }, (entry, half) => this.#layAt(half, devices, entry, lay));
    else if (draw < 0.23 && this.#floods) this.#flood(from, at, devices, lay);
    else {
      const entry = draw < 0.35 ? this.#malformed(from, author, at) : this.#entry(from, author, this.#change(author, from, at));
      for (const to of devices) if (this.#random.chance(0.5)) lay(to, [entry]);
    }
  }

  /** Everything that any of them ever wrote comes to everyone. */
  reveal(devices: readonly LogDevice[]): void {
    for (const device of devices) device.take(this.entries);
  }

  #author(): string {
    const [member = "", former = "", owner = ""] = this.#people;
    const draw = this.#random.next();
    if (this.#forges) return owner;
    if (draw < 0.4) return member;
    return draw < 0.7 || !this.isPassedOn ? former : owner;
  }

  #change(author: string, { log }: LogDevice, at: number): GroupChange {
    if (this.#forges) return { op: "admins", at, people: this.#people.slice(0, 1) };
    const people = [this.#one(this.#people) ?? author];
    const state = this.#random.chance(0.5) ? nextBaseState(log) : undefined;
    const changes: readonly GroupChange[] = [
      { op: "name", at, name: this.#name(author, at) },
      { op: "add", at, people },
      { op: "add", at: at - this.#random.between(0, at), people: [...this.#people].slice(0, 2).sort() },
      { op: "admins", at, people },
      { op: "owner", at, people },
      { op: "base", at, state: state === undefined ? LIE : hashOfState(state) },
      { op: "invite", at, key: this.#link(), until: 10_000, uses: 99 },
      { op: "admit", at, key: this.#link(), guests: people },
      { op: "withdraw", at, keys: log.fold.group.links.map(({ key }) => key).slice(0, 8) },
      { op: "picture", at, picture: LIE },
      { op: "leave", at },
    ];
    // Who has lost a right writes as if they had it still.
    const change = this.#one(author === this.#people[1] && this.isDropped ? changes.slice(0, 4) : changes) ?? { op: "leave", at };
    return change.op === "withdraw" && change.keys.length === 0 ? { op: "leave", at } : change;
  }

  /** Its own, or a guess. */
  #link(): string {
    return `ea${this.#random.between(0, 3)}`.padEnd(64, "0");
  }

  #name(author: string, at: number): string {
    const name = `lie ${this.entries.length} ${at}`;
    if (author === this.#people[0]) this.#oracle.noteWorthlessName(name);
    if (author === this.#people[1] && this.isDropped) this.#oracle.noteLateName(name);
    return name;
  }

  /** After the heads, some old entries, the own last one, or all of these. */
  #entry({ log }: LogDevice, author: string, change: GroupChange): StoredEntry {
    const known = [...log.entries];
    const last = this.entries.findLast(({ entry, hash }) => entry.author === author && known.some((other) => other.hash === hash));
    const old = [this.#one(known), this.#one(known.slice(-6))].flatMap((entry) => (entry === undefined ? [] : [entry.hash]));
    const draw = this.#random.next();
    const ofOld = draw < 0.75 ? old.slice(0, 1) : [...(last ? [last.hash] : []), ...(draw < 0.9 ? [] : old)];
    const chosen = draw < 0.35 ? log.fold.group.heads : draw < 0.5 || ofOld.length === 0 ? old : ofOld;
    const isAdmitted = change.op === "add" && last?.entry.change.op === "admit" && this.#random.chance(0.5);
    const prev = isAdmitted ? [last.hash] : [...new Set(chosen)];
    return this.#note(stored(entryAfter(known, prev, { author, change, isListed: this.#random.chance(0.8) })));
  }

  /** Of the same number and after the same, each for some. */
  #writeRivals(
    from: LogDevice,
    { author, at }: { readonly author: string; readonly at: number },
    layOne: (entry: StoredEntry, half: number) => void,
  ): void {
    const prev = this.#random.chance(0.5) ? from.log.fold.group.heads : [(this.#one(from.log.entries) as StoredEntry).hash];
    const isLeaving = this.#random.chance(0.3);
    for (const half of [0, 1]) {
      const change: GroupChange = isLeaving
        ? { op: "leave", at: at + half }
        : { op: "name", at: at + half, name: this.#name(author, at + half) };
      layOne(this.#note(stored(entryAfter(from.log.entries, prev, { author, change }))), half);
      this.figures.rivals += 1;
    }
  }

  /** What no log takes: a number, a height, a group or predecessors that are not right, a second beginning. */
  #malformed(from: LogDevice, author: string, at: number): StoredEntry {
    const { entry } = this.#entry(from, author, { op: "name", at, name: this.#name(author, at) });
    const wrong = [
      { n: entry.n + this.#random.between(1, 1_000) },
      { n: Math.max(2, entry.n - 1), prev: [this.entries.at(-1)?.hash ?? LIE] },
      { height: 2 ** 40 },
      { group: LIE.slice(0, 32) },
      { prev: [LIE] },
      { n: 1, prev: [], change: { op: "create", at, name: "lie", people: [author] } as const },
    ];
    return this.#note(stored(itemOf({ ...entry, ...this.#one(wrong) })));
  }

  /** Two bases of their own, with a state that makes one of them the owner, or the true one. */
  #passOnFalseBase({ log }: LogDevice, devices: readonly LogDevice[], at: number): void {
    const to = this.#one(devices);
    const state = nextBaseState(log);
    const author = this.#people[this.#random.between(0, 1)] ?? "";
    if (to === undefined || state === undefined) return;
    const prev = this.#random.chance(0.5) ? log.fold.group.heads : [LIE];
    const n = 1 + Math.max(...log.entries.map(({ entry }) => entry.n));
    const common = { group: log.id, author, device: author, height: 0 };
    const root = stored(itemOf({ ...common, n, prev, change: { op: "base", at, state: hashOfState(state) } }));
    const later = stored(itemOf({ ...common, n: n + 1, prev: [root.hash], change: { op: "base", at, state: LIE } }));
    this.#note(root);
    this.#note(later);
    const kept = log.root === undefined ? log.entries.slice(0, 1) : log.entries.filter(({ hash }) => log.root?.state.kept.includes(hash));
    to.log = rebased(to.log, { kept, state }, { entries: [root, later], transfers: log.transfers });
    this.figures.falseBases += 1;
  }

  /** What a device had long ago, as if it were all. */
  #passOnStale(devices: readonly LogDevice[]): void {
    const to = this.#one(devices);
    if (to === undefined || this.#stale === undefined) return;
    const { base, entries } = partsAt(this.#stale.log);
    const some = entries.filter(() => this.#random.chance(0.7));
    to.take(some);
    if (base !== undefined) to.log = rebased(to.log, base, { entries: some, transfers: [] });
    this.figures.falseBases += Number(base !== undefined);
  }

  /** More than one author may have in a log, each device the others of them first. */
  #flood({ log }: LogDevice, at: number, devices: readonly LogDevice[], lay: Lay): void {
    const [author = ""] = this.#people;
    if (this.entries.length > FLOOD) return;
    const prev = log.fold.group.heads;
    const entries = Array.from({ length: FLOOD }, (_, index) =>
      this.#note(
        stored(entryAfter(log.entries, prev, { author, change: { op: "name", at: at + index, name: this.#name(author, at + index) } })),
      ),
    );
    for (const to of devices) lay(to, this.#random.chance(0.5) ? entries : entries.toReversed().slice(0, this.#random.between(1, FLOOD)));
  }

  #layAt(half: number, devices: readonly LogDevice[], entry: StoredEntry, lay: Lay): void {
    for (const [index, to] of devices.entries()) if (index % 2 === half) lay(to, [entry]);
  }

  #note(entry: StoredEntry): StoredEntry {
    this.entries.push(entry);
    this.figures.lies += 1;
    return entry;
  }

  #one<Item>(list: readonly Item[]): Item | undefined {
    return list[this.#random.between(0, list.length - 1)];
  }
}
