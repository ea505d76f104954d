// Hostile keepers: a third of them confirms mail and keeps none of it, or vanishes at once. Boxes are sampled, places are the real ones.

import { countsReceipts, type DoubtedKeepers, doubtKeeper, NO_DOUBTS, needsOtherBox } from "#node/relay/keepers/doubts/doubted-keepers.ts";
import { KEEPER_LIMITS } from "#node/relay/keepers/keeper-limits.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import { periodOf, rankKeepers, slotOf } from "#shared/protocol/keepers/placement.ts";
import { createRandom, type Random } from "#test/support/host/random.ts";
import { boxKey, hashText, simulatedKeeper, weightOf } from "./simulated-relays.ts";
import { MEAN_WAIT_HOURS } from "./waiting-mail.ts";

/** A network with hostile keepers. */
export interface HostileChoice {
  readonly seed: number;
  readonly relays: number;
  /** Part of all weight that is hostile. */
  readonly part: number;
}

/** Parts of the mail, from 0 to 1. */
export interface DroppedMail {
  readonly lost: number;
  /** Lost at a first box and at a second one of the same person, to which it was sent again. */
  readonly resentLost: number;
}

/** What owners see who choose their boxes by testing keepers. */
export interface ChosenMail extends DroppedMail {
  /** Keys that were drawn for a box, on average. */
  readonly keys: number;
}

const MONTH_DAYS = 30;
const START_DAY = 20_000;
const HOURS_A_DAY = 24;
const DAY_MS = 86_400_000;
/** Keepers that an owner tests a box with at the beginning, ms. */
const TESTED_AT_MS = 0;

/** Keepers of a seed, and which are hostile. */
export class HostileNetwork {
  readonly #keepers: readonly Keeper[];
  readonly #hostile: ReadonlySet<string>;
  readonly #seed: number;
  readonly #known = new Map<string, readonly Keeper[]>();

  constructor({ seed, relays, part }: HostileChoice) {
    const random = createRandom(seed);
    this.#seed = seed;
    this.#keepers = Array.from({ length: relays }, (_, n) => simulatedKeeper(`${seed} ${n}`, random));
    this.#hostile = hostileKeys(this.#keepers, part, random);
  }

  isHostile({ key }: Pick<Keeper, "key">): boolean {
    return this.#hostile.has(key);
  }

  /** The first keepers of a box on a day. */
  keepersOf(box: string, day: number, count: number): readonly Keeper[] {
    const slot = slotOf(box, nativeSha256);
    const start = periodOf(slot, day);
    const name = `${slot} ${start}`;
    const known = this.#known.get(name) ?? this.#rank(slot, start);
    this.#known.set(name, known);
    return known.slice(0, count);
  }

  #rank(slot: number, start: number): readonly Keeper[] {
    const seed = hashText(`${this.#seed} seed ${start}`);
    const { keeping, standingIn } = rankKeepers(this.#keepers, { slot, seed }, { hash: nativeSha256, rules: KEEPER_RULES });
    return [...keeping, ...standingIn];
  }
}

/** Mail that is confirmed and dropped, with so many keepers a box. */
export function simulateDropping(network: HostileNetwork, boxes: number, keeping: number): DroppedMail {
  const isLost = (n: number): boolean => network.keepersOf(boxKey(n), START_DAY, keeping).every((keeper) => network.isHostile(keeper));
  const lost = Array.from({ length: boxes }, (_, n) => isLost(n));
  // The second box of a person is the next one.
  return { lost: share(lost), resentLost: share(lost.map((first, n) => first && lost[(n + 1) % boxes] === true)) };
}

/**
 * The same where owners test the keepers of a box before they use it, and each day: a hostile one lists nothing of what it has confirmed.
 * Mail of a day is lost when all three were hostile on it, before the next test.
 */
export function simulateChosenKeys(network: HostileNetwork, boxes: number): ChosenMail {
  let drawn = 0;
  const lostDays: boolean[][] = [];
  for (let n = 0; n < boxes; n += 1) {
    const owner = new TestingOwner(network, n);
    lostDays.push(Array.from({ length: MONTH_DAYS }, (_, day) => owner.passDay(START_DAY + day)));
    drawn += owner.drawn;
  }
  const all = lostDays.flat();
  const again = lostDays.flatMap((days, n) => days.map((isLost, day) => isLost && lostDays[(n + 1) % boxes]?.[day] === true));
  return { lost: share(all), resentLost: share(again), keys: drawn / boxes };
}

class TestingOwner {
  drawn = 0;
  #box = "";
  readonly #network: HostileNetwork;
  readonly #number: number;
  #doubts: DoubtedKeepers = NO_DOUBTS;

  constructor(network: HostileNetwork, number: number) {
    this.#network = network;
    this.#number = number;
  }

