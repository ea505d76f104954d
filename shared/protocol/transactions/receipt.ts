// What a transaction did in its block. Part of what validators agree on: stable codes only, never exception text.
import { type Codec, encode, type TypeOf } from "#shared/codec/codec.ts";
import { embedded, fields, list, record } from "#shared/codec/composites.ts";
import { boolean, bytesUpTo, hex, integer, textUpTo } from "#shared/codec/scalars.ts";
import { MOST_BLOCK_TXS } from "../primitives/limits.ts";

const logCodec = record({
  /** 16 hex characters, or "" for a line of a transaction that is no call. */
  contractId: textUpTo(),
  message: textUpTo(),
});

/** A line that a contract logged. */
export type ReceiptLog = TypeOf<typeof logCodec>;

const OUTCOME = {
  isOk: boolean,
  /** Stable failure code, "" on success. */
  code: textUpTo(),
  /** What the proposer of the block got: the fee and the price of the gas, µT. */
  feeUt: integer(),
  gasUsed: integer(),
  logs: list(logCodec),
  /** Keys beside `from` and `to` in whose history the transaction is, ascending: their balance, bond or wallet changed. */
  touched: list(hex(32)),
};

/** The fields of a receipt after the id. */
export const outcomeCodec = fields(OUTCOME);

/** [id, ok, code, fee, gas, [[contract, message]…], [key…]] */
export const receiptCodec = record({ txId: textUpTo(), ...OUTCOME });

/** Outcome of one transaction. A failed one changed nothing but paid its fee and its gas. */
export type Receipt = TypeOf<typeof receiptCodec>;

/** The receipts of a block, each as a byte string that holds its encoding: still encoded, or read. */
export const encodedReceiptsCodec: Codec<readonly Uint8Array[]> = list(bytesUpTo(), MOST_BLOCK_TXS);
export const receiptsCodec: Codec<readonly Receipt[]> = list(embedded(receiptCodec), MOST_BLOCK_TXS);

/** A leaf of the receipts root. */
export function encodeReceipt(receipt: Receipt): Uint8Array {
  return encode(receiptCodec, receipt);
}
