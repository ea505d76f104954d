// Mail of one slot's period: which keepers hold which hour's mail, and what repair copies. Holders are bits of a number for each hour.
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
import type { Ranks } from "#shared/protocol/keepers/placement.ts";
import { assertPut } from "./mail-invariants.ts";
import { putOutcome } from "./put-outcomes.ts";
import { TTL_HOURS, WAITING } from "./waiting-mail.ts";

/** Bits of a holder mask that are in use. */
const MOST_HOLDERS = 31;
/** With fewer live keepers the next rank copies at once. */
const LEAST_LIVE = 2;

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

  /** Keepers repair what they lack of each other, at the hour `now`. */
  repair(now: number, { keeping, standingIn }: Ranks<Keeper>, states: KeeperStates, figures: SlotFigures): void {
    const live = keeping.filter(({ key }) => states.isLive(key));
    const helpers = standingIn.filter(({ key }) => states.isLive(key)).slice(0, Math.max(0, LEAST_LIVE - live.length));
    const held = [...this.#bits].map(([key, bit]) => `${bit}${states.isLive(key) ? "+" : "-"}`);
    const pattern = `${keeping.map(({ key }) => key.slice(0, 12)).join()} ${helpers.map(({ key }) => key.slice(0, 12)).join()} ${held.join()}`;
    if (pattern === this.#pattern) return;
    this.#pattern = pattern;
    const wanted = this.#maskOf([...live, ...helpers]);
    const kept = this.#maskOf(keeping);
    let readable = 0;
    for (const [key, bit] of this.#bits) if (states.isLive(key)) readable |= 1 << bit;
    for (let hour = Math.max(0, now - TTL_HOURS + 1); hour < Math.min(this.#hours, this.#lateFrom); hour += 1) {
      let mask = this.#masks[hour] ?? 0;
      const missing = wanted & ~mask;
      if (missing !== 0 && (mask & readable) !== 0) {
        figures.repairBytes += bitCount(missing) * this.#bytesAnHour * (WAITING[now - hour] ?? 0);
        mask |= missing;
      }
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

function bitCount(mask: number): number {
  let count = 0;
  for (let left = mask; left !== 0; left &= left - 1) count += 1;
  return count;
}