  /** A day with the box of the day before; true when its mail is lost. The day ends with a test, and another box where that says so. */
  passDay(day: number): boolean {
    if (this.#box === "") this.#choose(day);
    const keepers = this.#network.keepersOf(this.#box, day, KEEPER_RULES.keeping);
    const isLost = keepers.every((keeper) => this.#network.isHostile(keeper));
    if (!this.#isGood(day)) this.#choose(day);
    return isLost;
  }

  #choose(day: number): void {
    do {
      this.#box = hashText(`box ${this.#number} try ${this.drawn}`);
      this.drawn += 1;
    } while (!this.#isGood(day));
  }

  /** Hands an envelope to the keepers, and looks which of them list it. */
  #isGood(day: number): boolean {
    const keepers = this.#network.keepersOf(this.#box, day, KEEPER_RULES.keeping);
    for (const keeper of keepers) {
      if (!this.#network.isHostile(keeper) || !countsReceipts(this.#doubts, keeper.key, TESTED_AT_MS, KEEPER_LIMITS)) continue;
      this.#doubts = doubtKeeper(this.#doubts, { keeper: keeper.key }, TESTED_AT_MS, KEEPER_LIMITS);
    }
    const keys = keepers.map(({ key }) => key);
    return !needsOtherBox(this.#doubts, keys, TESTED_AT_MS, KEEPER_LIMITS);
  }
}

/**
 * The same where senders' nodes check a receipt of each keeper a day, as nodes do, and no one tests or chooses boxes. A node writes to so many
 * boxes each day. Mail goes to the first ranks whose receipts count, stand-ins among them, and to those that are doubted as well. Each day ends
 * with the checks: where an honest keeper has the mail, its lack is certain, else it is one finding of a day.
 */
export function simulateChecked(network: HostileNetwork, boxes: number, boxesOfNode: number): DroppedMail {
  const lostDays: boolean[][] = [];
  for (let first = 0; first < boxes; first += boxesOfNode) {
    const node = new CheckingNode(
      network,
      Array.from({ length: Math.min(boxesOfNode, boxes - first) }, (_, n) => boxKey(first + n)),
      createRandom(first + 1),
    );
    const days = Array.from({ length: MONTH_DAYS }, (_, day) => node.passDay(START_DAY + day, day * DAY_MS));
    for (const at of days[0]?.keys() ?? []) lostDays.push(days.map((ofDay) => ofDay[at] === true));
  }
  const all = lostDays.flat();
  // What was not acknowledged is sent again, the day after into the same box.
  const again = lostDays.flatMap((days) => days.map((isLost, day) => isLost && days.slice(day + 1).every(Boolean)));
  return { lost: share(all), resentLost: share(again) };
}

class CheckingNode {
  readonly #network: HostileNetwork;
  readonly #boxes: readonly string[];
  readonly #random: Random;
  #doubts: DoubtedKeepers = NO_DOUBTS;

  constructor(network: HostileNetwork, boxes: readonly string[], random: Random) {
    this.#network = network;
    this.#boxes = boxes;
    this.#random = random;
  }

  /** Which boxes lose the mail of a day. */
  passDay(day: number, nowMs: number): readonly boolean[] {
    const given = this.#boxes.map((box) => this.#givenTo(box, day, nowMs));
    const isLost = given.map((keepers) => keepers.every((keeper) => this.#network.isHostile(keeper)));
    const lacking = new Map<string, boolean[]>();
    for (const [at, keepers] of given.entries())
      for (const keeper of keepers)
        if (this.#network.isHostile(keeper)) lacking.set(keeper.key, [...(lacking.get(keeper.key) ?? []), isLost[at] !== true]);
    for (const [keeper, certainty] of lacking) {
      const isCertain = certainty[this.#random.between(0, certainty.length - 1)] === true;
      this.#doubts = doubtKeeper(this.#doubts, { keeper, isCertain }, nowMs, KEEPER_LIMITS);
    }
    return isLost;
  }

  #givenTo(box: string, day: number, nowMs: number): readonly Keeper[] {
    const { keeping, standingIn } = KEEPER_RULES;
    const ranks = this.#network.keepersOf(box, day, keeping + standingIn);
    const counted = ranks.filter(({ key }) => countsReceipts(this.#doubts, key, nowMs, KEEPER_LIMITS));
    return [...new Set([...counted.slice(0, keeping), ...ranks.slice(0, keeping)])];
  }
}

/** All hostile keepers vanish at once, with their disks: the part of what waits that is lost, and the same of a month's mail. */
export function simulateVanishing(network: HostileNetwork, boxes: number): { readonly ofWaiting: number; readonly ofMonth: number } {
  const { lost } = simulateDropping(network, boxes, KEEPER_RULES.keeping);
  return { ofWaiting: lost, ofMonth: (lost * MEAN_WAIT_HOURS) / (MONTH_DAYS * HOURS_A_DAY) };
}

function hostileKeys(keepers: readonly Keeper[], part: number, random: Random): ReadonlySet<string> {
  const most = part * weightOf(keepers);
  const shuffled = keepers.map((keeper) => ({ keeper, at: random.next() })).sort((a, b) => a.at - b.at);
  const hostile = new Set<string>();
  let weight = 0;
  for (const { keeper } of shuffled) {
    if (weight + keeper.weight > most) continue;
    weight += keeper.weight;
    hostile.add(keeper.key);
  }
  return hostile;
}

function share(flags: readonly boolean[]): number {
  return flags.filter(Boolean).length / flags.length;
}
