// An Observable over a value that is built when it is asked for.

/** The smallest store that React's useSyncExternalStore takes: the same object until something in it changes. */
export interface Observable<T> {
  getSnapshot(): T;
  /** Calls back after each change; returns the way to stop that. Both functions may be passed on unbound. */
  subscribe(listener: () => void): () => void;
}

/** Rebuilds its snapshot after {@link ValueStore.invalidate}, once, when it is read. */
export class ValueStore<T> implements Observable<T> {
  readonly #build: () => T;
  readonly #keep: ((before: T, after: T) => T) | undefined;
  readonly #listeners = new Set<() => void>();
  #snapshot: { readonly value: T } | undefined;

  /** `keep`: what stays of a snapshot that was shown; where that is all of it, listeners hear nothing. */
  constructor(build: () => T, keep?: (before: T, after: T) => T) {
    this.#build = build;
    this.#keep = keep;
  }

  readonly getSnapshot = (): T => {
    this.#snapshot ??= { value: this.#build() };
    return this.#snapshot.value;
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  invalidate(): void {
    const before = this.#snapshot;
    this.#snapshot = undefined;
    // Without listeners no one sees the one before again.
    if (this.#keep !== undefined && before !== undefined && this.#listeners.size > 0) {
      const value = this.#keep(before.value, this.#build());
      this.#snapshot = { value };
      if (value === before.value) return;
    }
    for (const listener of [...this.#listeners]) listener();
  }
}
