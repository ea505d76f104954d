// Admission of transactions and notice of committed blocks.

import type { BlockReward } from "#node/ledger/execute.ts";
import type { Output } from "#shared/api/api.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { Awaitable } from "./awaitable.ts";

/** Admission of transactions. */
export interface TransactionPool {
  readonly size: number;
  /** One that waits for a block. */
  get(id: string): Transaction | undefined;
  /** Sum of the encoded sizes; absent where transactions wait elsewhere. */
  readonly bytes?: number;
  /** @throws CodedError with the reason; nothing was taken in. */
  submit(raw: unknown, nowMs: number): Awaitable<Output<"submitTransaction">>;
}

/** A block that became final. */
export interface CommittedBlock {
  readonly block: Block;
  readonly hash: HashHex;
  /** Receipts of its transactions, in order. */
  readonly receipts: readonly Receipt[];
  /** What its proposer got; undefined for an empty block. */
  readonly reward: BlockReward | undefined;
}

/** What happens on the chain. */
export interface ChainEvents {
  /**
   * Calls back after each block that became final and durable; returns the way to stop that. A node that has to fetch blocks leaves those
   * out that have no subscribers when they come: `hasSubscribers` is called then, and always true when absent.
   */
  onCommit(listener: (block: CommittedBlock) => void, hasSubscribers?: () => boolean): () => void;
  /** Calls back when blocks with subscribers were left out because they were too many; absent where that cannot be. */
  onSkipped?(listener: () => void): () => void;
}

/** Where a reader is: the events of a block from a position on come next. */
export interface StreamPosition {
  readonly height: Height;
  readonly skip: number;
}

/** Events of one or more blocks. */
export interface EventChunk {
  readonly bytes: Uint8Array;
  /** Block that comes after them. */
  readonly next: Height;
}
