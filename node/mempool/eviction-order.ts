// What a full pool gives up first. No transaction is worth more than those of its sender that must come before it: otherwise a cheap one with
// dear ones behind it would displace others, and take them along for nothing when it is displaced itself.
import { type PendingTransaction, URGENT_RANK } from "./pending-transaction.ts";

/** A transaction of the pool where it stands in the order. */
export interface Place {
  readonly entry: PendingTransaction;
  /** Its rank, or the least of one that must come before it. */
  readonly worth: number;
}

/** What an entry is worth to a block behind others of its sender. Reports of validators depend on nothing and hold nothing up. */
export function worthBehind(earlier: Iterable<PendingTransaction>, entry: PendingTransaction): number {
  if (entry.rank === URGENT_RANK) return URGENT_RANK;
  let worth = entry.rank;
  for (const { rank } of earlier) worth = Math.min(worth, rank);
  return worth;
}

/** What each of a sender's entries, in their order, is worth to a block. */
export function worthsOf(entries: Iterable<PendingTransaction>): readonly Place[] {
  const worths: Place[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    least = Math.min(least, entry.rank);
    worths.push({ entry, worth: entry.rank === URGENT_RANK ? URGENT_RANK : least });
  }
  return worths;
}

/** Entries by worth, lowest first, newest first among equals. */
export class EvictionOrder {
  readonly #sorted: Place[] = [];
  readonly #places = new Map<PendingTransaction, Place>();

  /** In their order. */
  get all(): readonly Place[] {
    return this.#sorted;
  }

  /** Takes an entry in. */
  add(place: Place): void {
    this.#places.set(place.entry, place);
    this.#sorted.splice(this.#indexOf(place), 0, place);
  }

  /** Notes what the entries of one sender are worth after some of them went. */
  update(entries: Iterable<PendingTransaction>): void {
    for (const place of worthsOf(entries)) {
      if (this.#places.get(place.entry)?.worth === place.worth) continue;
      this.remove(place.entry);
      this.add(place);
    }
  }

  remove(entry: PendingTransaction): void {
    const place = this.#places.get(entry);
    if (place === undefined) return;
    this.#places.delete(entry);
    this.#sorted.splice(this.#indexOf(place), 1);
  }

  /** Where a place is, or would be. */
  #indexOf(place: Place): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#sorted[middle];
      if (other !== undefined && isBefore(other, place)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isBefore(a: Place, b: Place): boolean {
  return a.worth < b.worth || (a.worth === b.worth && a.entry.arrival > b.entry.arrival);
}
