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
  readonly #listeners = new Set<() => void>();
  #snapshot: { readonly value: T } | undefined;

  constructor(build: () => T) {
    this.#build = build;
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
    this.#snapshot = undefined;
    for (const listener of [...this.#listeners]) listener();
  }
}
