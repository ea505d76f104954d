// At which heights all nodes make a snapshot: one an hour at most, by the time of the blocks, so that they have the same ones.
import type { Height } from "#shared/protocol/chain/header.ts";

/** When there is a snapshot. */
export interface SnapshotRule {
  /** Heights that this divides … */
  readonly every: number;
  /** … and whose block time lies in another period of this length, ms, than that of the height before. */
  readonly periodMs: number;
}

export const SNAPSHOT_RULE: SnapshotRule = { every: 1_000, periodMs: 3_600_000 };

/** True for a height with a snapshot, by the times of blocks. */
export function isSnapshotHeight(
  height: Height,
  timeMsAt: (height: Height) => number | undefined,
  { every, periodMs }: SnapshotRule = SNAPSHOT_RULE,
): boolean {
  if (height < every || height % every !== 0) return false;
  const [timeMs, beforeMs] = [timeMsAt(height), timeMsAt(height - every)];
  return timeMs !== undefined && beforeMs !== undefined && Math.floor(timeMs / periodMs) !== Math.floor(beforeMs / periodMs);
}
