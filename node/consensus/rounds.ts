// Entering rounds: StartRound of the paper, and the skip to a round that others have reached.
import { proposerOf } from "#shared/protocol/chain/proposers.ts";
import type { Vote } from "#shared/protocol/chain/vote.ts";
import type { ConsensusState, FutureVotes } from "./state.ts";
import { emit, findRound, patch, putRound, requestValidation, roundOf, scheduleTimeout, type Transition } from "./transition.ts";
import { addToVoteSet } from "./vote-set.ts";

/** How often a validator may move its latest round beyond the next one; more is noise that would only fill the log. */
const MAX_FUTURE_MOVES = 64;

/**
 * L11: enters a round; the proposer proposes, the others wait for it. On a chain of on-demand blocks a height may have been woken
 * for nothing (a transaction that no proposer can use). So a later round is idle, without a propose timeout, until this node has
 * work or receives a vote: then a decision is requested. A locked or valid value may be half decided and is never left waiting.
 */
export function startRound(transition: Transition, round: number): void {
  patch(transition, { round, step: "propose", isBuilding: false, hasNothing: false, isIdleRound: false }); // L12, L13
  emit(transition, { type: "cancelTimeouts" });
  adoptFutureVotes(transition);
  const { height, validatorCount, ownIndex, proposers, validHash, validRound } = transition.state;
  // A sole validator waits for no other.
  if (validatorCount > 1) {
    scheduleTimeout(transition, "rebroadcast");
    // L21. The proposer waits as well: it may have nothing to propose.
    if (round === 0 || isDecisionRequested(transition.state)) scheduleTimeout(transition, "propose");
    else {
      patch(transition, { isIdleRound: true });
      emit(transition, { type: "awaitWork", height, round });
    }
  }
  const early = findRound(transition.state, round)?.proposal?.proposal;
  if (early !== undefined) requestValidation(transition, early.blockHash);
  if (ownIndex === null || proposerOf(proposers, round) !== ownIndex) return; // L14
  if (validHash !== null) {
    // L16, L19
    const proposal = { height, round, validRound, blockHash: validHash, validatorIndex: ownIndex };
    emit(transition, { type: "sign", message: { type: "proposal", proposal } });
  } else {
    patch(transition, { isBuilding: true });
    emit(transition, { type: "buildBlock", height, round }); // L18
  }
}

/** Ends an idle round, for a decision is requested. True when the round was idle. */
export function endIdleRound(transition: Transition): boolean {
  if (!transition.state.isIdleRound) return false;
  patch(transition, { isIdleRound: false });
  scheduleTimeout(transition, "propose"); // L21
  return true;
}

/** True when a message of the current round shows that a decision is requested, or a value may be half decided. */
export function isDecisionRequested(state: ConsensusState): boolean {
  if (state.lockedHash !== null || state.validHash !== null) return true;
  const { proposal, prevotes, precommits } = roundOf(state, state.round);
  return proposal !== null || prevotes.voters > 0 || precommits.voters > 0;
}

/** L55: skips to the highest round that more than a third of the validators have reached. True when it did. */
export function skipRound(transition: Transition): boolean {
  const { state } = transition;
  const target = reachableRound(state);
  if (target <= state.round) return false;
  startRound(transition, target); // L56
  return true;
}

/** Adds a vote of a round beyond the next one: only the highest round of each validator. True when it was new. */
export function addFutureVote(transition: Transition, vote: Vote): boolean {
  const { future } = transition.state;
  if (!isNewFutureVote(transition.state, vote)) return false;
  const known = future[vote.validatorIndex] ?? null;
  const moves = movesWith(known, vote);
  const base = known?.round === vote.round ? known : { round: vote.round, moves, prevote: null, precommit: null };
  patch(transition, { future: future.with(vote.validatorIndex, { ...base, [vote.type]: vote }) });
  return true;
}

/** True when {@link addFutureVote} would add a vote. */
export function isNewFutureVote({ future }: ConsensusState, vote: Vote): boolean {
  const known = future[vote.validatorIndex] ?? null;
  if (known !== null && (known.round > vote.round || (known.round === vote.round && known[vote.type] !== null))) return false;
  return movesWith(known, vote) <= MAX_FUTURE_MOVES;
}

function movesWith(known: FutureVotes | null, vote: Vote): number {
  return known === null ? 0 : known.moves + Number(known.round !== vote.round);
}

// An honest validator in round r has left all earlier rounds, so "in round r or later" may be counted together: the paper's
// rule asks for messages of one round, which a receiver that keeps only the highest one of each sender could miss.
function reachableRound(state: ConsensusState): number {
  const highest = Array.from({ length: state.validatorCount }, (_, index) => state.future[index]?.round ?? -1);
  for (const entry of state.rounds) {
    if (entry.round <= state.round) continue;
    for (let index = 0; index < highest.length; index += 1) {
      const hasMessage =
        entry.prevotes.votes[index] != null || entry.precommits.votes[index] != null || entry.proposal?.proposal.validatorIndex === index;
      if (hasMessage) highest[index] = Math.max(highest[index] ?? -1, entry.round);
    }
  }
  highest.sort((a, b) => b - a);
  return highest[Math.floor(state.validatorCount / 3)] ?? -1;
}

function adoptFutureVotes(transition: Transition): void {
  const { future, round } = transition.state;
  const isWithinReach = (entry: FutureVotes | null): entry is FutureVotes => entry !== null && entry.round <= round + 1;
  const adopted = future.filter(isWithinReach);
  if (adopted.length === 0) return;
  patch(transition, { future: future.map((entry) => (isWithinReach(entry) ? null : entry)) });
  for (const entry of adopted) {
    const known = roundOf(transition.state, entry.round);
    putRound(transition, {
      ...known,
      prevotes: entry.prevote === null ? known.prevotes : addToVoteSet(known.prevotes, entry.prevote).set,
      precommits: entry.precommit === null ? known.precommits : addToVoteSet(known.precommits, entry.precommit).set,
    });
  }
}
