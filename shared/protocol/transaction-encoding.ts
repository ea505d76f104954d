// Binary form of a transaction: what blocks hash, store and gossip. Deterministic CBOR array in the order of the interface.
import { CodedError } from "#shared/errors/coded-error.ts";
import { fromBase64, fromHex, toBase64, toHex } from "#shared/util/bytes.ts";
import { isAmount } from "./amount.ts";
import { type CborValue, decodeCbor, encodeCbor } from "./cbor.ts";
import { MAX_PAYLOAD_BYTES } from "./limits.ts";
import { parseTimestamp } from "./timestamp.ts";
import { TRANSACTION_TYPES, type Transaction, type TransactionType } from "./transaction.ts";
import { isTransactionId } from "./transaction-id.ts";

/** Pool, block, log and store each need the bytes of the same transaction, which never changes once it is made. */
const encodings = new WeakMap<Transaction, Uint8Array>();

/**
 * CBOR of [id, type, from, to, amount, fee, payload, timestamp, signature]; keys, payload and signature as byte strings.
 * The same object gets the same bytes: they must not be changed.
 */
export function encodeTransaction(tx: Transaction): Uint8Array {
  const known = encodings.get(tx);
  if (known !== undefined) return known;
  const bytes = encodeCbor(transactionToCbor(tx));
  encodings.set(tx, bytes);
  return bytes;
}

/** CBOR value of a transaction, to stand inside a larger value. */
export function transactionToCbor(tx: Transaction): CborValue {
  return [
    tx.id,
    tx.type,
    fromHex(tx.from),
    fromHex(tx.to),
    tx.amount,
    tx.fee,
    fromBase64(tx.payload),
    tx.timestamp,
    fromBase64(tx.signature),
  ];
}

/** Transaction of {@link encodeTransaction}. @throws CodedError TX_MALFORMED on any other bytes. */
export function decodeTransaction(bytes: Uint8Array): Transaction {
  try {
    return transactionFromCbor(decodeCbor(bytes));
  } catch (cause) {
    throw new CodedError("TX_MALFORMED", "The bytes are not an encoded transaction", { cause });
  }
}

/**
 * Transaction of {@link transactionToCbor}, in the same normal form as a parsed one: a block or a peer brings no other shape.
 * @throws CodedError TX_MALFORMED on another shape.
 */
export function transactionFromCbor(value: CborValue): Transaction {
  if (!Array.isArray(value) || value.length !== 9) throw malformed();
  const [id, type, from, to, amount, fee, payload, timestamp, signature] = value as readonly CborValue[];
  if (typeof id !== "string" || !isTransactionId(id) || !isTransactionType(type)) throw malformed();
  if (!isAmount(amount) || !isAmount(fee)) throw malformed();
  if (typeof timestamp !== "string" || parseTimestamp(timestamp) === undefined) throw malformed();
  const tx: Transaction = {
    id,
    type,
    from: toHex(bytesOf(from, 32, 32)),
    to: toHex(bytesOf(to, isEmpty(to) ? 0 : 32, 32)),
    amount,
    fee,
    payload: toBase64(bytesOf(payload, 0, MAX_PAYLOAD_BYTES)),
    timestamp,
    signature: toBase64(bytesOf(signature, 64, 64)),
  };
  // Whoever takes in a transaction needs its encoding next, and it is cheaper to make before keys and signature have become text.
  encodings.set(tx, encodeCbor(value));
  return tx;
}

/** True for a type that clients submit. */
export function isTransactionType(value: unknown): value is TransactionType {
  return typeof value === "string" && (TRANSACTION_TYPES as readonly string[]).includes(value);
}

function isEmpty(value: CborValue | undefined): boolean {
  return value instanceof Uint8Array && value.length === 0;
}

function bytesOf(value: CborValue | undefined, min: number, max: number): Uint8Array {
  if (!(value instanceof Uint8Array) || value.length < min || value.length > max) throw malformed();
  return value;
}

function malformed(): CodedError {
  return new CodedError("TX_MALFORMED", "The value is not an encoded transaction");
}
