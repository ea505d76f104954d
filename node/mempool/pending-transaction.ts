// One transaction of the pool with what the pool sorts and counts by.
import { largeBytes } from "#node/engine/execution/selection/payload-budget.ts";
import { gasLimitOf, paymentUt } from "#node/ledger/execute.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { NetworkParams } from "#shared/protocol/primitives/params.ts";
import { parseTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { gasPriceUt } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";

/** Rank of what no fee may displace. */
export const URGENT_RANK = Number.MAX_SAFE_INTEGER;

export interface PendingTransaction {
  readonly tx: Transaction;
  readonly sizeBytes: number;
  /** What it counts as a large transaction; 0 for an ordinary one. */
  readonly largeBytes: number;
  readonly timestampMs: number;
  /** Position in the order of arrival. */
  readonly arrival: number;
  /** What it is worth to the pool: µT for a byte of a block, see {@link feeRate}, or {@link URGENT_RANK}. */
  readonly rank: number;
  /** What it takes from its sender, where it is a payment and can do nothing else. */
  readonly paymentUt: AmountUt | undefined;
}

/** What a rank follows from beside the transaction. */
export interface RankInput {
  /** True for what no fee may displace. */
  readonly isUrgent: boolean;
  /** What a block has room for. */
  readonly block: Pick<NetworkParams, "max_block_bytes" | "max_block_txs" | "max_block_gas">;
}

/** Pending form of a parsed transaction. */
export function pendingTransaction(tx: Transaction, arrival: number, { isUrgent, block }: RankInput): PendingTransaction {
  const sizeBytes = encodeTransaction(tx).length;
  const rank = isUrgent ? URGENT_RANK : feeRate(tx, sizeBytes, block);
  const timestampMs = parseTimestamp(tx.timestamp) ?? 0;
  return { tx, sizeBytes, largeBytes: largeBytes(tx), timestampMs, arrival, rank, paymentUt: paymentUt(tx) };
}

/** A block is full of bytes, of transactions or of gas, whatever comes first: a transaction counts by the largest of its three shares. */
function feeRate(tx: Transaction, sizeBytes: number, block: RankInput["block"]): number {
  const gas = gasLimitOf(tx);
  const countBytes = block.max_block_bytes / block.max_block_txs;
  const gasBytes = (gas * block.max_block_bytes) / block.max_block_gas;
  return (tx.fee + gasPriceUt(gas)) / Math.max(sizeBytes, countBytes, gasBytes);
}
