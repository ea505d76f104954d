// Two people with two devices each, for months: mail is lost, doubled and delayed, devices are away, clocks jump, disks are put back. In some
// schedules the relay wishes ill, devices are linked and unlinked while others see older lists, or have two windows on one vault. In the end
// every device has every text once, and at every step a thief finds the secrets that the rules leave, no more and no less.
import { createRandom, type Random, randomHex } from "#test/support/host/random.ts";
import { Windows } from "./device/second-window.ts";
import { personOf } from "./device/simulated-boxes.ts";
import { SimulatedDevice } from "./device/simulated-device.ts";
import { ChainTimes, PROMPT_CHAIN } from "./network/chain-times.ts";
import { DeviceLists } from "./network/device-lists.ts";
import { type HostileFigures, HostileRelay } from "./network/hostile-relay.ts";
import { MailNetwork } from "./network/mail-network.ts";
import { tooLargeIn } from "./oracles/bounds-oracle.ts";
import { type Forgotten, isCopyHeard, judgeEnd, type Written } from "./oracles/judge-end.ts";
import { HostileContact } from "./people/hostile-contact.ts";
import { judgeLiars, type SentForLiar, wronglySent } from "./people/judge-liars.ts";
import { KeyThief } from "./people/key-thief.ts";
import { isLiar, LIARS, Relations } from "./people/liars.ts";
import { type FloodFigures, StrangerFlood } from "./people/stranger-flood.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.UTC(2026, 0, 1);
const CALM_DAYS = 45;
const CALM_TICK_MS = 3 * HOUR_MS;
const NO_FLOOD: FloodFigures = { flooded: 0, claimed: 0, fullDays: 0 };
const NO_FIGURES: HostileFigures = { replayed: 0, withheld: 0, misdelivered: 0, changed: 0, reordered: 0 };
/** Seeds, modulo 8: half of those with each of the other dangers. */
const LATE_CHAINS: ReadonlySet<number> = new Set([0, 3, 5, 6]);
/** Seeds, modulo 8: with none of the other dangers of even seeds, and with all of them. */
const LIED_TO: ReadonlySet<number> = new Set([1, 6]);
/** Seeds, modulo 16: with late lists, and with no other danger. */
const FLOODED: ReadonlySet<number> = new Set([2, 7]);
const NAMES = ["ann-1", "ann-2", "bob-1", "bob-2"] as const;

const PEOPLE = [...new Set(NAMES.map(personOf))];

/** What happens in a run. */
export interface MessageScenario {
  readonly seed: number;
  readonly days: number;
  /** Disks may be put back. */
  readonly putsBack: boolean;
  /** A device may be copied, and its copy writes for some days. */
  readonly copies: boolean;
  /** The relay wishes ill. */
  readonly isHostile: boolean;
  /**
   * Devices are linked and unlinked, and with `late` some learn of it days later. `lossy`: they drop the mail of devices that they do not find in
   * lists, as they must not.
   */
  readonly lists: "prompt" | "late" | "lossy";
  /** Devices have two windows on one vault. `unchecked`: it takes what either writes, as it must not. */
  readonly windows: "none" | "two" | "unchecked";
  /** Devices learn late of blocks, or for days of none. */
  readonly isChainLate: boolean;
  /** A contact and a stranger write by programs that lie. `trusted`: devices take the stranger for a contact, as they must not. */
  readonly liars: "none" | "some" | "trusted";
  /** Strangers without number write. `welcome`: devices take them for people whom they know, as they must not. */
  readonly floods: "none" | "some" | "welcome";
}

/** Figures of a run. */
export interface MessageResult extends HostileFigures, FloodFigures {
  readonly texts: number;
  readonly envelopes: number;
  readonly lost: number;
  readonly doubled: number;
  readonly putBack: number;
  readonly instances: number;
  /** Copies of devices of which a text came to another device. */
  readonly copies: number;
  readonly clockJumps: number;
  /** Envelopes that came into boxes, and those that boxes refused. */
  readonly inBoxes: number;
  readonly refused: number;
  /** Envelopes under public cards that were opened, and that were not, as the secret was gone or on another disk. */
  readonly publicOpened: number;
  readonly publicClosed: number;
  /** Public cards that were given though their time was over. */
  readonly outdated: number;
  /** Schedules with a device that was linked and one that was unlinked. */
  readonly linked: number;
  /** Mail that waited on a disk as its author was not listed, looks at mail that had no room there, and mail that had waited in vain. */
  readonly aside: number;
  readonly full: number;
  readonly unlisted: number;
  /** Writes of windows that were refused, and windows that went on from what another one wrote. */
  readonly refusedWrites: number;
  readonly nextWindows: number;
  /** Looks at a time of the chain that was late by an hour at least, or was not known. */
  readonly lateBlocks: number;
  /** What those who lie sent, with what was no content, what they got, and how often a device took itself for set back by them. */
  readonly lies: number;
  readonly unreadable: number;
  readonly toLiars: number;
  readonly renewedByLies: number;
  /** What a thief of lasting keys wrote in version 1 as others, and was taken or not. */
  readonly forgedTaken: number;
  readonly forgedRefused: number;
  /** Hours since a text was read that a thief of a running device can still open, at random moments. */
  readonly openableHours: readonly number[];
}

