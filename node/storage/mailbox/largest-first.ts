// Names by a figure that changes, the largest first: a binary heap whose outdated entries are put right when they come up.

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
