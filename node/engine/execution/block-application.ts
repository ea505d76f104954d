// What the consensus engine needs from the chain below it. The engine never looks inside a block.
import type { Block } from "#shared/protocol/chain/block.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import type { Commit } from "#shared/protocol/chain/vote.ts";
import type { DecidedBlock } from "./decided-block.ts";

/** A built or validated block, executed and ready to be committed. */
export interface CandidateBlock {
  readonly block: Block;
  readonly hash: HashHex;
}

/** What the next block is built of. */
export interface BuildInput {
  readonly timeMs: number;
  readonly proposer: string;
  /** A commit of the tip that verifies; the stored one by default. */
  readonly lastCommit?: Commit;
  /** The limit of the protocol by default. */
  readonly maxBytes?: number;
}

/** Validation result of a proposed block; a rejected one gets a nil prevote. */
export type BlockValidation = { readonly isValid: true } | { readonly isValid: false; readonly reason: string };

/** The tip that the engine builds on. */
export interface ChainTip {
  readonly height: Height;
  readonly hash: HashHex;
  readonly timeMs: number;
  /** Commit of the tip; null at genesis. */
  readonly commit: Commit | null;
  /** Validators of height + 1. */
  readonly nextValidators: ValidatorSet;
  /** Indexes of these validators by the rounds of height + 1. */
  readonly proposers: readonly number[];
}

/** Builds, checks and applies blocks for one caller, the engine. All calls but two are synchronous. */
export interface BlockApplication {
  tip(): ChainTip;
  /** Version of the rules of the next height, when this program lacks it: nothing can be done above the tip then. */
  missingVersion?(): number | undefined;
  /** Validators by the rounds of the height after the next one, if this validator's block is decided and changes none of them. */
  proposersAfter(proposer: number): readonly number[];
  /** True when a block for the next height would have something to say at `nowMs`: transactions or evidence pending, or a heartbeat due. */
  hasWork(nowMs: number): boolean;
  /** How long after `nowMs` there is work because what is pending may be in a block only then; null when nothing waits for its time. */
  waitMs(nowMs: number): number | null;
  /**
   * Executes pending transactions on the tip and returns the next block; its time is at least `timeMs` and above the parent's. Once it has
   * `maxBytes` bytes of transactions it takes no more: the last one may go beyond, so that none is too large for a small block.
   */
  buildBlock(input: BuildInput): CandidateBlock;
  /** The same block, with what is known of its transactions already. */
  reusePooledTransactions(block: Block): Block;
  /**
   * Checks in another thread what can be checked of a block without its parent, so that {@link BlockApplication.validateBlock} is
   * quick afterwards. Null when that is not worth the way; nothing depends on it but time.
   */
  prepareBlock(block: Block): Promise<void> | null;
  /** Executes a proposed block on the tip and compares every header field. The engine checks the proposal's signature and time. */
  validateBlock(block: Block): BlockValidation;
  /**
   * Executes decided blocks before it is their turn: the first on the tip or on what was executed so before, which need not be durable
   * yet, each other one on the one before it. Ends at the first that its commit does not prove. Changes nothing but time.
   * @returns the validators who decided each of the blocks that are executed now; a list as long as their batch.
   * @throws CodedError INVARIANT when a proven block is invalid here: then this node and more than two thirds disagree.
   */
  executeSpeculatively(batch: readonly DecidedBlock[]): readonly ValidatorSet[];
  /**
   * Makes the next decided blocks durable, all in one transaction: a small batch before the call returns, others on another thread where
   * that is worth the way. What was executed of them before is not executed again. Until it resolves, nothing may be called but
   * {@link BlockApplication.tip}, which may be the old one, {@link BlockApplication.hasWork}, {@link BlockApplication.waitMs},
   * {@link BlockApplication.reusePooledTransactions} and {@link BlockApplication.executeSpeculatively}.
   * @throws CodedError INVARIANT when a block is not the next one, not proven or invalid, or storage fails: the engine then stops.
   */
  apply(batch: readonly DecidedBlock[]): Promise<void>;
}
