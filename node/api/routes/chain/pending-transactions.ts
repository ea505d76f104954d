// Transactions that wait for a block, in the words of the public interface.

import type { PendingTransaction } from "#shared/api/schemas/chain.ts";
import type { ChainTransactionDetail } from "#shared/api/schemas/chain-v2.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

/** As `/api/tx` shows it. */
export function pendingTransaction(tx: Transaction): PendingTransaction {
  return {
    ...signedFields(tx),
    amount: formatAmount(tx.amount),
    fee: formatAmount(tx.fee),
    ...rawFields(tx),
  };
}

/** As `/v2/chain/transactions` shows it. */
export function pendingChainTransaction(tx: Transaction): ChainTransactionDetail {
  const memo = tx.type === "TRANSFER" ? decodePayload(tx.payload)?.memo : undefined;
  return { tx: { ...signedFields(tx), memo: typeof memo === "string" ? memo : "" }, ...rawFields(tx) };
}

function signedFields(tx: Transaction): Omit<PendingTransaction, "amount" | "fee" | "payload" | "payload_hex" | "signature_hex"> {
  return {
    id: tx.id,
    type: tx.type,
    from: tx.from,
    from_addr: formatAddress(tx.from),
    to: tx.to,
    to_addr: tx.to === "" ? "" : formatAddress(tx.to),
    amount_ut: tx.amount,
    fee_ut: tx.fee,
    time: tx.timestamp,
    status: "pending",
  };
}

function rawFields({ payload, signature }: Transaction): Pick<PendingTransaction, "payload" | "payload_hex" | "signature_hex"> {
  const decoded = payload === "" ? undefined : decodePayload(payload);
  return {
    ...(decoded === undefined ? {} : { payload: decoded }),
    payload_hex: Buffer.from(payload, "base64").toString("hex"),
    signature_hex: Buffer.from(signature, "base64").toString("hex"),
  };
}
