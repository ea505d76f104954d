// Everything that can happen to the core. Signatures are checked before; block bodies stay outside, a value is a block hash.
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import type { Commit, Proposal, Vote } from "#shared/protocol/chain/vote.ts";

/** A timeout of the paper, or the rebroadcast of own messages. */
export type TimeoutKind = "propose" | "prevote" | "precommit" | "rebroadcast";

/** A timeout and the round that it belongs to. */
export interface Timeout {
  readonly kind: TimeoutKind;
  readonly height: Height;
  readonly round: number;
}

/** Begins a height. `ownIndex` is null when this node does not vote at it. */
export interface StartHeightInput {
  readonly type: "startHeight";
  readonly height: Height;
  readonly validatorCount: number;
  readonly ownIndex: number | null;
  /** Validators by their rounds, all of them once; the proposer of round r is number r mod count. */
  readonly proposers: readonly number[];
}

/** There is something to decide at the height: starts it, or ends the wait of its idle round. */
export interface WorkAvailableInput {
  readonly type: "workAvailable";
  readonly height: Height;
}

/** A proposal whose signature verified and whose block is at hand. `isTimely` is the receiver's judgement of the block's time. */
export interface ProposalInput {
  readonly type: "proposal";
  readonly proposal: Proposal;
  readonly isTimely: boolean;
}

/** A vote whose signature verified; own votes come back this way once signed. */
export interface VoteInput {
  readonly type: "vote";
  readonly vote: Vote;
}

/** Verified votes of one height, round and type that together are more than two thirds (a polka, or a finished round). */
export interface CertificateInput {
  readonly type: "certificate";
  readonly votes: readonly Vote[];
}

/** A verified commit whose block is at hand. */
export interface CommitInput {
  readonly type: "commit";
  readonly commit: Commit;
}

/** The result of a `validateBlock` effect: valid(v). */
export interface BlockValidatedInput {
  readonly type: "blockValidated";
  readonly height: Height;
  readonly blockHash: HashHex;
  readonly isValid: boolean;
}

/** The result of a `buildBlock` effect: getValue(). */
export interface ProposalBuiltInput {
  readonly type: "proposalBuilt";
  readonly height: Height;
  readonly round: number;
  readonly blockHash: HashHex;
}

/** The result of a `buildBlock` effect while there is nothing to propose. A `proposalBuilt` may still follow. */
export interface NothingToProposeInput {
  readonly type: "nothingToPropose";
  readonly height: Height;
  readonly round: number;
}

/** A scheduled timeout elapsed. */
export interface TimeoutElapsedInput {
  readonly type: "timeoutElapsed";
  readonly timeout: Timeout;
}

/** An input of the core. */
export type ConsensusInput =
  | StartHeightInput
  | WorkAvailableInput
  | ProposalInput
  | VoteInput
  | CertificateInput
  | CommitInput
  | BlockValidatedInput
  | ProposalBuiltInput
  | NothingToProposeInput
  | TimeoutElapsedInput;

/** Inputs that the write-ahead log records; a height's start is known from the chain itself. */
export type LoggedInput = Exclude<ConsensusInput, StartHeightInput>;
