// Proofs made of votes: the commit of a decision, and what helps validators that missed the votes of a round.

import { type Commit, commitSigners, type Vote } from "#shared/protocol/chain/vote.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { ConsensusState } from "./state.ts";
import { findRound } from "./transition.ts";
import { hasAnyQuorum, type VoteSet } from "./vote-set.ts";

/** The commit that a quorum of precommits for a block is, with all other precommits of the round for the block. */
export function commitOf(precommits: VoteSet): Commit {
  const { quorum } = precommits;
  const [first] = quorum?.votes ?? [];
  assertInvariant(first !== undefined && quorum !== null && quorum.blockHash !== null, "A commit needs precommits for a block");
  const empty = { height: first.height, round: first.round, blockHash: quorum.blockHash, signatures: [] };
  const base: Commit = { ...empty, bitmap: new Uint8Array(Math.ceil(precommits.votes.length / 8)) };
  return [...quorum.votes, ...precommits.votes, ...precommits.conflicts].reduce((commit, vote) => withPrecommit(commit, vote), base);
}

/**
 * A commit with one more precommit. The same commit when it holds one of the validator, or when the vote is not one for its block in
 * its round.
 */
export function withPrecommit(commit: Commit, vote: Vote | null): Commit {
  if (vote === null || !isMissing(commit, vote)) return commit;
  const { validatorIndex: index, signature } = vote;
  const bitmap = Uint8Array.from(commit.bitmap);
  const position = commitSigners(commit, index).length;
  bitmap[index >> 3] = (bitmap[index >> 3] ?? 0) | (1 << (index & 7));
  return { ...commit, bitmap, signatures: commit.signatures.toSpliced(position, 0, signature) };
}

/** True for a precommit that a commit could hold and does not. Its signature is not looked at. */
export function isMissing(commit: Commit, { type, height, round, blockHash, validatorIndex: index }: Vote): boolean {
  const isOfCommit = type === "precommit" && height === commit.height && round === commit.round && blockHash === commit.blockHash;
  return isOfCommit && index < 8 * commit.bitmap.length && (((commit.bitmap[index >> 3] ?? 0) >> (index & 7)) & 1) === 0;
}

/** Prevotes that made the current valid value valid; undefined when there is none. */
export function polkaCertificate(state: ConsensusState): readonly Vote[] | undefined {
  if (state.validRound < 0) return undefined;
  return findRound(state, state.validRound)?.prevotes.quorum?.votes;
}

/** Precommits that ended the round before the current one; undefined when it was skipped. */
export function roundCertificate(state: ConsensusState): readonly Vote[] | undefined {
  const precommits = findRound(state, state.round - 1)?.precommits;
  if (precommits === undefined || !hasAnyQuorum(precommits)) return undefined;
  return precommits.votes.filter((vote) => vote !== null);
}
