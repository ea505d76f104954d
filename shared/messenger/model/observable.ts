// The smallest store that React's useSyncExternalStore takes.

/** A value that changes as a whole: the same object until something in it changes. */
export interface Observable<T> {
  getSnapshot(): T;
  /** Calls back after each change; returns the way to stop that. Both functions may be passed on unbound. */
  subscribe(listener: () => void): () => void;
}
