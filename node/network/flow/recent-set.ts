// The last few things that were seen, by name; the oldest is forgotten first.

/** A set with a bound. */
export class RecentSet {
  readonly #capacity: number;
  readonly #names = new Set<string>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** True when the name is new. */
  add(name: string): boolean {
    if (this.#names.has(name)) return false;
    if (this.#names.size >= this.#capacity) {
      const oldest = this.#names.values().next();
      if (oldest.done !== true) this.#names.delete(oldest.value);
    }
    this.#names.add(name);
    return true;
  }
}
