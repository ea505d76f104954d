// What a transaction did in its block. Part of what validators agree on: stable codes only, never exception text.
import { fromHex } from "#shared/util/bytes.ts";
import type { PublicKeyHex } from "./address.ts";
import type { AmountUt } from "./amount.ts";
import { encodeCbor } from "./cbor.ts";

/** A line that a contract logged. */
export interface ReceiptLog {
  /** 16 hex characters, or "" for a line of a transaction that is no call. */
  readonly contractId: string;
  readonly message: string;
}

/** Outcome of one transaction. A failed one changed nothing but paid its fee and its gas. */
export interface Receipt {
  readonly txId: string;
  readonly isOk: boolean;
  /** Stable failure code, "" on success. */
  readonly code: string;
  /** What the proposer of the block got: the fee and the price of the gas, µT. */
  readonly feeUt: AmountUt;
  readonly gasUsed: number;
  readonly logs: readonly ReceiptLog[];
  /** Keys beside `from` and `to` in whose history the transaction stands, ascending: their balance, bond or wallet changed. */
  readonly touched: readonly PublicKeyHex[];
}

/** CBOR of [id, ok, code, fee, gas, [[contract, message]…], [key…]]: a leaf of the receipts root. */
export function encodeReceipt(receipt: Receipt): Uint8Array {
  return encodeCbor([
    receipt.txId,
    receipt.isOk,
    receipt.code,
    receipt.feeUt,
    receipt.gasUsed,
    receipt.logs.map((log) => [log.contractId, log.message]),
    receipt.touched.map(fromHex),
  ]);
}
