// Proven transactions and rewards in the form of the explorer's index.
import { indexReward, indexTransaction } from "#node/engine/execution/block-index.ts";
import type { StateReads } from "#node/explorer/chain-reads.ts";
import { readParamsOf } from "#node/ledger/records/params-records.ts";
import type { TransactionDetail } from "#node/storage/explorer/explorer-repository.ts";
import type { IndexedTransaction } from "#node/storage/explorer/explorer-writer.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { REWARD_ID_PREFIX } from "#shared/protocol/transactions/transaction-id.ts";
import type { ProvenBody, ProvenTransaction } from "../light-source.ts";
import type { Rewarded } from "./hints.ts";

const HEIGHT = /^(?:0|[1-9]\d{0,14})$/;

/** A proven transaction as the index has it. */
export function transactionDetail({ at, transaction, receipt, position }: ProvenTransaction): TransactionDetail {
  return detailOf(indexTransaction(transaction, receipt, position), at);
}

/** Transactions of a block, in order and without the reward. */
export function entriesOf({ at, block, receipts }: ProvenBody): TransactionDetail[] {
  return block.transactions.map((tx, position) => detailOf(indexTransaction(tx, receipts[position], position), at));
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
  return detailOf(indexReward(at, { to, subsidyUt, feesUt }), at);
}

/** Height of the block whose reward has this id; undefined for the id of a transaction. */
export function rewardHeight(id: string): Height | undefined {
  const digits = id.startsWith(REWARD_ID_PREFIX) ? id.slice(REWARD_ID_PREFIX.length) : "";
  return HEIGHT.test(digits) ? Number(digits) : undefined;
}

function detailOf(
  { position: _position, accounts: _accounts, ...entry }: IndexedTransaction,
  { hash, header }: TrustedBlock,
): TransactionDetail {
  return { ...entry, blockHeight: header.height, blockHash: hash, blockTimeMs: header.timeMs };
}
