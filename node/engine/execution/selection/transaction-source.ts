// Where blocks get their transactions from: the mempool, as the block executor sees it.
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

/** Pending transactions that passed the stateless check, signature included. */
export interface TransactionSource {
  /** Pending transactions for a block of the given time, in the order in which they should be tried. */
  candidates(blockTimeMs: number): Iterable<Transaction>;
  /** True when {@link candidates} has something; without large transactions and what waits behind one of its sender, if these have to wait. */
  hasPending(blockTimeMs: number, withLarge: boolean): boolean;
  /** The pending transaction with an id. */
  get(id: string): Transaction | undefined;
  /** Drops transactions that cannot be in any next block. */
  remove(ids: Iterable<string>): void;
}
