// An Observable over a value that is built when it is asked for.
import type { Observable } from "./observable.ts";

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
