// Proofs made of votes: the commit of a decision, and what helps validators that missed the votes of a round.

import type { Commit, Vote } from "#shared/protocol/chain/vote.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { ConsensusState } from "./state.ts";
import { findRound } from "./transition.ts";
import { hasAnyQuorum, type VoteQuorum } from "./vote-set.ts";

/** The commit that a quorum of precommits for a block is. */
export function commitOf(quorum: VoteQuorum, validatorCount: number): Commit {
  const [first] = quorum.votes;
  assertInvariant(first !== undefined && quorum.blockHash !== null, "A commit needs precommits for a block");
  const bitmap = new Uint8Array(Math.ceil(validatorCount / 8));
  for (const { validatorIndex } of quorum.votes)
    bitmap[validatorIndex >> 3] = (bitmap[validatorIndex >> 3] ?? 0) | (1 << (validatorIndex & 7));
  return {
    height: first.height,
    round: first.round,
    blockHash: quorum.blockHash,
    bitmap,
    signatures: quorum.votes.map((vote) => vote.signature),
  };
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
