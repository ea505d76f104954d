// The last few things that were seen, by name; the oldest is forgotten first.
import { LRUCache } from "lru-cache";

/** A set with a bound. */
export class RecentSet {
  readonly #names: LRUCache<string, true>;

  constructor(capacity: number) {
    this.#names = new LRUCache({ max: capacity });
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** True when the name is new. */
  add(name: string): boolean {
    if (this.#names.has(name)) return false;
    this.#names.set(name, true);
    return true;
  }
}
