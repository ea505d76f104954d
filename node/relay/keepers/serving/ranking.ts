// Who has most of something, found at once however many there are.

/** One of a ring of those who have as many. */
interface Entry<T> {
  readonly who: T;
  count: number;
  before: Entry<T>;
  after: Entry<T>;
}

/**
 * Whole numbers of those who have more than none. Looking for who has most goes back by as many steps at most as were gone up before: what
 * a change costs does not depend on how many have something.
 */
export class Ranking<T> {
  readonly #entries = new Map<T, Entry<T>>();
  /** Who has had so many for longest. */
  readonly #firsts = new Map<number, Entry<T>>();
  #most = 0;

  countOf(who: T): number {
    return this.#entries.get(who)?.count ?? 0;
  }

  /** Sets what one has; with 0 it is forgotten. */
  set(who: T, count: number): void {
    const known = this.#entries.get(who);
    if ((known?.count ?? 0) === count) return;
    if (known !== undefined) this.#leave(known);
    if (count === 0) this.#entries.delete(who);
    else this.#join(known ?? entryOf(who), count);
  }

  /** Who has most, of equals who has had it for longest. */
  get largest(): T | undefined {
    while (this.#most > 0) {
      const first = this.#firsts.get(this.#most);
      if (first !== undefined) return first.who;
      this.#most -= 1;
    }
    return undefined;
  }

  #leave(entry: Entry<T>): void {
    if (entry.after === entry) this.#firsts.delete(entry.count);
    else if (this.#firsts.get(entry.count) === entry) this.#firsts.set(entry.count, entry.after);
    entry.before.after = entry.after;
    entry.after.before = entry.before;
  }

  /** As the last of those who have as many. */
  #join(entry: Entry<T>, count: number): void {
    const first = this.#firsts.get(count) ?? entry;
    entry.count = count;
    entry.after = first;
    entry.before = first === entry ? entry : first.before;
    entry.before.after = entry;
    first.before = entry;
    this.#firsts.set(count, first);
    this.#entries.set(entry.who, entry);
    this.#most = Math.max(this.#most, count);
  }
}

function entryOf<T>(who: T): Entry<T> {
  const entry = { who, count: 0 } as Entry<T>;
  entry.before = entry;
  entry.after = entry;
  return entry;
}
