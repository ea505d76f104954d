// Parts of a program that are loaded with the first call of them.

/** Loads something once it is asked for, and once: but what could not be loaded, as the node was away, is tried again with the next call. */
export function loadedLate<T>(load: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return () => {
    known ??= load().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
