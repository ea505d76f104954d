// A map that forgets what was not used for the longest time when it holds too much.

/** Values by key, each with a weight; the sum of the weights stays below a bound. */
export class RecentMap<K, V> {
  readonly #mostWeight: number;
  /** From the least to the most recently used. */
  readonly #entries = new Map<K, { readonly value: V; readonly weight: number }>();
  #weight = 0;

  constructor(mostWeight: number) {
    this.#mostWeight = mostWeight;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Puts a value; the newest one stays even when it is heavier than all that may be kept. */
  set(key: K, value: V, weight = 1): void {
    this.take(key);
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#mostWeight || this.#entries.size === 1) return;
      this.take(oldest);
    }
  }

  /** Takes a value out. */
  take(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
    return entry.value;
  }
}
