// Proves a block that waits for its turn: first by header and commit, and only then is its body read. What is false costs this node no more than
// signatures, or one body of each bringer.
import type { Height } from "#shared/protocol/chain/header.ts";
import type { BlockWindow, WaitingBlock } from "./block-window.ts";
import type { DecidedProofs } from "./decided-proof.ts";

export interface WaitingProofDependencies {
  readonly chain: Pick<DecidedProofs, "proveHeader" | "isWhole" | "prepareBody"> & { height(): Height };
  readonly window: Pick<BlockWindow, "get" | "read">;
  /** A block of this height is decided, be this one whole or not. */
  onDecided(height: Height): void;
  /** The block is none that the validators decided, or not whole. Called before anything else of its bringer is looked at. */
  onFalse(waiting: WaitingBlock): void;
}

/** Reads and marks a block that is decided and whole. @returns false when only the blocks before it can tell */
export async function proveWaiting(waiting: WaitingBlock, dependencies: WaitingProofDependencies): Promise<boolean> {
  const { chain, window, onDecided, onFalse } = dependencies;
  const { header, commit } = waiting;
  const isNext = header.height === chain.height() + 1;
  const proof = waiting.isProven ? "proven" : await chain.proveHeader(header, commit);
  // The set of the next height is known.
  if (proof === "unknown" && !isNext) return false;
  if (window.get(header.height) !== waiting) return true;
  if (proof === "proven") onDecided(header.height);
  const block = proof === "proven" ? window.read(waiting) : undefined;
  if (block === undefined || !chain.isWhole({ block, commit })) {
    onFalse(waiting);
    return true;
  }
  waiting.isProven = true;
  await chain.prepareBody(block);
  return true;
}
