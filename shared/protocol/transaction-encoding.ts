// Binary form of a transaction: what blocks hash, store and gossip. Deterministic CBOR array in the order of the interface.
import { CodedError } from "#shared/errors/coded-error.ts";
import { fromBase64, fromHex, toBase64, toHex } from "#shared/util/bytes.ts";
import { type CborValue, decodeCbor, encodeCbor } from "./cbor.ts";
import { TRANSACTION_TYPES, type Transaction, type TransactionType } from "./transaction.ts";

/** CBOR of [id, type, from, to, amount, fee, payload, timestamp, signature]; keys, payload and signature as byte strings. */
export function encodeTransaction(tx: Transaction): Uint8Array {
  return encodeCbor(transactionToCbor(tx));
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

/** Transaction of {@link transactionToCbor}. @throws CodedError TX_MALFORMED on another shape. */
export function transactionFromCbor(value: CborValue): Transaction {
  if (!Array.isArray(value) || value.length !== 9) throw malformed();
  const [id, type, from, to, amount, fee, payload, timestamp, signature] = value as readonly CborValue[];
  if (typeof id !== "string" || typeof timestamp !== "string" || typeof amount !== "number" || typeof fee !== "number") throw malformed();
  if (!isTransactionType(type) || !(from instanceof Uint8Array) || !(to instanceof Uint8Array)) throw malformed();
  if (!(payload instanceof Uint8Array) || !(signature instanceof Uint8Array)) throw malformed();
  return { id, type, from: toHex(from), to: toHex(to), amount, fee, payload: toBase64(payload), timestamp, signature: toBase64(signature) };
}

/** True for a type that clients submit. */
export function isTransactionType(value: unknown): value is TransactionType {
  return typeof value === "string" && (TRANSACTION_TYPES as readonly string[]).includes(value);
}

function malformed(): CodedError {
  return new CodedError("TX_MALFORMED", "The value is not an encoded transaction");
}
