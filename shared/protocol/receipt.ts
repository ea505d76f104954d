// What a transaction did in its block. Part of what validators agree on: stable codes only, never exception text.
import type { AmountUt } from "./amount.ts";
import { encodeCbor } from "./cbor.ts";

/** A line that a contract logged. */
export interface ReceiptLog {
  readonly contractId: string;
  readonly message: string;
}

/** Outcome of one transaction. A failed one changed nothing but paid its fee. */
export interface Receipt {
  readonly txId: string;
  readonly isOk: boolean;
  /** Stable failure code, "" on success. */
  readonly code: string;
  readonly feeUt: AmountUt;
  readonly gasUsed: number;
  readonly logs: readonly ReceiptLog[];
}

/** CBOR of [id, ok, code, fee, gas, [[contract, message]…]]: a leaf of the receipts root. */
export function encodeReceipt(receipt: Receipt): Uint8Array {
  return encodeCbor([
    receipt.txId,
    receipt.isOk,
    receipt.code,
    receipt.feeUt,
    receipt.gasUsed,
    receipt.logs.map((log) => [log.contractId, log.message]),
  ]);
}
