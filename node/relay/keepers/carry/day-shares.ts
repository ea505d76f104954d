// What each party has done on a day, so far as there is room to count it apart: those beyond share one count. In memory: a start begins again.

const DAY_MS = 86_400_000;

/** Counts amounts by party. */
export class DayShares {
  readonly #most: number;
  readonly #parties: number;
  readonly #used = new Map<string, number>();
  #day = 0;

  /** @param most Amount of a party on a day. @param parties Parties that are counted apart. */
  constructor(most: number, parties: number) {
    this.#most = most;
    this.#parties = parties;
  }

  /** True where so much more is within the day of the party, which it is counted in then. */
  take(party: string, nowMs: number, amount: number): boolean {
    const day = Math.floor(nowMs / DAY_MS);
    if (day !== this.#day) this.#used.clear();
    this.#day = day;
    // None is forgotten for others within the day: who comes from many networks would begin again by it.
    const counted = this.#used.has(party) || this.#used.size < this.#parties ? party : "";
    const used = (this.#used.get(counted) ?? 0) + amount;
    if (used > this.#most) return false;
    this.#used.set(counted, used);
    return true;
  }
}
