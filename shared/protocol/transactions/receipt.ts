// What a transaction did in its block. Part of what validators agree on: stable codes only, never exception text.
import { type Codec, encode } from "#shared/codec/codec.ts";
import { embedded, list, record } from "#shared/codec/composites.ts";
import { boolean, bytesUpTo, hex, integer, textUpTo } from "#shared/codec/scalars.ts";
import type { PublicKeyHex } from "../primitives/address.ts";
import type { AmountUt } from "../primitives/amount.ts";
import { MAX_BLOCK_TXS } from "../primitives/limits.ts";

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

/** [id, ok, code, fee, gas, [[contract, message]…], [key…]] */
export const receiptCodec: Codec<Receipt> = record({
  txId: textUpTo(),
  isOk: boolean,
  code: textUpTo(),
  feeUt: integer(),
  gasUsed: integer(),
  logs: list(record({ contractId: textUpTo(), message: textUpTo() })),
  touched: list(hex(32)),
});

/** The receipts of a block, each as a byte string that holds its encoding: still encoded, or read. */
export const encodedReceiptsCodec: Codec<readonly Uint8Array[]> = list(bytesUpTo(), MAX_BLOCK_TXS);
export const receiptsCodec: Codec<readonly Receipt[]> = list(embedded(receiptCodec), MAX_BLOCK_TXS);

/** A leaf of the receipts root. */
export function encodeReceipt(receipt: Receipt): Uint8Array {
  return encode(receiptCodec, receipt);
}
