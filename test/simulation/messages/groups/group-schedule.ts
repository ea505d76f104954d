// A group of people, of whom the owner has two devices: they change it, let strangers in by links, are away for long, lose mail, are put back,
// and the owner's devices replace by bases what was before. In the end all devices have the same group, the one that all entries make. In a
// quarter of the schedules there are members whose programs lie, and in a part of those the owner passes the group on.
import type { BaseLink } from "#shared/protocol/groups/base-state.ts";
import { MAX_AUTHOR_ENTRIES, MAX_LOG_ENTRIES, type StoredEntry, withTransfer } from "#shared/protocol/groups/group-log.ts";
import { entriesSinceBase } from "#shared/protocol/groups/log-base.ts";
import type { GroupChange } from "#shared/protocol/groups/log-entry.ts";
import type { OwnerTransfer } from "#shared/protocol/groups/owner-terms.ts";
import { createItem, PEOPLE } from "#test/support/groups/group-history.ts";
import { LogDevice, settle } from "#test/support/groups/log-device.ts";
import { type NaiveBase, naiveBase } from "#test/support/groups/naive-base.ts";
import { naiveFold } from "#test/support/groups/naive-fold.ts";
import { createRandom, type Random } from "#test/support/host/random.ts";
import { GroupMail, type GroupMailFigures } from "./group-mail.ts";
import { type HostileGroupFigures, HostileMembers } from "./hostile-members.ts";
import { RightsOracle } from "./rights-oracle.ts";
import { type Knowing, SealsOracle } from "./seals-oracle.ts";

const [OWNER = "", ...OTHERS] = PEOPLE;
/** Those who lie, in some schedules: never an admin, and an admin until the owner drops them. No honest device adds either. */
const [, , , MEMBER = "", FORMER = ""] = OTHERS;
const [NEXT_OWNER = ""] = OTHERS;
const STEPS = 160;
/** Entries after which the owner's first device writes a base, and how many more the second one waits for. */
const BASE_AFTER = 10;
const RANK_AFTER = 3;
/** Entries of a log up to which it is folded a second time: what takes long there is left out. */
const MOST_NAIVE = 250;
const NO_LIES: HostileGroupFigures = { lies: 0, rivals: 0, falseBases: 0 };
const NO_MAIL: GroupMailFigures = { sealed: 0, unsealed: 0, shownLies: 0, lateLies: 0, asks: 0, answers: 0 };
/** Strangers are numbered from here; 16 times the four digits are their key. */
const STRANGERS = 0x1000;

/** Figures of runs. */
export interface GroupFigures extends HostileGroupFigures, GroupMailFigures {
  readonly entries: number;
  readonly bases: number;
  /** Devices that began again at a base. */
  readonly jumps: number;
  readonly putBack: number;
  /** Groups whose log begins at a base in the end. */
  readonly shortened: number;
  /** Entries that were written and counted no more. */
  readonly late: number;
  /** People who were let in by links, and are in the group in the end. */
  readonly guests: number;
  /** Two of the owner's devices confirmed bases of their own beside each other. */
  readonly forked: number;
  /** Texts to the group by devices that knew of the removal of those who lie. */
  readonly sealedApart: number;
  /** Groups that were passed on. */
  readonly passedOn: number;
}

/** What happens in a schedule. */
export interface GroupScenario {
  readonly seed: number;
  /** `members`: some lie. `owner`: and who was the owner, beside them, once the group is passed on. */
  readonly liars: "none" | "members" | "owner";
  /** They fill the log. */
  readonly floods: boolean;
  /** Bases replace what was before. */
  readonly hasBases: boolean;
  /** Devices take what is signed in the owner's name by others, as they must not. */
  readonly signatures?: "unchecked";
}

/** The scenario of a seed. */
export function groupScenario(seed: number): GroupScenario {
  const liars = seed % 4 !== 3 ? "none" : seed % 16 === 11 ? "owner" : "members";
  return { seed, liars, floods: seed % 64 === 7, hasBases: liars === "none" || seed % 8 === 7 };
}

interface Mail {
  readonly to: LogDevice;
  readonly entries: readonly StoredEntry[];
  readonly at: number;
}

/** Runs a schedule. @throws Error that says what does not hold. */
export function simulateGroup(scenario: GroupScenario): GroupFigures {
  return new GroupWorld(scenario).run();
}

