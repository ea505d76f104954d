// Loaded before a node's program: older blocks come in small segments, and slowly enough that a test meets the node in the middle.
import { SEAL_LIMITS } from "#node/storage/history/sealing/seal-segment.ts";
import { BACKFILL_LIMITS } from "#node/sync/backfill/backfill-limits.ts";

Object.assign(SEAL_LIMITS, { depth: 12, maxBlocks: 4 });
Object.assign(BACKFILL_LIMITS, { segmentBlocks: 5, batchBlocks: 2, bytesPerSecond: 3_000, restShare: 0, lookMs: 200 });
