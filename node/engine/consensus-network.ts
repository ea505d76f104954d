// How the engine talks to the other validators. Delivery may lose, repeat and reorder.
import type { Block } from "#shared/protocol/chain/block.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Commit, Proposal, Vote } from "#shared/protocol/chain/vote.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

/** A message between validators. Nothing in a received one has been checked. */
export type ConsensusMessage =
  | { readonly type: "proposal"; readonly proposal: Proposal; readonly block: Block }
  | { readonly type: "vote"; readonly vote: Vote }
  /** Votes of one height, round and type that together are more than two thirds. */
  | { readonly type: "certificate"; readonly votes: readonly Vote[] }
  /** A decided block, for a node that missed the votes. */
  | { readonly type: "commit"; readonly commit: Commit; readonly block: Block }
  /** Transactions that wait too long for the block of a height: the others may not know them, and would sleep on. */
  | { readonly type: "work"; readonly height: Height; readonly transactions: readonly Transaction[] };

/** Most transactions of one `work` message. */
export const MAX_WORK_TRANSACTIONS = 64;

/** Sends to all other validators and hands over what they send. */
export interface ConsensusNetwork {
  broadcast(message: ConsensusMessage): void;
  /** Registers the receiver of messages; returns how to remove it. */
  onMessage(receive: (message: ConsensusMessage) => void): () => void;
}