class GroupWorld {
  readonly #random: Random;
  readonly #devices: readonly LogDevice[];
  readonly #written: StoredEntry[] = [];
  readonly #awayUntil = new Map<LogDevice, number>();
  readonly #images = new Map<LogDevice, LogDevice["log"]>();
  readonly #putsBack: boolean;
  #mail: Mail[] = [];
  #at = 1;
  #jumps = 0;
  #putBack = 0;
  #strangers = 0;
  readonly #scenario: GroupScenario;
  readonly #oracle = new RightsOracle({ member: MEMBER, former: FORMER });
  readonly #liars: HostileMembers | undefined;
  readonly #seals = new SealsOracle<LogDevice>();
  readonly #texts: GroupMail | undefined;
  /** When the owner drops the one, removes both, and passes the group on. */
  readonly #turns: { readonly dropAt: number; readonly removeAt: number; readonly passAt: number };
  /** What the owner passed the group on by. */
  #transfer: OwnerTransfer | undefined;
  /** What bases that logs began with know. */
  readonly #pasts = new Map<string, ReadonlySet<string>>();
  #sealedApart = 0;

  constructor(scenario: GroupScenario) {
    const { seed, liars, floods, signatures } = scenario;
    this.#scenario = scenario;
    this.#random = createRandom(seed);
    const dropAt = this.#random.between(25, 50);
    const removeAt = dropAt + this.#random.between(10, 30);
    this.#turns = { dropAt, removeAt, passAt: removeAt + this.#random.between(5, 30) };
    this.#liars =
      liars === "none"
        ? undefined
        : new HostileMembers(seed, { people: [MEMBER, FORMER, OWNER], oracle: this.#oracle, floods, forges: signatures === "unchecked" });
    this.#putsBack = seed % 3 === 0;
    const create = createItem(seed);
    this.#devices = [OWNER, OWNER, ...OTHERS.slice(0, 3)].map((person) => new LogDevice(person, create));
    this.#texts =
      this.#liars &&
      new GroupMail(seed, this.#seals, {
        devices: this.#devices,
        isAway: (device): boolean => this.#isAway(device),
        knowing: (device): Knowing => this.#knowing(device),
        isUnaware: ({ log }): boolean => this.#liars?.isPassedOn === true && log.transfers.length === 0,
      });
    this.#written.push(...(this.#devices[0]?.log.entries ?? []));
    const [first] = this.#devices as readonly [LogDevice];
    const named = this.#liars === undefined ? [] : [FORMER];
    this.#send(first, first.write({ op: "admins", at: this.#at, people: [...OTHERS.slice(0, 2), ...named].sort() }));
    if (this.#liars !== undefined) this.#send(first, first.write({ op: "add", at: this.#at, people: [MEMBER, FORMER].sort() }));
  }

  run(): GroupFigures {
    for (; this.#at < STEPS; this.#at += 1) {
      this.#deliver();
      if (this.#liars !== undefined) this.#letLie(this.#liars);
      const device = this.#any();
      if (!this.#isAway(device)) this.#turn(device);
    }
    if (this.#liars !== undefined) this.#endLies(this.#liars);
    settle(this.#devices);
    this.#judge();
    return this.#figures();
  }

  #letLie(liars: HostileMembers): void {
    const writer = liars.act(this.#devices, this.#at, (to, entries) =>
      this.#mail.push({ to, entries, at: this.#at + this.#random.between(1, 6) }),
    );
    if (writer !== undefined) this.#texts?.lie(writer.author, writer.log, this.#at);
    this.#texts?.step(this.#at);
  }

  /** What a device does. */
  #turn(device: LogDevice): void {
    if (this.#liars !== undefined) this.#meetLiars(device, this.#liars);
    this.#texts?.write(device, this.#at);
    if (this.#random.chance(0.5)) this.#send(device, device.write(this.#change(device)));
    if (this.#random.chance(0.15)) this.#changeLinks(device);
    this.#writeBase(device);
    // Short absences, and some in which more than one base is written.
    if (this.#random.chance(0.06)) this.#awayUntil.set(device, this.#at + this.#random.between(2, this.#random.chance(0.3) ? 120 : 15));
    if (this.#putsBack) this.#imageOrPutBack(device);
  }

  /** The owner puts an end to what liars may do, the chain shows who is the owner, and the device shows nothing that it must not. */
  #meetLiars(device: LogDevice, liars: HostileMembers): void {
    this.#learnOwner(device);
    const { dropAt, removeAt, passAt } = this.#turns;
    if (device.person === OWNER && device.log.transfers.length === 0 && !liars.isPassedOn) {
      if (this.#at >= dropAt && !liars.isDropped) this.#drop(device, liars);
      if (this.#at >= removeAt && liars.isDropped) this.#remove(device);
      if (this.#scenario.liars === "owner" && this.#at >= passAt) this.#passOn(device, liars);
    }
    const isUnaware = liars.isPassedOn && device.log.transfers.length === 0;
    if (!isUnaware) this.#holdToRights(device);
  }

  #drop(device: LogDevice, liars: HostileMembers): void {
    const entry = device.write({ op: "admins", at: this.#at, people: OTHERS.slice(0, 2).sort() });
    if (entry === undefined) return;
    liars.isDropped = true;
    this.#oracle.noteDrop(entry.hash);
    this.#send(device, entry);
  }

  #remove(device: LogDevice): void {
    const { people } = device.log.fold.group;
    const inside = [MEMBER, FORMER].filter((person) => people[person]?.status === "in").sort();
    const entry = inside.length === 0 ? undefined : device.write({ op: "remove", at: this.#at, people: inside });
    if (entry === undefined) return;
    this.#oracle.noteRemoval(entry.hash, inside);
    this.#seals.noteRemoval({ hash: entry.hash, people: inside, at: this.#at });
    this.#send(device, entry);
  }

  #passOn(device: LogDevice, liars: HostileMembers): void {
    const entry = device.write({ op: "owner", at: this.#at, people: [NEXT_OWNER] });
    if (entry === undefined) return;
    liars.isPassedOn = true;
    this.#transfer = { owner: OWNER, entry: entry.hash, chainId: "parley-test", height: 5 };
    this.#send(device, entry);
  }

  /** Sooner or later, once the device has what the chain names. */
  #learnOwner(device: LogDevice, isSure = false): void {
    const transfer = this.#transfer;
    if (transfer === undefined || !device.knows(transfer.entry) || !(isSure || this.#random.chance(0.2))) return;
    device.log = withTransfer(device.log, transfer);
  }

  #holdToRights(device: LogDevice): void {
    const { log } = device;
    const { owner, admins, name, people } = log.fold.group;
    const members = Object.entries(people).flatMap(([person, { status }]) => (status === "in" ? [person] : []));
    const { knows } = this.#knowing(device);
    const expected = log.transfers.length > 0 ? NEXT_OWNER : OWNER;
    const wrong = this.#oracle.wrong({ owner, admins, members, name: name.text }, { owner: expected, knows });
    if (wrong !== undefined) throw new Error(`A device of ${device.person.slice(0, 4)} ${wrong}`);
    this.#sealedApart += Number(this.#oracle.isRemoved(knows));
    const ofLiar = log.entries.filter(({ entry }) => entry.author === MEMBER && entry.change.op !== "base");
    const hasTooMany = ofLiar.length > MAX_AUTHOR_ENTRIES && this.#unknownToOwners(ofLiar, log).length > MAX_AUTHOR_ENTRIES;
    if (log.entries.length > MAX_LOG_ENTRIES || hasTooMany)
      throw new Error(`${log.entries.length} entries, ${ofLiar.length} of one who lies`);
  }

  #knowing(device: LogDevice): Knowing {
    const { root } = device.log;
    const pastOfRoot = root === undefined ? undefined : this.#pastOf(root.hash);
    const holds = (hash: string): boolean => device.knows(hash);
    return {
      holds,
      knows: (hash): boolean => holds(hash) || pastOfRoot?.has(hash) === true,
      pastOf: (hash): ReadonlySet<string> => this.#pastOf(hash),
      departuresOf: (person): readonly string[] =>
        device.log.entries.flatMap(({ hash, entry: { author, change } }) => (author === person && change.op === "leave" ? [hash] : [])),
    };
  }

  /** Entries that no entry of an owner knows: others are taken beyond the bound of an author. */
  #unknownToOwners(entries: readonly StoredEntry[], log: LogDevice["log"]): readonly StoredEntry[] {
    const ofOwners = log.entries.filter(({ entry: { author } }) => author === OWNER || author === NEXT_OWNER);
    const known = new Set(ofOwners.flatMap(({ hash }) => [...this.#pastOf(hash)]));
    return entries.filter(({ hash }) => !known.has(hash));
  }

  /** What an entry knows, of all that was ever written. */
  #pastOf(hash: string): ReadonlySet<string> {
    const known = this.#pasts.get(hash);
    if (known !== undefined) return known;
    const byHash = new Map([...this.#written, ...(this.#liars?.entries ?? [])].map((entry) => [entry.hash, entry]));
    const past = new Set<string>();
    const open = [...(byHash.get(hash)?.entry.prev ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (past.has(next)) continue;
      past.add(next);
      open.push(...(byHash.get(next)?.entry.prev ?? []));
    }
    this.#pasts.set(hash, past);
    return past;
  }

  /** Whatever they have hidden comes out, once all know who is the owner, and the owner has had the last word about them. */
  #endLies(liars: HostileMembers): void {
    settle(this.#devices);
    for (const device of this.#devices) this.#learnOwner(device, true);
    const [first] = this.#devices as readonly [LogDevice];
    if (this.#transfer === undefined) {
      if (!liars.isDropped) this.#drop(first, liars);
      this.#remove(first);
    }
    liars.reveal(this.#devices);
    settle(this.#devices);
    for (const device of this.#devices) this.#holdToRights(device);
  }

  #change(device: LogDevice): GroupChange {
    const at = this.#at;
    const person = this.#random.chance(0.8) ? PEOPLE[this.#random.between(4, 6)] : PEOPLE[this.#random.between(0, 6)];
    const isOfLiars = this.#liars !== undefined && (person === MEMBER || person === FORMER);
    const people = [isOfLiars ? (PEOPLE[6] ?? "") : (person ?? "")];
    const draw = this.#random.next();
    if (draw < 0.25) return { op: "name", at, name: `name ${at}` };
    if (draw < 0.3) return { op: "admins", at, people: OTHERS.slice(0, this.#random.between(1, 3)).sort() };
    // Of two departures beside each other, as of the owner's devices, the one that comes first is taken.
    if (draw < 0.33 && device.person !== OWNER) return { op: "leave", at };
    return draw < 0.65 ? { op: "add", at, people } : { op: "remove", at, people };
  }

  /** Makes a link, withdraws one, or lets someone in by it: each time someone else, as of the removed a shortened log forgets some. */
  #changeLinks(device: LogDevice): void {
    const at = this.#at;
    const [link] = device.log.fold.group.links;
    const draw = this.#random.next();
    this.#strangers += 1;
    const stranger = (STRANGERS + this.#strangers).toString(16).repeat(16);
    if (link === undefined || draw < 0.2) {
      const until = at + this.#random.between(5, 80);
      this.#send(device, device.write({ op: "invite", at, key: stranger, until, uses: this.#random.between(1, 3) }));
    } else if (draw < 0.35) {
      this.#send(device, device.write({ op: "withdraw", at, keys: [link.key] }));
    } else {
      const admit = device.write({ op: "admit", at, key: link.key, guests: [stranger] });
      if (admit === undefined) return;
      this.#written.push(admit);
      this.#send(device, device.write({ op: "add", at, people: [stranger] }, [admit.hash]));
    }
  }

  #writeBase(device: LogDevice): void {
    if (device.person !== OWNER || !this.#scenario.hasBases) return;
    const rank = this.#devices.indexOf(device);
    if (entriesSinceBase(device.log, device.log.judged).all < BASE_AFTER + rank * RANK_AFTER) return;
    this.#send(device, device.writeBase(this.#at));
  }

  /** Others get it after a while, most of them, with what was written shortly before. */
  #send(from: LogDevice, entry: StoredEntry | undefined): void {
    if (entry === undefined) return;
    this.#written.push(entry);
    const entries = from.log.entries.slice(-3);
    for (const to of this.#devices)
      if (to !== from && !this.#random.chance(0.1)) this.#mail.push({ to, entries, at: this.#at + this.#random.between(1, 6) });
  }

  /** What is missing is asked for, from anyone who is there. */
  #deliver(): void {
    const due = this.#mail.filter(({ to, at }) => at <= this.#at && !this.#isAway(to));
    this.#mail = this.#mail.filter((mail) => !due.includes(mail));
    for (const { to, entries } of due) {
      if (!to.take(entries)) continue;
      const other = this.#any();
      const root = to.log.root?.hash;
      if (other !== to && !this.#isAway(other)) to.takeAll(other);
      if (to.log.root?.hash !== root) this.#jumps += 1;
    }
  }

  #imageOrPutBack(device: LogDevice): void {
    if (this.#random.chance(0.05)) this.#images.set(device, device.log);
    const image = this.#images.get(device);
    if (image === undefined || this.#putBack > 1 || !this.#random.chance(0.03)) return;
    device.log = image;
    this.#texts?.forget(device);
    this.#putBack += 1;
  }

  #judge(): void {
    const [first, ...others] = this.#devices as readonly [LogDevice, ...LogDevice[]];
    for (const other of others) {
      const [expected, seen] = [first, other].map((device) => JSON.stringify(seenAs(device, other.person, this.#liars !== undefined)));
      if (seen !== expected) throw new Error(`Devices see ${expected} and ${seen}`);
    }
    if (this.#liars !== undefined) {
      this.#judgeRights(first);
      return;
    }
    const { isForked, items } = this.#counting();
    // What a disk that was put back has forgotten no one may know, nor what followed one of two bases alone while devices began at the other.
    if (this.#putBack > 0 || isForked) return;
    this.#compare(first, items as readonly StoredEntry[]);
  }

  /** A log that begins at its beginning says what all of its entries make, whoever wrote them. */
  #judgeRights(first: LogDevice): void {
    const { root, entries, transfers } = first.log;
    if (root === undefined && entries.length < MOST_NAIVE) this.#compare(first, entries, transfers);
  }

  #compare(first: LogDevice, items: readonly StoredEntry[], transfers: readonly OwnerTransfer[] = []): void {
    const { owner, admins, name, picture, people, links } = naiveFold(items, transfers);
    const members = Object.keys(people)
      .filter((key) => people[key] === "in")
      .sort();
    const { heads, links: known, ...rest } = first.seen as { readonly heads: unknown; readonly links: readonly BaseLink[] };
    const group = { ...rest, links: Object.fromEntries(known.map(({ key, used }) => [key, used])) };
    const expected = { owner, admins, name, picture, members, links };
    if (JSON.stringify(group) !== JSON.stringify(expected))
      throw new Error(`The log says ${JSON.stringify(group)}, and all entries ${JSON.stringify(expected)}`);
  }

  #counting(): NaiveBase {
    return naiveBase(this.#written, ({ entry }) => entry.author === OWNER);
  }

  #figures(): GroupFigures {
    return {
      entries: this.#written.length,
      bases: this.#written.filter(({ entry }) => entry.change.op === "base").length,
      jumps: this.#jumps,
      putBack: this.#putBack,
      shortened: Number(this.#devices[0]?.log.root !== undefined),
      ...this.#lateFigures(),
      sealedApart: this.#sealedApart,
      passedOn: Number(this.#transfer !== undefined),
      ...(this.#liars?.figures ?? NO_LIES),
      ...(this.#texts?.figures ?? NO_MAIL),
      guests: Object.entries(this.#devices[0]?.log.fold.group.people ?? {}).filter(
        ([key, { status }]) => status === "in" && !PEOPLE.includes(key),
      ).length,
    };
  }

  /** Only where all that counts was written by who does not lie. */
  #lateFigures(): Pick<GroupFigures, "forked" | "late"> {
    if (this.#liars !== undefined) return { forked: 0, late: 0 };
    const { isForked, items } = this.#counting();
    return { forked: Number(isForked), late: this.#written.length - items.length };
  }

  #isAway(device: LogDevice): boolean {
    return this.#at < (this.#awayUntil.get(device) ?? 0);
  }

  #any(): LogDevice {
    return this.#devices[this.#random.between(0, this.#devices.length - 1)] as LogDevice;
  }
}

/**
 * What a device shows, as far as it must be the same for a person. For one who is not in the group the heads need not: an own departure that a
 * disk which was put back wrote is taken by no one else before they are in again. Nor need they where someone lies: of two departures of theirs
 * beside each other each device has the one that came first.
 */
function seenAs({ seen }: LogDevice, person: string, isLiedTo: boolean): object {
  const { heads, ...others } = seen as { readonly heads: unknown; readonly members: readonly string[] };
  return others.members.includes(person) && !isLiedTo ? { ...others, heads } : others;
}
