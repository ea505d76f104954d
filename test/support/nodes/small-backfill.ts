// Loaded before a node's program: older blocks come in small segments, and slowly enough that a test meets the node in the middle.
import { changeLimits } from "./changed-limits.ts";

changeLimits({
  SEAL_LIMITS: { depth: 12, maxBlocks: 4 },
  BACKFILL_LIMITS: { segmentBlocks: 5, batchBlocks: 2, bytesPerSecond: 3_000, restShare: 0, lookMs: 200 },
});
