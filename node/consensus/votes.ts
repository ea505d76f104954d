// Votes, one by one or as certificates.
import { isQuorum } from "#shared/protocol/chain/validators.ts";
import type { Vote } from "#shared/protocol/chain/vote.ts";
import type { CertificateInput, VoteInput } from "./inputs.ts";
import { addFutureVote, isNewFutureVote, startRound } from "./rounds.ts";
import { applyRules } from "./rules.ts";
import type { ConsensusState } from "./state.ts";
import { emit, putRound, roundOf, type Transition } from "./transition.ts";
import { addToVoteSet, isNewInVoteSet, type VoteSet, withCertifiedQuorum } from "./vote-set.ts";

/** Counts a vote; wakes an idle height. */
export function onVote(transition: Transition, input: VoteInput): void {
  const { vote } = input;
  const { state } = transition;
  if (vote.height !== state.height || state.step === "decided" || vote.validatorIndex >= state.validatorCount) return;
  const before = transition.effects.length;
  if (!addVote(transition, vote, vote.round <= state.round + 1)) return;
  const isOwn = vote.validatorIndex === state.ownIndex;
  transition.effects.splice(before, 0, { type: "persist", input, isSync: isOwn });
  if (state.step === "idle") startRound(transition, 0);
  if (isOwn) emit(transition, { type: "broadcast", message: input });
  applyRules(transition);
}

/** Counts votes that together are more than two thirds, whatever their round. */
export function onCertificate(transition: Transition, input: CertificateInput): void {
  const { state } = transition;
  const [first] = input.votes;
  if (first === undefined || first.height !== state.height || state.step === "decided" || !isCertificate(input.votes, state.validatorCount))
    return;
  const before = transition.effects.length;
  const added = input.votes.filter((vote) => addVote(transition, vote, true)).length;
  const hasNewQuorum = certifyQuorum(transition, input.votes);
  if (added === 0 && !hasNewQuorum) return;
  transition.effects.splice(before, 0, { type: "persist", input, isSync: false });
  if (state.step === "idle") startRound(transition, 0);
  applyRules(transition);
}

/** What counting a vote would be: the first of its kind, one of those that no honest validator needs often, or nothing. */
export function classifyVote(state: ConsensusState, vote: Vote): "first" | "surplus" | "none" {
  if (vote.height !== state.height || state.step === "decided" || vote.validatorIndex >= state.validatorCount) return "none";
  if (vote.round > state.round + 1) return isNewFutureVote(state, vote) ? "surplus" : "none";
  const set = voteSetOf(state, vote);
  if (!isNewInVoteSet(set, vote)) return "none";
  return (set.votes[vote.validatorIndex] ?? null) === null ? "first" : "surplus";
}

/** Validators of whom a vote of the height arrived. */
export function votersOf({ rounds }: ConsensusState): ReadonlySet<number> {
  const votes = rounds.flatMap(({ prevotes, precommits }) => [...prevotes.votes, ...precommits.votes]);
  return new Set(votes.flatMap((vote) => (vote === null ? [] : [vote.validatorIndex])));
}

/** True when a certificate would add a vote, or a quorum that is not known. */
export function isUsefulCertificate(state: ConsensusState, votes: readonly Vote[]): boolean {
  const [first] = votes;
  if (first === undefined || first.height !== state.height || state.step === "decided") return false;
  const set = voteSetOf(state, first);
  if (votes.some((vote) => isNewInVoteSet(set, vote))) return true;
  return set.quorum === null && votes.every(({ blockHash }) => blockHash === first.blockHash);
}

/** True for votes of one height, round and type by more than two thirds. */
export function isCertificate(votes: readonly Vote[], size: number): boolean {
  const [first] = votes;
  const signers = new Set(votes.map((vote) => vote.validatorIndex));
  const isUniform = votes.every(
    (vote) => vote.height === first?.height && vote.round === first.round && vote.type === first.type && vote.validatorIndex < size,
  );
  return isUniform && signers.size === votes.length && isQuorum(votes.length, size);
}

function voteSetOf(state: ConsensusState, { round, type }: Vote): VoteSet {
  const known = roundOf(state, round);
  return type === "prevote" ? known.prevotes : known.precommits;
}

function addVote(transition: Transition, vote: Vote, isWithinReach: boolean): boolean {
  if (!isWithinReach) return addFutureVote(transition, vote);
  const known = roundOf(transition.state, vote.round);
  const { set, isNew, conflictsWith } = addToVoteSet(vote.type === "prevote" ? known.prevotes : known.precommits, vote);
  if (!isNew) return false;
  putRound(transition, vote.type === "prevote" ? { ...known, prevotes: set } : { ...known, precommits: set });
  if (conflictsWith !== null) emit(transition, { type: "reportEvidence", evidence: { type: "vote", first: conflictsWith, second: vote } });
  return true;
}

// A validator that voted three ways fills its two slots; the quorum that the others saw must count all the same.
function certifyQuorum(transition: Transition, votes: readonly Vote[]): boolean {
  const [first] = votes;
  if (first === undefined || !votes.every((vote) => vote.blockHash === first.blockHash)) return false;
  const known = roundOf(transition.state, first.round);
  const set = first.type === "prevote" ? known.prevotes : known.precommits;
  if (set.quorum !== null) return false;
  const ordered = votes.toSorted((a, b) => a.validatorIndex - b.validatorIndex);
  const certified = withCertifiedQuorum(set, { blockHash: first.blockHash, votes: ordered });
  putRound(transition, first.type === "prevote" ? { ...known, prevotes: certified } : { ...known, precommits: certified });
  return true;
}