/** The scenario of a seed. */
export function messageScenario(seed: number): MessageScenario {
  const half = seed / 2;
  return {
    ...{ seed, days: 20 + ((seed * 37) % 60), putsBack: seed % 3 === 0, copies: seed % 5 === 4 },
    isHostile: seed % 2 === 0,
    lists: half % 2 === 1 ? "late" : "prompt",
    windows: half % 4 >= 2 && Number.isInteger(half) ? "two" : "none",
    isChainLate: LATE_CHAINS.has(seed % 8),
    liars: LIED_TO.has(seed % 8) ? "some" : "none",
    floods: FLOODED.has(seed % 16) ? "some" : "none",
  };
}

/** Runs a scenario. @throws Error that says what does not hold. */
export function simulateMessages(scenario: MessageScenario): MessageResult {
  return new MessageWorld(scenario).run();
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

class MessageWorld {
  readonly #scenario: MessageScenario;
  readonly #random: Random;
  readonly #network: MailNetwork;
  readonly #devices: readonly SimulatedDevice[];
  readonly #written: Written[] = [];
  readonly #deleted: Written[] = [];
  readonly #awayUntil = new Map<string, number>();
  readonly #images = new Map<string, { readonly atMs: number; readonly image: SimulatedDevice["image"] }>();
  /** What a device wrote within these times it does not know any more. */
  readonly #forgotten: Forgotten[] = [];
  readonly #openableHours: number[] = [];
  #nowMs = START_MS;
  #isTakenOver = false;
  /** Texts that the linked device got with the history. */
  readonly #takenOver = new Set<string>();
  #jumps = 0;
  #copies = 0;
  readonly #textsOfCopy = new Set<string>();
  readonly #hostile: HostileRelay | undefined;
  readonly #lists: DeviceLists | undefined;
  readonly #windows: Windows | undefined;
  readonly #relations: Relations | undefined;
  readonly #liars: readonly HostileContact[];
  readonly #chains: ChainTimes | undefined;
  readonly #flood: StrangerFlood | undefined;
  readonly #keyThief: KeyThief | undefined;
  /** Texts that disappear. */
  readonly #passing: string[] = [];
  /** Envelopes that were looked at already. */
  #seen = 0;
  readonly #toLiars: SentForLiar[] = [];
  #copy: { readonly device: SimulatedDevice; readonly untilMs: number } | undefined;

  constructor(scenario: MessageScenario) {
    this.#scenario = scenario;
    this.#random = createRandom(scenario.seed);
    const { seed, days, isHostile, lists, windows, isChainLate, liars, floods } = scenario;
    this.#chains = isChainLate ? new ChainTimes(seed) : undefined;
    this.#hostile = isHostile ? new HostileRelay(seed) : undefined;
    const listed = { startMs: START_MS, days, devices: NAMES, keepsMail: lists === "late" };
    this.#lists = lists === "prompt" ? undefined : new DeviceLists(seed, listed);
    const faults = { loss: 0.05, doubling: 0.08, delayMs: this.#random.chance(0.5) ? MINUTE_MS : 8 * HOUR_MS };
    this.#network = new MailNetwork(this.#random, faults, this.#hostile);
    this.#windows = windows === "none" ? undefined : new Windows(seed, this.#network, windows === "two");
    const isLiedTo = liars !== "none";
    this.#relations = isLiedTo ? new Relations(seed, { people: PEOPLE, startMs: START_MS, days }) : undefined;
    this.#liars = isLiedTo ? LIARS.map((name) => new HostileContact(name, seed, this.#network)) : [];
    this.#keyThief = isLiedTo ? new KeyThief(seed, this.#network, NAMES) : undefined;
    this.#flood = floods === "none" ? undefined : new StrangerFlood(seed, this.#network, { victims: NAMES, startMs: START_MS, days });
    const world = {
      random: this.#random,
      network: this.#network,
      lists: this.#lists,
      relations: liars === "trusted" ? undefined : this.#relations,
      welcomes: floods === "welcome",
    };
    const everyone = [...NAMES, ...(isLiedTo ? LIARS : [])];
    this.#devices = NAMES.map(
      (name) =>
        new SimulatedDevice(
          name,
          everyone.filter((other) => other !== name),
          { ...world, chain: this.#chains?.another() ?? PROMPT_CHAIN },
        ),
    );
  }

  run(): MessageResult {
    const endMs = START_MS + this.#scenario.days * DAY_MS;
    while (this.#nowMs < endMs) {
      this.#nowMs += this.#tickMs();
      this.#act();
      if (this.#liars.length > 0) this.#lie();
      this.#keyThief?.step(this.#nowMs);
      this.#flood?.step(this.#nowMs);
      this.#stepAll();
      if (this.#random.chance(0.01)) this.#steal();
    }
    this.#calm();
    this.#judge();
    const { recorded, lost, doubled, inBoxes, refused, publicOpened, publicClosed, publicCards } = this.#network;
    const instances = this.#devices.reduce((sum, { setBack }) => sum + setBack, 0);
    const lies = sum(this.#liars.map(({ figures }) => figures.lies));
    const ofLiars = this.#liars.length === 0 ? 0 : recorded.filter(({ from, to }) => isLiar(from) || isLiar(to)).length;
    const counts = {
      texts: this.#written.length,
      envelopes: recorded.length - ofLiars,
      lost,
      doubled,
      putBack: this.#forgotten.length - this.#copies,
      instances,
      copies: Number(this.#isCopyHeard),
      inBoxes,
      refused,
      publicOpened,
      publicClosed,
      ...(this.#hostile?.figures ?? NO_FIGURES),
      ...(this.#flood?.figures ?? NO_FLOOD),
      outdated: publicCards.outdated,
      linked: Number(this.#lists !== undefined),
      aside: this.#lists?.aside ?? 0,
      full: this.#lists?.full ?? 0,
      unlisted: this.#lists?.dropped ?? 0,
      refusedWrites: this.#windows?.refused.size ?? 0,
      nextWindows: this.#windows?.next ?? 0,
      lateBlocks: this.#chains?.late ?? 0,
      forgedTaken: sum(this.#devices.map(({ forged }) => forged.taken)),
      forgedRefused: sum(this.#devices.map(({ forged }) => forged.refused)),
      lies,
      unreadable: sum(this.#liars.map(({ figures }) => figures.unreadable)),
      toLiars: this.#toLiars.length,
      renewedByLies: sum(this.#devices.flatMap(({ renewedFor }) => [...renewedFor.values()].map(({ length }) => length))),
    };
    return { ...counts, clockJumps: this.#jumps, openableHours: this.#openableHours };
  }

  #tickMs(): number {
    const draw = this.#random.next();
    if (draw < 0.7) return this.#random.between(1, 30) * MINUTE_MS;
    return this.#random.between(1, draw < 0.95 ? 6 : 24) * HOUR_MS;
  }

  #act(): void {
    const device = this.#any();
    if (this.#lists?.isThere(device.name, this.#nowMs) === false) return;
    if (device.isOnline && this.#random.chance(0.15)) this.#write(device);
    if (device.isOnline && this.#random.chance(0.02)) this.#delete(device);
    if (this.#random.chance(0.01)) this.#awayUntil.set(device.name, this.#nowMs + this.#absenceMs());
    if (this.#random.chance(0.003)) this.#jump(device);
    else if (this.#random.chance(0.01)) device.skewMs = 0;
    if (this.#scenario.putsBack) this.#putBack(device);
    if (this.#scenario.copies) this.#copyDevice(device);
    if (this.#random.chance(0.003)) this.#network.forgetBoxes();
    if (device.isOnline && this.#random.chance(0.003)) this.#closeBoxes(device);
    if (device.isOnline) this.#windows?.act(device, this.#nowMs);
  }

  /** Those who lie do, and now and then someone writes to them. They know the ids of all messages. */
  #lie(): void {
    const ids = this.#written.slice(-20).map(({ id }) => id);
    for (const liar of this.#liars) liar.step(NAMES, ids, this.#nowMs);
    const device = this.#any();
    const liar = this.#liars[this.#random.between(0, this.#liars.length - 1)];
    if (!device.isOnline || liar === undefined || !this.#random.chance(0.05)) return;
    if (this.#relations?.of(device.name, liar.name, this.#nowMs) !== "known" || this.#lists?.isThere(device.name, this.#nowMs) === false)
      return;
    const id = this.#id();
    device.write({ text: id }, id, this.#nowMs, liar.name);
  }

  /** A person blocks the other one, and lifts that again. */
  #closeBoxes(device: SimulatedDevice): void {
    const [other] = device.peers.map(personOf).filter((person) => person !== personOf(device.name));
    if (other !== undefined) device.closeBoxes(other);
  }

  /** A thief runs a copy of a device beside it, and writes in its name. */
  #copyDevice(device: SimulatedDevice): void {
    const copy = this.#copy;
    if (copy === undefined) {
      // One that had not begun with everyone is another instance than its copy there: that reads as a store that was emptied.
      if (this.#copies > 0 || this.#written.length < 5 || !device.hasBegun || !this.#random.chance(0.02)) return;
      const box = `${device.name} copied`;
      const world = { random: this.#random, network: this.#network, relations: this.#relations, box };
      const taken = new SimulatedDevice(device.name, device.peers, world);
      taken.restore(device.image);
      this.#network.mirrors.set(device.name, box);
      this.#copy = { device: taken, untilMs: this.#nowMs + this.#random.between(2, 20) * DAY_MS };
      this.#copies += 1;
      this.#forgotten.push({ device: device.name, fromMs: this.#nowMs, toMs: this.#copy.untilMs });
    } else if (this.#nowMs < copy.untilMs) {
      const id = this.#id();
      if (this.#random.chance(0.1)) {
        this.#textsOfCopy.add(id);
        copy.device.write({ text: id }, id, this.#nowMs);
      }
      copy.device.step(this.#nowMs);
    } else this.#network.mirrors.clear();
  }

  #write(device: SimulatedDevice): void {
    const id = this.#id();
    const disappears = this.#random.chance(0.2);
    if (disappears) this.#passing.push(id);
    else this.#written.push({ id, author: device.name, atMs: this.#nowMs, unlisted: this.#unlistedFor(device) });
    device.write({ text: id, ...(disappears && { disappears }) }, id, this.#nowMs);
  }

  #delete(device: SimulatedDevice): void {
    const own = this.#written.filter(({ id, author }) => author === device.name && device.texts.has(id));
    const text = own[this.#random.between(0, own.length - 1)];
    if (text === undefined) return;
    this.#deleted.push({ ...text, atMs: this.#nowMs, unlisted: this.#unlistedFor(device) });
    device.write({ deletes: text.id }, this.#id(), this.#nowMs);
  }

  /** Devices that another one does not find in lists. */
  #unlistedFor({ name }: SimulatedDevice): readonly string[] {
    const { lists } = { lists: this.#lists };
    return lists === undefined ? [] : NAMES.filter((other) => other !== name && !lists.lists(name, other, this.#nowMs));
  }

  #absenceMs(): number {
    const draw = this.#random.next();
    if (draw < 0.8) return this.#random.between(1, 48) * HOUR_MS;
    return this.#random.between(draw < 0.95 ? 5 : 30, draw < 0.95 ? 20 : 75) * DAY_MS;
  }

  #jump(device: SimulatedDevice): void {
    const spans = [HOUR_MS, DAY_MS, 3_652 * DAY_MS];
    device.skewMs = (this.#random.chance(0.5) ? 1 : -1) * (spans[this.#random.between(0, 2)] ?? 0);
    this.#jumps += 1;
  }

  #putBack(device: SimulatedDevice): void {
    if (this.#random.chance(0.005)) this.#images.set(device.name, { atMs: this.#nowMs, image: device.image });
    const kept = this.#images.get(device.name);
    if (kept === undefined || this.#forgotten.length >= 2 || !this.#random.chance(0.005)) return;
    device.restore(kept.image);
    this.#forgotten.push({ device: device.name, fromMs: kept.atMs, toMs: this.#nowMs });
    this.#images.delete(device.name);
  }

  #stepAll(): void {
    for (const device of this.#devices) {
      device.isOnline = this.#nowMs >= (this.#awayUntil.get(device.name) ?? 0) && this.#isLinked(device);
      if (!device.isOnline) continue;
      device.step(this.#nowMs);
      this.#windows?.noteWrite(device);
      this.#holdToRules(device);
    }
  }

  /** A device that is linked now gets what another one of its person has. */
  #isLinked(device: SimulatedDevice): boolean {
    if (this.#lists?.isThere(device.name, this.#nowMs) === false) return false;
    if (device.name !== this.#lists?.linked.device || this.#isTakenOver) return true;
    const [first] = this.#devices;
    if (first !== undefined) device.takeOver(first);
    for (const id of first?.texts.keys() ?? []) this.#takenOver.add(id);
    this.#isTakenOver = true;
    return true;
  }

  /** A thief of this device finds exactly what the rules leave, and what waited for lists is there. */
  #holdToRules(device: SimulatedDevice): void {
    const wrong = device.wrongAt(this.#nowMs);
    if (wrong !== undefined) throw new Error(`${device.name} ${wrong}`);
    for (const { name } of this.#liars) {
      const pair = device.pairWith(name);
      const large = pair && tooLargeIn(pair.state);
      if (large !== undefined) throw new Error(`${device.name} ${large}, for ${name}`);
    }
    if (this.#relations === undefined) return;
    const { recorded } = this.#network;
    for (; this.#seen < recorded.length; this.#seen += 1) {
      const envelope = recorded[this.#seen];
      if (envelope === undefined || !isLiar(envelope.to) || isLiar(envelope.from)) continue;
      const wronglyFor = wronglySent(envelope, this.#relations, this.#nowMs);
      if (wronglyFor !== undefined) throw new Error(wronglyFor);
      const { from, to, content } = envelope;
      this.#toLiars.push({ from, to, instance: content.stream.instance, place: content.place, atMs: this.#nowMs });
    }
  }

  /** A thief takes a running device along: how old are the texts that it opens of all that was recorded? */
  #steal(): void {
    const device = this.#any();
    // Nothing comes any more to a device that was unlinked, so what came last stays open on it.
    const isGone = this.#lists?.isGoneForGood(device.name, this.#lists.unlinked.device, this.#nowMs) === true;
    if (!device.isOnline || device.skewMs !== 0 || (isGone && device.name === this.#lists?.unlinked.device)) return;
    const keys = new Set(device.keys);
    for (const { to, key, body } of this.#network.recorded) {
      const read = to === device.name && body.text !== undefined && keys.has(key) ? device.texts.get(body.text) : undefined;
      if (read !== undefined) this.#openableHours.push((this.#nowMs - read.readWorldMs) / HOUR_MS);
    }
  }

  /** Everyone is there, no mail is lost and no clock is wrong. */
  #calm(): void {
    this.#awayUntil.clear();
    this.#network.mirrors.clear();
    this.#network.publicCards.isHonest = true;
    if (this.#hostile !== undefined) this.#hostile.isActive = false;
    for (const liar of this.#liars) liar.isActive = false;
    if (this.#lists !== undefined) this.#lists.isHonest = true;
    if (this.#chains !== undefined) this.#chains.isHonest = true;
    this.#network.faults = { loss: 0, doubling: 0, delayMs: MINUTE_MS };
    for (const device of this.#devices) device.skewMs = 0;
    const endMs = this.#nowMs + CALM_DAYS * DAY_MS;
    while (this.#nowMs < endMs) {
      this.#nowMs += CALM_TICK_MS;
      this.#stepAll();
    }
  }

  #judge(): void {
    judgeEnd({
      ...{ devices: this.#devices, written: this.#written, deleted: this.#deleted, passing: this.#passing, forgotten: this.#forgotten },
      ...{ textsOfCopy: this.#textsOfCopy, lists: this.#lists, takenOver: this.#takenOver },
      never: new Set([...(this.#hostile?.forged ?? []), ...(this.#windows?.refused ?? [])]),
    });
    const { neverOpened } = this.#network;
    if (this.#flood !== undefined && neverOpened !== undefined)
      throw new Error(`Someone writes to a box of ${neverOpened} that was never open`);
    if (this.#relations === undefined) return;
    judgeLiars({
      ...{ devices: this.#devices, liars: this.#liars, sent: this.#toLiars, relations: this.#relations },
      ...{
        days: this.#scenario.days + CALM_DAYS,
        jumps: 2 * this.#jumps + 2 * this.#forgotten.length + (this.#chains === undefined ? 0 : this.#scenario.days),
      },
      forgetful: new Set(this.#forgotten.map(({ device }) => device)),
      repeated: this.#network.doubled + (this.#hostile?.figures.replayed ?? 0),
    });
  }

  get #isCopyHeard(): boolean {
    return isCopyHeard(this.#devices, this.#textsOfCopy);
  }

  #any(): SimulatedDevice {
    const device = this.#devices[this.#random.between(0, this.#devices.length - 1)];
    if (device === undefined) throw new Error("no devices");
    return device;
  }

  #id(): string {
    return randomHex(this.#random, 16);
  }
}
