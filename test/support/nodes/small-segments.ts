// Loaded before a node's program: files of old blocks that a short chain fills.
import { SEAL_LIMITS } from "#node/storage/history/sealing/seal-segment.ts";

Object.assign(SEAL_LIMITS, { depth: 12, maxBlocks: 4 });
