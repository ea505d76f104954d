// Decided blocks, on their way into the engine and out of it.
import type { Block } from "#shared/protocol/chain/block.ts";
import type { Commit } from "#shared/protocol/chain/vote.ts";

/** A block with the proof that it is decided. */
export interface DecidedBlock {
  readonly block: Block;
  readonly commit: Commit;
}

/**
 * What became of the first block of a batch that is not known yet: `committed`; `known` (the heights of all are over already); `ahead`
 * (earlier ones are missing); `invalid` (body, header and commit do not belong together, or the commit proves nothing); `stopped`.
 */
export type FollowOutcome = "committed" | "known" | "ahead" | "invalid" | "stopped";

/**
 * What a block of a height that is over is beside the own one. `own`: the same, with a commit that verifies; `false`: not decided, or not
 * whole; `other`: nothing can be said, or a fork.
 */
export type BlockComparison = "own" | "false" | "other";
