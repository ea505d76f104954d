// When the last few things happened, by name; the least recent one is forgotten first.
import { LRUCache } from "lru-cache";

/** Times with a bound. */
export class RecentTimes {
  readonly #times: LRUCache<string, number>;

  constructor(capacity: number) {
    this.#times = new LRUCache({ max: capacity });
  }

  /** The time of a name, before all times when it is not known. */
  get(name: string): number {
    return this.#times.get(name) ?? Number.NEGATIVE_INFINITY;
  }

  set(name: string, timeMs: number): void {
    this.#times.set(name, timeMs);
  }
}
