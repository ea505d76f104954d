// Proven transactions and rewards in the form of the explorer's index.
import type { StateReads } from "#node/explorer/chain-reads.ts";
import { readParamsOf } from "#node/ledger/records/params-records.ts";
import type { TransactionDetail } from "#node/storage/explorer/indexed-record.ts";
import { type IndexedTransaction, indexReward, indexTransaction } from "#node/storage/explorer/indexed-transaction.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import type { ProvenBody, ProvenTransaction } from "../light-source.ts";
import type { Rewarded } from "./hints.ts";

/** A proven transaction as the index has it. */
export function transactionDetail({ at, transaction, receipt }: ProvenTransaction): TransactionDetail {
  return detailOf(indexTransaction(transaction, receipt), at);
}

/** Transactions of a block, in order and without the reward. */
export function entriesOf({ at, block, receipts }: ProvenBody): TransactionDetail[] {
  return block.transactions.map((tx, position) => detailOf(indexTransaction(tx, receipts[position]), at));
}

/** The reward of a block with transactions: its fees by their receipts, and the subsidy by the parameters that its header names. */
export function rewardDetail(
  { at, block, receipts }: ProvenBody,
  { to, first }: Rewarded,
  state: Pick<StateReads, "get" | "next">,
): TransactionDetail | undefined {
  const params = readParamsOf(state, first, at.header.paramsHash);
  if (block.transactions.length === 0 || params === undefined) return undefined;
  const subsidyUt = params.block_reward_ut;
  const feesUt = receipts.reduce((sum, { feeUt }) => sum + feeUt, 0);
  return detailOf(indexReward(at.header, { to, amountUt: subsidyUt + feesUt }), at);
}

function detailOf(entry: IndexedTransaction, { hash, header }: TrustedBlock): TransactionDetail {
  return { ...entry, blockHeight: header.height, blockHash: hash, blockTimeMs: header.timeMs };
}
