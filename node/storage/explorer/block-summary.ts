// What is known of a block without its transactions, whichever database holds it.
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";

/** Line of a list of blocks. */
export interface BlockSummary {
  readonly height: Height;
  readonly hash: HashHex;
  readonly parentHash: HashHex;
  /** State root after the block. */
  readonly stateRoot: HashHex;
  readonly timeMs: number;
  readonly proposer: string;
  readonly txCount: number;
  readonly totalFeesUt: number;
}

/** One block of a chain, which others may follow. */
export type ChainPosition = Pick<BlockSummary, "height" | "hash">;
