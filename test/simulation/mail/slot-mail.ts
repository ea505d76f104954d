// Mail of one slot's period: which keepers hold which hour's mail, and what repair copies. Holders are bits of a number for each hour.
import { mustRepair, rankedSlot } from "#node/relay/keepers/repair/repair-plan.ts";
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
import type { Ranks } from "#shared/protocol/keepers/placement.ts";
import { assertPut, assertRepaired, bitCount } from "./mail-invariants.ts";
import { putOutcome } from "./put-outcomes.ts";
import { TTL_HOURS, WAITING } from "./waiting-mail.ts";

/** Bits of a holder mask that are in use. */
const MOST_HOLDERS = 31;

/** Bytes of what happened in an hour. */
export interface SlotFigures {
  /** Mail that came, once. */
  arrivedBytes: number;
  /** What senders put, at all keepers together. */
  putBytes: number;
  /** What keepers copied from each other. */
  repairBytes: number;
  /** Mail that waited and that no one has any more. */
  lostBytes: number;
  /** Mail that its sender has to keep for longer than an hour. */
  lateBytes: number;
}

/** Where keepers are: live ones can be asked, others come back or are gone with their disks. */
export interface KeeperStates {
  isLive(key: string): boolean;
}

/** Mail of a slot's period. Hours count from its beginning. */
export class SlotMail {
  readonly #bytesAnHour: number;
  readonly #masks = new Int32Array(TTL_HOURS);
  /** Bit of each holder. */
  readonly #bits = new Map<string, number>();
  #pattern = "";
  #hours = 0;
  #lateFrom = 0;

  constructor(bytesAnHour: number) {
    this.#bytesAnHour = bytesAnHour;
  }

  /** Mail of an hour comes. Who holds it follows from the delivery. @throws Error when it does not hold to the rules. */
  put(hour: number, { keeping, standingIn }: Ranks<Keeper>, states: KeeperStates, figures: SlotFigures): void {
    const ranks = [...keeping, ...standingIn];
    const areThere = ranks.map(({ key }) => states.isLive(key));
    const outcome = putOutcome(areThere, keeping.length);
    const { holders, isHandedOver } = outcome;
    assertPut(outcome, areThere);
    let mask = 0;
    for (const rank of holders) mask |= 1 << this.#bitOf(ranks[rank]?.key ?? "");
    // What was late goes to those that are there now.
    for (let at = this.#lateFrom; at <= hour; at += 1) {
      this.#masks[at] = mask;
      figures.putBytes += this.#bytesAnHour * holders.length;
    }
    figures.arrivedBytes += this.#bytesAnHour;
    if (isHandedOver) this.#lateFrom = hour + 1;
    else figures.lateBytes += this.#bytesAnHour;
    this.#hours = hour + 1;
  }

  /** Who has to repair copies what they lack, at the hour `now`. @throws Error when too few have it then. */
  repair(now: number, ranks: Ranks<Keeper>, states: KeeperStates, figures: SlotFigures): void {
    const { keeping, standingIn } = ranks;
    const live = [...keeping, ...standingIn].filter(({ key }) => states.isLive(key));
    const repairing = live.filter(({ key }) => mustRepairAs(key, ranks, states));
    const held = [...this.#bits].map(([key, bit]) => `${bit}${states.isLive(key) ? "+" : "-"}`);
    const pattern = `${keeping.map(({ key }) => key.slice(0, 12)).join()} ${repairing.map(({ key }) => key.slice(0, 12)).join()} ${held.join()}`;
    if (pattern === this.#pattern) return;
    this.#pattern = pattern;
    const wanted = this.#maskOf(repairing);
    const kept = this.#maskOf(keeping);
    const there = this.#maskOf(live);
    let readable = 0;
    for (const [key, bit] of this.#bits) if (states.isLive(key)) readable |= 1 << bit;
    for (let hour = Math.max(0, now - TTL_HOURS + 1); hour < Math.min(this.#hours, this.#lateFrom); hour += 1) {
      let mask = this.#masks[hour] ?? 0;
      const missing = wanted & ~mask;
      if (missing !== 0 && (mask & readable) !== 0) {
        figures.repairBytes += bitCount(missing) * this.#bytesAnHour * (WAITING[now - hour] ?? 0);
        mask |= missing;
      }
      if ((mask & readable) !== 0) assertRepaired(mask, { keeping: kept & there, live: there });
      // Those that are no keepers here drop what all keepers have.
      this.#masks[hour] = (mask & kept) === kept ? mask & kept : mask;
    }
  }

  /** A relay is gone with its disk. */
  lose(key: string, now: number, figures: SlotFigures): void {
    const bit = this.#bits.get(key);
    if (bit === undefined) return;
    for (let hour = Math.max(0, now - TTL_HOURS + 1); hour < this.#hours; hour += 1) {
      const mask = this.#masks[hour] ?? 0;
      const left = mask & ~(1 << bit);
      this.#masks[hour] = left;
      if (mask !== 0 && left === 0 && hour < this.#lateFrom) figures.lostBytes += this.#bytesAnHour * (WAITING[now - hour] ?? 0);
    }
    this.#bits.delete(key);
  }

  /** Bytes that all holders hold together. */
  heldBytes(now: number): number {
    let bytes = 0;
    for (let hour = Math.max(0, now - TTL_HOURS + 1); hour < this.#hours; hour += 1)
      bytes += bitCount(this.#masks[hour] ?? 0) * this.#bytesAnHour * (WAITING[now - hour] ?? 0);
    return bytes;
  }

  #maskOf(keepers: readonly Keeper[]): number {
    return keepers.reduce((mask, { key }) => mask | (1 << this.#bitOf(key)), 0);
  }

  #bitOf(key: string): number {
    const known = this.#bits.get(key);
    if (known !== undefined) return known;
    if (this.#bits.size >= MOST_HOLDERS) this.#freeBits();
    const used = new Set(this.#bits.values());
    const bit = Array.from({ length: MOST_HOLDERS }, (_, at) => at).find((at) => !used.has(at));
    if (bit === undefined) throw new RangeError("More relays hold a slot at once than a number has bits");
    this.#bits.set(key, bit);
    return bit;
  }

  /** Relays that hold nothing here any more give their bits back. */
  #freeBits(): void {
    const used = this.#masks.reduce((all, mask) => all | mask, 0);
    for (const [key, bit] of this.#bits) if ((used & (1 << bit)) === 0) this.#bits.delete(key);
  }
}

/** As each node decides it for itself, by whom it can reach. */
function mustRepairAs(key: string, ranks: Ranks<Keeper>, states: KeeperStates): boolean {
  const own = rankedSlot(0, { ...ranks, all: [] }, key);
  return own !== undefined && mustRepair(own, (keeper) => states.isLive(keeper));
}
