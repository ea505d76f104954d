// Votes of one round and type. Keeps the first vote of each validator and at most one that contradicts it, so memory is bounded.

import type { HashHex } from "#shared/protocol/chain/header.ts";
import { isQuorum } from "#shared/protocol/chain/validators.ts";
import type { Vote } from "#shared/protocol/chain/vote.ts";

/** More than two thirds for one value; `votes` prove it, in validator order. */
export interface VoteQuorum {
  readonly blockHash: HashHex | null;
  readonly votes: readonly Vote[];
}

/** Votes of one round and type. */
export interface VoteSet {
  /** First vote of each validator, by index. */
  readonly votes: readonly (Vote | null)[];
  /** The first contradicting vote of each validator, by index. */
  readonly conflicts: readonly (Vote | null)[];
  /** Distinct validators that voted. */
  readonly voters: number;
  /** The first value that reached more than two thirds. With less than a third of faulty validators there is no second. */
  readonly quorum: VoteQuorum | null;
}

/** What adding a vote did. `conflictsWith` names the earlier vote that it contradicts. */
export interface VoteAddition {
  readonly set: VoteSet;
  readonly isNew: boolean;
  readonly conflictsWith: Vote | null;
}

/** A set without votes for `size` validators. */
export function emptyVoteSet(size: number): VoteSet {
  const none = Array.from({ length: size }, () => null);
  return { votes: none, conflicts: none, voters: 0, quorum: null };
}

/**
 * The set with one more vote. A contradicting vote counts for its value as well (once): all that relies on a quorum allows for
 * validators that vote twice, and ignoring it could hide a quorum that the others saw.
 */
export function addToVoteSet(set: VoteSet, vote: Vote): VoteAddition {
  const index = vote.validatorIndex;
  const first = set.votes[index] ?? null;
  if (first === null) {
    return {
      set: withQuorum({ ...set, votes: set.votes.with(index, vote), voters: set.voters + 1 }, vote),
      isNew: true,
      conflictsWith: null,
    };
  }
  if (!isNewInVoteSet(set, vote)) return { set, isNew: false, conflictsWith: null };
  return { set: withQuorum({ ...set, conflicts: set.conflicts.with(index, vote) }, vote), isNew: true, conflictsWith: first };
}

/** True when {@link addToVoteSet} would add a vote. */
export function isNewInVoteSet({ votes, conflicts }: VoteSet, { validatorIndex: index, blockHash }: Vote): boolean {
  const first = votes[index] ?? null;
  return first === null || (first.blockHash !== blockHash && conflicts[index] === null);
}

/** The set with a quorum that a certificate proved, unless one is known. */
export function withCertifiedQuorum(set: VoteSet, quorum: VoteQuorum): VoteSet {
  return set.quorum === null ? { ...set, quorum } : set;
}

/** True when more than two thirds voted, for whatever value. */
export function hasAnyQuorum(set: VoteSet): boolean {
  return isQuorum(set.voters, set.votes.length);
}

function withQuorum(set: VoteSet, vote: Vote): VoteSet {
  if (set.quorum !== null) return set;
  const votes = set.votes
    .map((first, index) => [first, set.conflicts[index] ?? null].find((candidate) => candidate?.blockHash === vote.blockHash) ?? null)
    .filter((candidate) => candidate !== null);
  return isQuorum(votes.length, set.votes.length) ? { ...set, quorum: { blockHash: vote.blockHash, votes } } : set;
}
