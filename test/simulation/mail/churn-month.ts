// A month of mail at relays that fail, come back or are gone, hour by hour: directory, ranks and deliveries are the real ones. Slots are
// sampled, each with all its boxes; the relays are all there.
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { findSeed } from "#shared/protocol/keepers/daily-seeds.ts";
import { type Directory, type Keeper, nextDirectory } from "#shared/protocol/keepers/directory.ts";
import { KEEPER_RULES, type KeeperRules } from "#shared/protocol/keepers/keeper-rules.ts";
import type { BondedRelay } from "#shared/protocol/keepers/keeper-standing.ts";
import { periodOf, slotOf } from "#shared/protocol/keepers/placement.ts";
import { createRandom, type Random } from "#test/support/host/random.ts";
import { assertIndependent, assertPresent } from "./mail-invariants.ts";
import { boxKey, hashText, simulatedRelay, VALIDATOR_BOND_UT } from "./simulated-relays.ts";
import { type SlotFigures, SlotMail } from "./slot-mail.ts";
import { SlotOrder } from "./slot-order.ts";
import { PERSON_BYTES_AN_HOUR } from "./waiting-mail.ts";

/** What a month is made of. */
export interface MonthChoice {
  readonly seed: number;
  readonly relays: number;
  readonly people: number;
  /** Every so many-th slot is simulated. */
  readonly slotStep: number;
  readonly days: number;
  /** Relays that fail a day, and how many of these for good. */
  readonly failing: number;
  readonly forGood: number;
  /** Time after which a silent keeper is out and the next rank copies, hours. */
  readonly graceHours: number;
}

/** What a month came to. Bytes are those of the whole network, as far as the sample says. */
export interface MonthResult extends SlotFigures {
  readonly slots: number;
  readonly boxes: number;
  readonly heldBytes: number;
  /** Keepers of the directory, and relays that were there, on average. */
  readonly keepers: number;
  readonly live: number;
}

interface SimulatedRelay {
  facts: BondedRelay;
  /** Hour at which it is back; never for one that is gone. */
  backAt: number;
}

/** Outages that are not for good last 12 minutes to 48 hours, evenly by their logarithm. */
const SHORTEST_HOURS = 0.2;
const LONGEST_HOURS = 48;
const START_DAY = 20_000;
const DAY_HOURS = 24;
/** Before mail comes, relays need a day to become keepers. */
const WARM_UP_HOURS = 26;
const BEATS_AN_HOUR = 6;

interface SlotState {
  readonly slot: number;
  readonly bytesAnHour: number;
  /** The period that gets new mail, then the one that drains. */
  periods: readonly { readonly order: SlotOrder; readonly mail: SlotMail; readonly beganHour: number }[];
}

/** Runs a month. */
export function simulateMonth(choice: MonthChoice): MonthResult {
  return new Month(choice).run();
}

class Month {
  readonly #choice: MonthChoice;
  readonly #random: Random;
  readonly #rules: KeeperRules;
  readonly #relays = new Map<string, SimulatedRelay>();
  readonly #slots: readonly SlotState[];
  readonly #boxes: number;
  #named = 0;
  #hour = 0;
  #directory: Directory | undefined;
  #keepers: ReadonlyMap<string, Keeper> = new Map();
  readonly #figures: SlotFigures = { arrivedBytes: 0, putBytes: 0, repairBytes: 0, lostBytes: 0, lateBytes: 0 };

  constructor(choice: MonthChoice) {
    this.#choice = choice;
    this.#random = createRandom(choice.seed);
    this.#rules = { ...KEEPER_RULES, absenceS: choice.graceHours * 3_600 };
    for (let n = 0; n < choice.relays; n += 1) this.#register();
    const boxes = countBoxes(choice.people, choice.slotStep);
    this.#boxes = [...boxes.values()].reduce((sum, count) => sum + count, 0);
    this.#slots = [...boxes].map(([slot, count]) => ({ slot, bytesAnHour: count * PERSON_BYTES_AN_HOUR, periods: [] }));
  }

