// Parts of the app that are loaded while it is idle: the node that serves them may be away at that moment.

const RETRY_MS = 2_000;

/** Loads a part, again and again until it is there; what waits for it shows nothing meanwhile. */
export async function untilLoaded<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
