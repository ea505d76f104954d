// State of the Tendermint core for one height. Names follow the paper (arXiv 1807.04938, algorithm 1) where it has them.
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import type { Commit, Proposal, Vote } from "#shared/protocol/chain/vote.ts";
import { emptyVoteSet, type VoteSet } from "./vote-set.ts";

/** `idle` waits for something to decide, without timers; `decided` waits for the next height. The rest is the paper's step_p. */
export type Step = "idle" | "propose" | "prevote" | "precommit" | "decided";

/** Durations in ms. A round's timeout is its base plus `deltaMs` a round. */
export interface RoundTimeouts {
  readonly proposeMs: number;
  readonly prevoteMs: number;
  readonly precommitMs: number;
  readonly deltaMs: number;
  /** How often own messages of the current round are sent again: gossip never redelivers. */
  readonly rebroadcastMs: number;
}

/** A proposal with the receiver's judgement of its block's time (proposer-based time). */
export interface ReceivedProposal {
  readonly proposal: Proposal;
  readonly isTimely: boolean;
}

/** What was received for one round. */
export interface RoundState {
  readonly round: number;
  readonly proposal: ReceivedProposal | null;
  readonly hasReportedProposer: boolean;
  readonly prevotes: VoteSet;
  readonly precommits: VoteSet;
  /** "For the first time" of L34, L36 and L47. */
  readonly hasPrevoteTimeout: boolean;
  readonly hasHandledPolka: boolean;
  readonly hasPrecommitTimeout: boolean;
}

/** Latest votes of a validator that is more than one round ahead. */
export interface FutureVotes {
  readonly round: number;
  /** How often the round has changed. */
  readonly moves: number;
  readonly prevote: Vote | null;
  readonly precommit: Vote | null;
}

/** valid(v) of a block hash; null while the result is awaited. */
export interface Validation {
  readonly blockHash: HashHex;
  readonly isValid: boolean | null;
}

/** State of the core. Never changed in place. */
export interface ConsensusState {
  readonly timeouts: RoundTimeouts;
  readonly height: Height;
  readonly validatorCount: number;
  /** Own position in the set, null when only watching. */
  readonly ownIndex: number | null;
  /** Validators by their rounds. */
  readonly proposers: readonly number[];
  readonly round: number;
  readonly step: Step;
  readonly lockedHash: HashHex | null;
  readonly lockedRound: number;
  readonly validHash: HashHex | null;
  readonly validRound: number;
  /** Ascending by round; none above the next round. Grows by one a round, and rounds grow longer. */
  readonly rounds: readonly RoundState[];
  /** By validator index: only the highest round of each, so a flood of rounds costs nothing. */
  readonly future: readonly (FutureVotes | null)[];
  readonly validations: readonly Validation[];
  /** A verified commit that was received whole. */
  readonly commit: Commit | null;
  /** True while the block of the own proposal is being built. */
  readonly isBuilding: boolean;
  /** True when this node was asked for a block of the round and had nothing to propose. */
  readonly hasNothing: boolean;
  /** True while the round waits without a propose timeout: as far as this node knows there is nothing to decide. */
  readonly isIdleRound: boolean;
}

/** State before the first height: ignores everything but `startHeight`. */
export function initialState(timeouts: RoundTimeouts): ConsensusState {
  return { ...heightState(timeouts, { height: 0, validatorCount: 0, ownIndex: null, proposers: [] }), step: "decided" };
}

/** State at the start of a height (L3–L9, L53). */
export function heightState(
  timeouts: RoundTimeouts,
  start: Pick<ConsensusState, "height" | "validatorCount" | "ownIndex" | "proposers">,
): ConsensusState {
  return {
    timeouts,
    height: start.height,
    validatorCount: start.validatorCount,
    ownIndex: start.ownIndex,
    proposers: start.proposers,
    round: 0,
    step: "idle",
    lockedHash: null,
    lockedRound: -1,
    validHash: null,
    validRound: -1,
    rounds: [],
    future: Array.from({ length: start.validatorCount }, () => null),
    validations: [],
    commit: null,
    isBuilding: false,
    hasNothing: false,
    isIdleRound: false,
  };
}

/** A round without messages. */
export function emptyRound(round: number, size: number): RoundState {
  return {
    round,
    proposal: null,
    hasReportedProposer: false,
    prevotes: emptyVoteSet(size),
    precommits: emptyVoteSet(size),
    hasPrevoteTimeout: false,
    hasHandledPolka: false,
    hasPrecommitTimeout: false,
  };
}
