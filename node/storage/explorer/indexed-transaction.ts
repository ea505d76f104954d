// A transaction of a block, or the reward of one, as lists show it. Pure.

import type { Height } from "#shared/protocol/chain/header.ts";
import { formatTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import { BLOCK_REWARD, type ListedType, type Transaction } from "#shared/protocol/transactions/transaction.ts";
import { rewardId } from "#shared/protocol/transactions/transaction-id.ts";
import { assertInvariant } from "#shared/util/assert.ts";

/** Base64 characters of the shortest payload with a memo. */
const LEAST_MEMO_CHARS = 16;

/** A transaction, or the reward of a block, as the index shows it. */
export interface IndexedTransaction {
  readonly id: string;
  readonly type: ListedType;
  /** "" for a block reward. */
  readonly from: string;
  /** "" when the type has no recipient. */
  readonly to: string;
  readonly amountUt: number;
  /** What it paid to the proposer: its fee and the price of its gas. */
  readonly feeUt: number;
  /** The sender's time, `YYYY-MM-DDThh:mm:ssZ`; the block's for a reward. */
  readonly timestamp: string;
  /** Signed memo of a transfer, or "". */
  readonly memo: string;
  /** False when a rule forbade it: it changed nothing and paid its fee. */
  readonly isOk: boolean;
  /** Stable failure code, "" on success. */
  readonly code: string;
  readonly gasUsed: number;
  /** Base64 of the JSON payload, "" when there is none. */
  readonly payload: string;
  /** Base64 of 64 bytes, "" for a block reward. */
  readonly signature: string;
}

/** What the proposer of a block got. */
export interface IndexedReward {
  readonly to: string;
  readonly amountUt: number;
}

/** A transaction with its receipt. */
export function indexTransaction(tx: Transaction, receipt: Receipt | undefined): IndexedTransaction {
  assertInvariant(receipt?.txId === tx.id, "Receipts stand in the order of their transactions");
  return {
    id: tx.id,
    type: tx.type,
    from: tx.from,
    to: tx.to,
    amountUt: tx.amount,
    feeUt: receipt.feeUt,
    timestamp: tx.timestamp,
    memo: memoOf(tx.type, tx.payload),
    isOk: receipt.isOk,
    code: receipt.code,
    gasUsed: receipt.gasUsed,
    payload: tx.payload,
    signature: tx.signature,
  };
}

/** The reward of a block. */
export function indexReward(
  { height, timeMs }: { readonly height: Height; readonly timeMs: number },
  { to, amountUt }: IndexedReward,
): IndexedTransaction {
  return {
    id: rewardId(height),
    type: BLOCK_REWARD,
    from: "",
    to,
    amountUt,
    feeUt: 0,
    timestamp: formatTimestamp(timeMs),
    memo: "",
    isOk: true,
    code: "",
    gasUsed: 0,
    payload: "",
    signature: "",
  };
}

/** The memo of a transfer, or "". */
export function memoOf(type: ListedType, payload: string): string {
  if (type !== "TRANSFER" || payload.length < LEAST_MEMO_CHARS) return "";
  const memo = decodePayload(payload)?.memo;
  return typeof memo === "string" ? memo : "";
}
