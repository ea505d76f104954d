// What a consensus engine can be asked and what it takes in.
import type { Step } from "#node/consensus/state.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Proposal } from "#shared/protocol/chain/vote.ts";
import type { DecidedBlock, FollowOutcome } from "./execution/decided-block.ts";

/** What the engine is doing. `isVoting` says whether this node votes at the current height. */
export interface EngineStatus {
  readonly phase: "new" | "running" | "stopped" | "failed";
  readonly height: Height;
  readonly round: number;
  readonly step: Step;
  readonly isVoting: boolean;
}

/** What a proposal is of use for: now, once the next height begins, or for nothing. */
export type ProposalUse = "now" | "early" | "none";

/** The running engine. All callbacks come from the event loop, in order, never from inside a call to the engine. */
export interface ConsensusEngine {
  /** Restores the height from the log, then takes messages and work. @throws CodedError VALIDATOR_UNSAFE, STORAGE_CORRUPT. */
  start(): void;
  /** Stops at once; nothing is signed or committed afterwards. Safe to call twice. */
  stop(): void;
  /** There may be work: call after a transaction or evidence became pending. Cheap; never builds a block inside the call. */
  notifyWork(): void;
  /**
   * Takes in blocks without gaps that others decided, through the same mailbox as everything else: as many of them as are proven, made
   * durable together. What is handed in while earlier ones are being stored is executed meanwhile.
   * @returns what became of the first that was new.
   */
  applyBatch(batch: readonly DecidedBlock[]): Promise<FollowOutcome>;
  /** What a proposal would be of use for with its block. Its signature is not looked at. */
  proposalUse(proposal: Proposal): ProposalUse;
  /** While abstaining the engine follows and signs nothing: this node is known to be behind. */
  setAbstaining(isAbstaining: boolean): void;
  /** Calls the listener after each durable commit; returns how to remove it. */
  onCommit(listener: (decided: DecidedBlock) => void): () => void;
  status(): EngineStatus;
}