  run(): MonthResult {
    const { days, slotStep, failing, forGood } = this.#choice;
    for (; this.#hour < WARM_UP_HOURS; this.#hour += 1) this.#epoch();
    let [keepers, live] = [0, 0];
    const hours = days * DAY_HOURS;
    for (let at = 0; at < hours; at += 1, this.#hour += 1) {
      this.#fail(failing / DAY_HOURS, forGood);
      const came = this.#epoch();
      for (const slot of this.#slots) this.#passHour(slot, came);
      keepers += this.#keepers.size;
      live += [...this.#relays.keys()].filter((key) => this.isLive(key)).length;
    }
    const heldBytes = this.#slots.reduce(
      (sum, { periods }) => periods.reduce((all, { mail, beganHour }) => all + mail.heldBytes(this.#hour - 1 - beganHour), sum),
      0,
    );
    const whole = (bytes: number): number => (bytes * this.#choice.people) / this.#boxes;
    const { arrivedBytes, putBytes, repairBytes, lostBytes, lateBytes } = this.#figures;
    return {
      slots: KEEPER_RULES.slots / slotStep,
      boxes: this.#boxes,
      arrivedBytes: whole(arrivedBytes),
      putBytes: whole(putBytes),
      repairBytes: whole(repairBytes),
      lostBytes: whole(lostBytes),
      lateBytes: whole(lateBytes),
      heldBytes: whole(heldBytes),
      keepers: keepers / hours,
      live: live / hours,
    };
  }

  isLive(key: string): boolean {
    return (this.#relays.get(key)?.backAt ?? Number.POSITIVE_INFINITY) <= this.#hour;
  }

  #silentHours(key: string): number {
    const lastS = this.#relays.get(key)?.facts.lastHeartbeatS ?? Number.NEGATIVE_INFINITY;
    return Math.floor((this.#timeS - lastS) / 3_600);
  }

  get #timeS(): number {
    return START_DAY * 86_400 + this.#hour * 3_600;
  }

  #register(): void {
    const facts = simulatedRelay(`${this.#choice.seed} ${this.#named}`, this.#random, this.#timeS);
    this.#named += 1;
    this.#relays.set(facts.key, { facts, backAt: this.#hour });
  }

  /** Some relays fail; for each that is gone for good another one registers. */
  #fail(part: number, forGood: number): void {
    for (const [key, relay] of [...this.#relays]) {
      if (relay.backAt > this.#hour || !this.#random.chance(part)) continue;
      if (this.#random.chance(forGood)) {
        relay.backAt = Number.POSITIVE_INFINITY;
        this.#register();
        for (const { periods } of this.#slots)
          for (const { mail, beganHour } of periods) mail.lose(key, this.#hour - beganHour, this.#figures);
      } else {
        const hours = SHORTEST_HOURS * (LONGEST_HOURS / SHORTEST_HOURS) ** this.#random.next();
        // An outage within the hour ends before the next one begins, and repair has its time until then.
        relay.backAt = this.#hour + Math.round(hours);
      }
    }
  }

  /** The directory of this hour; gives the keepers that came. */
  #epoch(): readonly Keeper[] {
    const timeS = this.#timeS;
    for (const [key, relay] of this.#relays) {
      if (this.isLive(key))
        relay.facts = { ...relay.facts, heartbeats: relay.facts.heartbeats + BEATS_AN_HOUR, lastHeartbeatS: timeS - 60 };
      else if (relay.backAt === Number.POSITIVE_INFINITY && this.#directory?.standings.get(key)?.is !== "in" && this.#keepers.size > 0)
        this.#relays.delete(key);
    }
    this.#directory = nextDirectory(
      this.#directory,
      {
        block: { timeS, parentHash: hashText(`${this.#choice.seed} block ${this.#hour}`) },
        relays: [...this.#relays.values()].map(({ facts }) => facts),
        validatorBondUt: VALIDATOR_BOND_UT,
      },
      this.#rules,
    );
    const before = this.#keepers;
    this.#keepers = new Map(this.#directory.keepers.map((keeper) => [keeper.key, keeper]));
    return this.#directory.keepers.filter(({ key }) => !before.has(key));
  }

  #passHour(state: SlotState, came: readonly Keeper[]): void {
    const day = START_DAY + Math.floor(this.#hour / DAY_HOURS);
    const isNew = periodOf(state.slot, day) === day && this.#hour % DAY_HOURS === 0;
    if (isNew || state.periods.length === 0) this.#beginPeriod(state, day);
    for (const [at, period] of state.periods.entries()) {
      const ranks = period.order.ranks(this.#keepers, came, this.#rules);
      assertIndependent(ranks);
      assertPresent(ranks, (key) => this.#silentHours(key), this.#choice.graceHours);
      const hour = this.#hour - period.beganHour;
      if (at === 0) period.mail.put(hour, ranks, this, this.#figures);
      period.mail.repair(hour, ranks, this, this.#figures);
    }
  }

  #beginPeriod(state: SlotState, day: number): void {
    const { seeds } = this.#directory ?? { seeds: undefined };
    const seed = seeds && findSeed(seeds, periodOf(state.slot, day));
    if (seed === undefined) throw new Error(`No seed of slot ${state.slot} on day ${day}`);
    const period = { order: new SlotOrder({ slot: state.slot, seed }), mail: new SlotMail(state.bytesAnHour), beganHour: this.#hour };
    state.periods = [period, ...state.periods.slice(0, 1)];
  }
}

/** Boxes of the people by slot, of every so many-th slot; not always the same remainder by 30, by which periods begin. */
export function countBoxes(people: number, slotStep: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (let at = 0; at < KEEPER_RULES.slots; at += slotStep) counts.set(at + ((at / slotStep) % slotStep), 0);
  for (let n = 0; n < people; n += 1) {
    const slot = slotOf(boxKey(n), nativeSha256);
    const count = counts.get(slot);
    if (count !== undefined) counts.set(slot, count + 1);
  }
  return counts;
}
