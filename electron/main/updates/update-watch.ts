// Looks for a new version by itself: a while after the start, then once a day, and never when the person does not want it.

const FIRST_LOOK_MS = 60_000;
const DAY_MS = 86_400_000;
/** Looks are spread over an hour, so that a release is not asked for by everybody at once. */
const SPREAD_MS = 3_600_000;

/** What the watch needs. */
export interface UpdateWatchOptions {
  readonly isWanted: () => boolean;
  readonly look: () => Promise<unknown>;
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** Starts watching; returns the way to stop. */
export function watchUpdates({ isWanted, look, setTimer, random }: UpdateWatchOptions): () => void {
  let cancel = setTimer(next, FIRST_LOOK_MS);
  function next(): void {
    if (isWanted()) look().catch(() => undefined);
    cancel = setTimer(next, DAY_MS + random() * SPREAD_MS);
  }
  return () => cancel();
}
