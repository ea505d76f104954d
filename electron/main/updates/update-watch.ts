// Checks for a new version by itself: a while after the start, then once a day, and never when the person does not want it.
import type { Timers } from "#shared/util/clock.ts";

const FIRST_CHECK_MS = 60_000;
const DAY_MS = 86_400_000;
/** Checks are spread over an hour, so that not all clients ask for a release at once. */
const SPREAD_MS = 3_600_000;

export interface UpdateWatchOptions {
  readonly isEnabled: () => boolean;
  readonly check: () => Promise<unknown>;
  readonly timers: Timers;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** Starts watching; returns the way to stop. */
export function watchUpdates({ isEnabled, check, timers, random }: UpdateWatchOptions): () => void {
  let cancel = timers.setTimer(FIRST_CHECK_MS, next);
  function next(): void {
    if (isEnabled()) check().catch(() => undefined);
    cancel = timers.setTimer(DAY_MS + random() * SPREAD_MS, next);
  }
  return () => cancel();
}
