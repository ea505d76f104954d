// A group of people, of whom the owner has two devices: they change it, let strangers in by links, are away for long, lose mail, are put back,
// and the owner's devices replace by bases what was before. In the end all devices have the same group, the one that all entries make.
import type { BaseLink } from "#shared/protocol/groups/base-state.ts";
import type { StoredEntry } from "#shared/protocol/groups/group-log.ts";
import { entriesSinceBase } from "#shared/protocol/groups/log-base.ts";
import type { GroupChange } from "#shared/protocol/groups/log-entry.ts";
import { createItem, PEOPLE } from "#test/support/groups/group-history.ts";
import { LogDevice, settle } from "#test/support/groups/log-device.ts";
import { type NaiveBase, naiveBase } from "#test/support/groups/naive-base.ts";
import { naiveFold } from "#test/support/groups/naive-fold.ts";
import { createRandom, type Random } from "#test/support/host/random.ts";

const [OWNER = "", ...OTHERS] = PEOPLE;
const STEPS = 160;
/** Entries after which the owner's first device writes a base, and how many more the second one waits for. */
const BASE_AFTER = 10;
const RANK_AFTER = 3;
/** Strangers are numbered from here; 16 times the four digits are their key. */
const STRANGERS = 0x1000;

/** Figures of runs. */
export interface GroupFigures {
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
}

interface Mail {
  readonly to: LogDevice;
  readonly entries: readonly StoredEntry[];
  readonly at: number;
}

/** Runs the schedule of a seed. @throws Error that says what does not hold. */
export function simulateGroup(seed: number): GroupFigures {
  return new GroupWorld(seed).run();
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

  constructor(seed: number) {
    this.#random = createRandom(seed);
    this.#putsBack = seed % 3 === 0;
    const create = createItem(seed);
    this.#devices = [OWNER, OWNER, ...OTHERS.slice(0, 3)].map((person) => new LogDevice(person, create));
    this.#written.push(...(this.#devices[0]?.log.entries ?? []));
    const [first] = this.#devices as readonly [LogDevice];
    this.#send(first, first.write({ op: "admins", at: this.#at, people: OTHERS.slice(0, 2).sort() }));
  }

  run(): GroupFigures {
    for (; this.#at < STEPS; this.#at += 1) {
      this.#deliver();
      const device = this.#any();
      if (this.#isAway(device)) continue;
      if (this.#random.chance(0.5)) this.#send(device, device.write(this.#change(device)));
      if (this.#random.chance(0.15)) this.#changeLinks(device);
      this.#writeBase(device);
      // Short absences, and some in which more than one base is written.
      if (this.#random.chance(0.06)) this.#awayUntil.set(device, this.#at + this.#random.between(2, this.#random.chance(0.3) ? 120 : 15));
      if (this.#putsBack) this.#imageOrPutBack(device);
    }
    settle(this.#devices);
    this.#judge();
    return this.#figures();
  }

  #change(device: LogDevice): GroupChange {
    const at = this.#at;
    const person = this.#random.chance(0.8) ? PEOPLE[this.#random.between(4, 6)] : PEOPLE[this.#random.between(0, 6)];
    const people = [person ?? ""];
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
    if (device.person !== OWNER) return;
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
    this.#putBack += 1;
  }

  #judge(): void {
    const [first, ...others] = this.#devices as readonly [LogDevice, ...LogDevice[]];
    for (const other of others) {
      const [expected, seen] = [first, other].map((device) => JSON.stringify(seenAs(device, other.person)));
      if (seen !== expected) throw new Error(`Devices see ${expected} and ${seen}`);
    }
    const { isForked, items } = this.#counting();
    // What a disk that was put back has forgotten no one may know, nor what followed one of two bases alone while devices began at the other.
    if (this.#putBack > 0 || isForked) return;
    const { owner, admins, name, picture, people, links } = naiveFold(items as readonly StoredEntry[]);
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
      forked: Number(this.#counting().isForked),
      late: this.#written.length - this.#counting().items.length,
      guests: Object.entries(this.#devices[0]?.log.fold.group.people ?? {}).filter(
        ([key, { status }]) => status === "in" && !PEOPLE.includes(key),
      ).length,
    };
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
 * disk which was put back wrote is taken by no one else before they are in again.
 */
function seenAs({ seen }: LogDevice, person: string): object {
  const { heads, ...others } = seen as { readonly heads: unknown; readonly members: readonly string[] };
  return others.members.includes(person) ? { ...others, heads } : others;
}
