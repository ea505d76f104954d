// Watches the free space of the data folder's disk: rarely while there is plenty, often while there is little.
import type { Timers } from "#shared/util/clock.ts";

/** How much is left. `low` warns; at `full` the node would fail on its next write. */
export type DiskLevel = "ample" | "low" | "full";

export interface DiskWatchOptions {
  /** Free bytes for this user on the disk of the data folder. */
  readonly freeBytes: () => Promise<number>;
  readonly timers: Timers;
  /** Called at each change of the level, and once at the start if it is not ample. */
  readonly onLevel: (level: DiskLevel, freeBytes: number) => void;
}

const MIB = 1024 * 1024;
const LOW_BYTES = 2_048 * MIB;
const FULL_BYTES = 256 * MIB;
/** Time to the next check, ms. */
const INTERVALS: Readonly<Record<DiskLevel, number>> = { ample: 600_000, low: 60_000, full: 10_000 };

/** Level of an amount of free space. */
export function diskLevel(freeBytes: number): DiskLevel {
  if (freeBytes < FULL_BYTES) return "full";
  return freeBytes < LOW_BYTES ? "low" : "ample";
}

/** Starts watching; returns the way to stop. A check that fails is tried again at the next time and changes nothing. */
export function watchDisk({ freeBytes, timers, onLevel }: DiskWatchOptions): () => void {
  let level: DiskLevel = "ample";
  let isStopped = false;
  let cancel: () => void = () => undefined;
  const check = async (): Promise<void> => {
    const free = await freeBytes().catch(() => undefined);
    if (isStopped) return;
    if (free !== undefined && diskLevel(free) !== level) {
      level = diskLevel(free);
      onLevel(level, free);
    }
    cancel = timers.setTimer(INTERVALS[level], () => void check());
  };
  void check();
  return (): void => {
    isStopped = true;
    cancel();
  };
}
