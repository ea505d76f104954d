// Records of transactions of which only the id matters.
import { type EncodedRecord, packGroups } from "#node/storage/history/records/record-groups.ts";
import { encodeReceipt, type Receipt } from "#shared/protocol/transactions/receipt.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";

const TRANSFER = {
  type: "TRANSFER",
  from: "11".repeat(32),
  to: "22".repeat(32),
  amount: 1,
  fee: 1,
  payload: "",
  timestamp: "2026-01-01T00:00:00Z",
  signature: Buffer.alloc(64, 7).toString("base64"),
} as const;

/** A successful transfer with an id, and lines that it may have logged. */
export function plainRecord(id: string, logs: Receipt["logs"] = []): EncodedRecord {
  return {
    transaction: encodeTransaction({ ...TRANSFER, id }),
    receipt: encodeReceipt({ txId: id, isOk: true, code: "", feeUt: 1, gasUsed: 0, logs, touched: [] }),
  };
}

/** Groups of such transfers, as a block stores them. */
export function plainGroups(ids: readonly string[]): readonly Uint8Array[] {
  return packGroups(ids.map((id) => plainRecord(id)));
}
