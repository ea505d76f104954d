// One transaction of the pool with what the pool sorts and counts by.
import { parseTimestamp } from "#shared/protocol/timestamp.ts";
import type { Transaction } from "#shared/protocol/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transaction-encoding.ts";

/** A pending transaction. */
export interface PendingTransaction {
  readonly tx: Transaction;
  readonly sizeBytes: number;
  readonly timestampMs: number;
  /** Position in the order of arrival. */
  readonly arrival: number;
}

/** Pending form of a parsed transaction. */
export function pendingTransaction(tx: Transaction, arrival: number): PendingTransaction {
  return { tx, sizeBytes: encodeTransaction(tx).length, timestampMs: parseTimestamp(tx.timestamp) ?? 0, arrival };
}

/** Lowest fee first, newest first among equals: the order in which a full pool gives transactions up. */
export function compareForEviction(a: PendingTransaction, b: PendingTransaction): number {
  return a.tx.fee - b.tx.fee || b.arrival - a.arrival;
}
