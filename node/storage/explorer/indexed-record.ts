// Stored records as lists and details show them, straight from their bytes.
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import type { TransactionType } from "#shared/protocol/transactions/transaction.ts";
import { type IndexedTransaction, memoOf } from "./indexed-transaction.ts";
import { RecordCursor } from "./record-cursor.ts";

/** The block that holds a transaction. */
export interface BlockReference {
  readonly blockHeight: Height;
  readonly blockHash: HashHex;
  readonly blockTimeMs: number;
}

/** A transaction with all that is known of it. */
export interface TransactionDetail extends IndexedTransaction, BlockReference {}

/** Line of a list of transactions. */
export type TransactionEntry = Omit<TransactionDetail, "payload" | "signature">;

const TRANSACTION_FIELDS = 9;

/** A record in a block. @throws TypeError on bytes that are none */
export function readDetail(record: Uint8Array, block: BlockReference): TransactionDetail {
  const cursor = new RecordCursor(record);
  const { id, type, from, to, amountUt } = readTerms(cursor);
  cursor.integer();
  const payload = cursor.base64();
  const timestamp = cursor.ascii();
  const signature = cursor.base64();
  const { isOk, code, feeUt, gasUsed } = readOutcome(cursor);
  const { blockHeight, blockHash, blockTimeMs } = block;
  const memo = memoOf(type, payload);
  return {
    id,
    type,
    from,
    to,
    amountUt,
    feeUt,
    timestamp,
    memo,
    isOk,
    code,
    gasUsed,
    payload,
    signature,
    blockHeight,
    blockHash,
    blockTimeMs,
  };
}

/** A record in a block, as lists show it. @throws TypeError on bytes that are none */
export function readEntry(record: Uint8Array, block: BlockReference): TransactionEntry {
  const cursor = new RecordCursor(record);
  const { id, type, from, to, amountUt } = readTerms(cursor);
  cursor.integer();
  const memo = type === "TRANSFER" ? memoOf(type, cursor.base64()) : noMemo(cursor);
  const timestamp = cursor.ascii();
  cursor.skipBytes();
  const { isOk, code, feeUt, gasUsed } = readOutcome(cursor);
  const { blockHeight, blockHash, blockTimeMs } = block;
  return { id, type, from, to, amountUt, feeUt, timestamp, memo, isOk, code, gasUsed, blockHeight, blockHash, blockTimeMs };
}

/** What the signer asked for, up to the amount. */
function readTerms(cursor: RecordCursor): Pick<TransactionDetail, "id" | "from" | "to" | "amountUt"> & { readonly type: TransactionType } {
  if (cursor.array() !== TRANSACTION_FIELDS) throw new TypeError(`A transaction has ${TRANSACTION_FIELDS} fields`);
  const id = cursor.ascii();
  // The tables hold what was decoded before it was written: no other text is there.
  const type = cursor.ascii() as TransactionType;
  return { id, type, from: cursor.hex(), to: cursor.hex(), amountUt: cursor.integer() };
}

/** The beginning of its receipt: lines and further accounts are in tables of their own. */
function readOutcome(cursor: RecordCursor): Pick<TransactionDetail, "isOk" | "code" | "feeUt" | "gasUsed"> {
  return { isOk: cursor.boolean(), code: cursor.text(), feeUt: cursor.integer(), gasUsed: cursor.integer() };
}

function noMemo(cursor: RecordCursor): string {
  cursor.skipBytes();
  return "";
}
