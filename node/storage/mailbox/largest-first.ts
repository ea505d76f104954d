// Names by a figure that changes, the largest first: a binary heap whose outdated entries are put right when they come up.
// And shares of a table: where there are too many rows, each party keeps its newest ones, as many as all get.
import type { SqliteDatabase } from "../sqlite-database.ts";

interface Entry<K> {
  readonly key: K;
  readonly figure: number;
}

/** Outdated entries beyond the number of names at which the heap is made again. */
const SPARE_ENTRIES = 1_024;

/** Names with their figures. */
export class LargestFirst<K> {
  readonly #figures: Map<K, number>;
  #heap: Entry<K>[] = [];

  constructor(figures: Iterable<readonly [K, number]>) {
    this.#figures = new Map(figures);
    this.#rebuild();
  }

  /** Gives a name another figure; 0 takes it out. */
  set(key: K, figure: number): void {
    const before = this.#figures.get(key) ?? 0;
    if (figure > 0) this.#figures.set(key, figure);
    else this.#figures.delete(key);
    // A smaller figure is noticed when the name comes up.
    if (figure > before) this.#push({ key, figure });
    if (this.#heap.length > 2 * this.#figures.size + SPARE_ENTRIES) this.#rebuild();
  }

  /** The name with the largest figure. */
  first(): K | undefined {
    for (;;) {
      const top = this.#heap[0];
      if (top === undefined) return undefined;
      const figure = this.#figures.get(top.key) ?? 0;
      if (figure === top.figure) return top.key;
      this.#pop();
      // What grew meanwhile has an entry of its own.
      if (figure > 0 && figure < top.figure) this.#push({ key: top.key, figure });
    }
  }

  #rebuild(): void {
    // A list in descending order is a heap.
    this.#heap = [...this.#figures].map(([key, figure]) => ({ key, figure })).sort((a, b) => b.figure - a.figure);
  }

  #push(entry: Entry<K>): void {
    const heap = this.#heap;
    let place = heap.length;
    heap.push(entry);
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || parent.figure >= entry.figure) break;
      heap[place] = parent;
      place = above;
    }
    heap[place] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const child = (heap[left + 1]?.figure ?? -1) > (heap[left]?.figure ?? -1) ? left + 1 : left;
      const below = heap[child];
      if (below === undefined || below.figure <= last.figure) break;
      heap[place] = below;
      place = child;
    }
    heap[place] = last;
  }
}

/** A table with the columns `seq`, `party` and the one that is counted. */
export interface SharedTable {
  readonly name: "signed_deletions";
  /** What a row weighs: SQL over its columns. */
  readonly weight: string;
  /** What all rows weigh at most. */
  readonly most: number;
  /** Rows that come between two looks, as a look goes through all. */
  readonly unlooked: number;
}

/** Trims one table, inside the transaction that adds to it. */
export class FairTrim {
  readonly #table: SharedTable;
  readonly #weights;
  readonly #oldest;
  readonly #trim;
  /** The first row makes it look: nothing is known of what is there. */
  #left = 0;

  constructor(database: SqliteDatabase, table: SharedTable) {
    const { name, weight } = table;
    this.#table = table;
    this.#weights = database.prepare<[], { readonly party: string; readonly weight: number }>(
      `SELECT party, sum(${weight}) AS weight FROM ${name} GROUP BY party`,
    );
    this.#oldest = database.prepare<[string], { readonly seq: number; readonly weight: number }>(
      `SELECT seq, ${weight} AS weight FROM ${name} WHERE party = ? ORDER BY seq`,
    );
    this.#trim = database.prepare<[string, number]>(`DELETE FROM ${name} WHERE party = ? AND seq <= ?`);
  }

  /** A row has come. */
  note(): void {
    this.#left -= 1;
    if (this.#left > 0) return;
    this.#left = this.#table.unlooked;
    const parties = this.#weights.all();
    const share = fairShare(
      parties.map(({ weight }) => weight),
      this.#table.most,
    );
    for (const { party, weight } of parties) if (weight > share) this.#trimParty(party, weight - share);
  }

  /** Reads no more rows than go: a look takes as long as what has come since the last one. */
  #trimParty(party: string, tooMuch: number): void {
    let [left, lastSeq] = [tooMuch, 0];
    for (const { seq, weight } of this.#oldest.iterate(party)) {
      lastSeq = seq;
      left -= weight;
      if (left <= 0) break;
    }
    this.#trim.run(party, lastSeq);
  }
}

/** The most that each may have, so that all together have no more than `most`. */
export function fairShare(weights: readonly number[], most: number): number {
  let left = most;
  let others = weights.length;
  for (const weight of weights.toSorted((a, b) => a - b)) {
    if (weight * others > left) return Math.floor(left / others);
    left -= weight;
    others -= 1;
  }
  return Number.POSITIVE_INFINITY;
}
