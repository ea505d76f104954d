// Whether a block is decided: whole, and with a commit of the validators of its height.

import type { ConsensusState } from "#node/consensus/state.ts";
import { type Block, rootHex, transactionsRoot } from "#shared/protocol/chain/block.ts";
import { type BlockHeader, type HashHex, headerHash } from "#shared/protocol/chain/header.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { type Commit, commitHash, verifyCommit } from "#shared/protocol/chain/vote.ts";
import type { Sha256 } from "#shared/protocol/primitives/hash.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";

/** Highest round that is taken seriously: far more than timeouts allow in a year. */
export const MAX_ROUND = 1_000_000;

const NO_COMMIT = "00".repeat(32);

/** What a decided block is checked against: its height and the validators of that height. */
export interface FinalityContext {
  readonly chainId: string;
  readonly validators: ValidatorSet;
  readonly state: Pick<ConsensusState, "height">;
  readonly verify: VerifySignature;
  readonly hash: Sha256;
}

/** True when a block of the current height is whole and its commit proves that it is decided. The body, which may be large, comes last. */
export function isFinalBlock(block: Block, commit: Commit, context: FinalityContext): boolean {
  const { chainId, validators, verify } = context;
  if (!isCommitOf(block.header, commit, context)) return false;
  return verifyCommit(chainId, validators, commit, verify) && isBodyOf(block, commit.blockHash, context);
}

/** True when a commit speaks of a header of the current height. Whether it is signed is another question. */
export function isCommitOf(header: BlockHeader, commit: Commit, { state, hash }: Pick<FinalityContext, "state" | "hash">): boolean {
  return (
    header.height === state.height &&
    commit.height === state.height &&
    isRound(commit.round) &&
    headerHash(header, hash) === commit.blockHash
  );
}

/**
 * True when a body belongs to a header of the current height. The hash covers the header only: a body that was swapped on the way
 * must not make the true one invalid.
 */
export function isBodyOf(block: Block, blockHash: HashHex, { state, hash }: Pick<FinalityContext, "state" | "hash">): boolean {
  const { header, transactions, evidence, lastCommit } = block;
  return (
    header.height === state.height &&
    headerHash(header, hash) === blockHash &&
    transactionsRoot(transactions, hash) === header.txRoot &&
    rootHex(evidence, hash) === header.evidenceRoot &&
    (lastCommit === null ? NO_COMMIT : commitHash(lastCommit, hash)) === header.lastCommitHash
  );
}

/** True for a round that is taken seriously. */
export function isRound(round: number): boolean {
  return Number.isSafeInteger(round) && round >= 0 && round <= MAX_ROUND;
}
