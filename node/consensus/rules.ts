// The "upon" rules of the paper, applied until none fires. Each fires on the messages of the current round unless said otherwise.
import type { HashHex } from "#shared/protocol/chain/header.ts";
import { proposerOf } from "#shared/protocol/chain/proposers.ts";
import type { VoteType } from "#shared/protocol/chain/vote.ts";
import { commitOf } from "./certificates.ts";
import { endIdleRound, isDecisionRequested, skipRound } from "./rounds.ts";
import type { ConsensusState, RoundState } from "./state.ts";
import { emit, findRound, patch, putRound, requestValidation, scheduleTimeout, type Transition, validityOf } from "./transition.ts";
import { hasAnyQuorum } from "./vote-set.ts";

/** Applies the rules until none fires. */
export function applyRules(transition: Transition): void {
  while (applyOne(transition));
}

/** Signs and sends a vote of the current round, and moves to its step. */
export function castVote(transition: Transition, type: VoteType, blockHash: HashHex | null): void {
  const { height, round, ownIndex } = transition.state;
  patch(transition, { step: type, isIdleRound: false });
  if (ownIndex === null) return;
  emit(transition, { type: "sign", message: { type: "vote", vote: { type, height, round, blockHash, validatorIndex: ownIndex } } });
}

function applyOne(transition: Transition): boolean {
  if (transition.state.step === "decided") return false;
  if (decide(transition)) return true;
  if (transition.state.step === "idle") return false;
  if (skipRound(transition)) return true;
  const current = findRound(transition.state, transition.state.round);
  if (current === undefined) return false;
  return (
    wakeIdleRound(transition) ||
    prevoteOnProposal(transition, current) ||
    prevoteWithoutProposal(transition, current) ||
    handlePolka(transition, current) ||
    precommitNil(transition, current) ||
    schedulePrevoteTimeout(transition, current) ||
    schedulePrecommitTimeout(transition, current)
  );
}

function wakeIdleRound(transition: Transition): boolean {
  return isDecisionRequested(transition.state) && endIdleRound(transition);
}

/** L49: a quorum of precommits of any round decides. The value must be known and valid; how it arrived does not matter. */
function decide(transition: Transition): boolean {
  const { state } = transition;
  const commit = state.commit ?? committedIn(state);
  if (commit === null) return false;
  const isValid = validityOf(state, commit.blockHash);
  if (isValid === false) {
    patch(transition, { step: "decided" });
    emit(transition, { type: "halt", reason: `More than two thirds committed block ${commit.blockHash}, which is invalid here` });
    return true;
  }
  if (isValid !== true) return false; // L50: wait for valid(v), or for the block
  patch(transition, { step: "decided" }); // L51
  emit(transition, { type: "cancelTimeouts" });
  emit(transition, { type: "decide", blockHash: commit.blockHash, commit });
  return true;
}

function committedIn(state: ConsensusState): ReturnType<typeof commitOf> | null {
  for (const { precommits } of state.rounds) {
    if (precommits.quorum !== null && precommits.quorum.blockHash !== null) return commitOf(precommits);
  }
  return null;
}

/** L22 and L28: prevote for an acceptable proposal, nil for another. */
function prevoteOnProposal(transition: Transition, current: RoundState): boolean {
  const { state } = transition;
  if (state.step !== "propose" || current.proposal === null) return false;
  const { proposal, isTimely } = current.proposal;
  const isValid = validityOf(state, proposal.blockHash);
  if (typeof isValid !== "boolean") return false;
  if (proposal.validRound === -1) {
    // L23. A block's time is judged here only: a polka shows that others found it timely.
    const isAcceptable = isValid && isTimely && (state.lockedRound === -1 || state.lockedHash === proposal.blockHash);
    castVote(transition, "prevote", isAcceptable ? proposal.blockHash : null); // L24, L26, L27
    return true;
  }
  const polka = findRound(state, proposal.validRound)?.prevotes.quorum; // L28
  if (polka?.blockHash !== proposal.blockHash) return false;
  const isAcceptable = isValid && (state.lockedRound <= proposal.validRound || state.lockedHash === proposal.blockHash); // L29
  castVote(transition, "prevote", isAcceptable ? proposal.blockHash : null); // L30, L32, L33
  return true;
}

/**
 * L59 without its wait: there will be no proposal. The proposer has nothing to propose and another one has given the round up, or the
 * proposer itself has. Alone it does not: what it lacks may be on its way.
 */
function prevoteWithoutProposal(transition: Transition, { proposal, prevotes }: RoundState): boolean {
  const { round, step, proposers, isIdleRound, hasNothing } = transition.state;
  if (step !== "propose" || isIdleRound || proposal !== null) return false;
  const proposer = proposerOf(proposers, round);
  const isGivenUp = hasNothing ? prevotes.votes.some((vote) => vote?.blockHash === null) : prevotes.votes[proposer]?.blockHash === null;
  if (!isGivenUp) return false;
  patch(transition, { isBuilding: false });
  castVote(transition, "prevote", null);
  return true;
}

/**
 * L36: a polka for a valid value locks it (while prevoting) and makes it the valid value. The proposal of the round need not have
 * arrived when its value is known: the polka shows that there was one.
 */
function handlePolka(transition: Transition, current: RoundState): boolean {
  const { state } = transition;
  const polka = current.prevotes.quorum;
  if (current.hasHandledPolka || state.step === "propose" || polka === null || polka.blockHash === null) return false;
  if (validityOf(state, polka.blockHash) !== true) return false;
  putRound(transition, { ...current, hasHandledPolka: true });
  patch(transition, { validHash: polka.blockHash, validRound: state.round }); // L42, L43
  if (state.step === "prevote") {
    patch(transition, { lockedHash: polka.blockHash, lockedRound: state.round }); // L38, L39
    castVote(transition, "precommit", polka.blockHash); // L40, L41
  }
  return true;
}

/** L44: a polka for nil. */
function precommitNil(transition: Transition, current: RoundState): boolean {
  if (transition.state.step !== "prevote" || current.prevotes.quorum === null || current.prevotes.quorum.blockHash !== null) return false;
  castVote(transition, "precommit", null); // L45, L46
  return true;
}

/** L34: enough prevotes, but no agreement yet. */
function schedulePrevoteTimeout(transition: Transition, current: RoundState): boolean {
  if (transition.state.step !== "prevote" || current.hasPrevoteTimeout || !hasAnyQuorum(current.prevotes)) return false;
  putRound(transition, { ...current, hasPrevoteTimeout: true });
  scheduleTimeout(transition, "prevote"); // L35
  return true;
}

/** L47: enough precommits, but no decision yet. */
function schedulePrecommitTimeout(transition: Transition, current: RoundState): boolean {
  if (current.hasPrecommitTimeout || !hasAnyQuorum(current.precommits)) return false;
  putRound(transition, { ...current, hasPrecommitTimeout: true });
  scheduleTimeout(transition, "precommit"); // L48
  return true;
}

/** Takes a verified commit of the height; its block is executed unless that was done. */
export function adoptCommit(transition: Transition, commit: NonNullable<ConsensusState["commit"]>): void {
  patch(transition, { commit });
  requestValidation(transition, commit.blockHash);
}
