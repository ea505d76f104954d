// One transaction of the pool with what the pool sorts and counts by.
import { paymentUt } from "#node/ledger/execute.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { parseTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";

/** Rank of what no fee may displace. */
export const URGENT_RANK = Number.MAX_SAFE_INTEGER;

export interface PendingTransaction {
  readonly tx: Transaction;
  readonly sizeBytes: number;
  readonly timestampMs: number;
  /** Position in the order of arrival. */
  readonly arrival: number;
  /** What it is worth to the pool: its fee, or {@link URGENT_RANK}. */
  readonly rank: number;
  /** What it takes from its sender, where it is a payment and can do nothing else. */
  readonly paymentUt: AmountUt | undefined;
}

/** Pending form of a parsed transaction. */
export function pendingTransaction(tx: Transaction, arrival: number, isUrgent: boolean): PendingTransaction {
  const rank = isUrgent ? URGENT_RANK : tx.fee;
  const timestampMs = parseTimestamp(tx.timestamp) ?? 0;
  return { tx, sizeBytes: encodeTransaction(tx).length, timestampMs, arrival, rank, paymentUt: paymentUt(tx) };
}

/** Lowest rank first, newest first among equals: the order in which a full pool gives transactions up. */
export function compareForEviction(a: PendingTransaction, b: PendingTransaction): number {
  return a.rank - b.rank || b.arrival - a.arrival;
}
