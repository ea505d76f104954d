// Binary form of a transaction: what blocks hash, store and gossip. Deterministic CBOR array in the order of the interface.
import { CodedError } from "#shared/errors/coded-error.ts";
import { fromBase64, fromHex, toBase64, toHex } from "#shared/util/bytes.ts";
import { type CborValue, encodeCbor } from "./cbor.ts";
import { CBOR_ARRAY, CBOR_NUMBER, CborCursor } from "./cbor-cursor.ts";
import { MAX_PAYLOAD_BYTES } from "./limits.ts";
import { parseTimestamp } from "./timestamp.ts";
import { TRANSACTION_TYPES, type Transaction, type TransactionType } from "./transaction.ts";
import { isTransactionId } from "./transaction-id.ts";

/** The transaction that a node has under an id. */
export type FindTransaction = (id: string) => Transaction | undefined;

const FIELDS = 9;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

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
    const cursor = new CborCursor(bytes);
    const tx = readTransaction(bytes, cursor);
    if (cursor.isAtEnd) return tx;
  } catch (cause) {
    throw new CodedError("TX_MALFORMED", "The bytes are not an encoded transaction", { cause });
  }
  throw malformed();
}

/**
 * The transaction at the cursor in larger bytes, in the same normal form as a parsed one: a block or a peer brings no other shape. It keeps a
 * copy of its bytes as its encoding, which is what whoever takes it in needs next.
 * @throws Error on anything else.
 */
export function readTransaction(bytes: Uint8Array, cursor: CborCursor): Transaction {
  const start = cursor.at;
  if (cursor.head(CBOR_ARRAY) !== FIELDS) throw malformed();
  const id = cursor.ascii();
  const type = cursor.ascii();
  if (!isTransactionId(id) || !isTransactionType(type)) throw malformed();
  const from = hexOf(cursor.bytes(), KEY_BYTES);
  const to = cursor.bytes();
  const tx: Transaction = {
    id,
    type,
    from,
    to: to.length === 0 ? "" : hexOf(to, KEY_BYTES),
    amount: cursor.head(CBOR_NUMBER),
    fee: cursor.head(CBOR_NUMBER),
    payload: base64Of(cursor.bytes(), 0, MAX_PAYLOAD_BYTES),
    timestamp: timestampOf(cursor.ascii()),
    signature: base64Of(cursor.bytes(), SIGNATURE_BYTES, SIGNATURE_BYTES),
  };
  encodings.set(tx, bytes.slice(start, cursor.at));
  return tx;
}

/**
 * The list of transactions at the cursor. Those that `find` knows under their ids with the same bytes are not decoded again.
 * @throws Error on anything else.
 */
export function readTransactions(bytes: Uint8Array, cursor: CborCursor, find?: FindTransaction): readonly Transaction[] {
  const count = cursor.head(CBOR_ARRAY);
  const transactions: Transaction[] = [];
  for (let i = 0; i < count; i += 1)
    transactions.push(find === undefined ? readTransaction(bytes, cursor) : recogniseTransaction(bytes, cursor, find));
  return transactions;
}

/**
 * The transaction at the cursor, not decoded when its bytes are those of the one that `find` knows under its id.
 * @throws Error on anything else.
 */
function recogniseTransaction(bytes: Uint8Array, cursor: CborCursor, find: FindTransaction): Transaction {
  const start = cursor.at;
  if (cursor.head(CBOR_ARRAY) !== FIELDS) throw malformed();
  const known = find(cursor.ascii());
  if (known !== undefined) {
    const encoding = encodeTransaction(known);
    if (standsAt(bytes, start, encoding)) {
      cursor.goTo(start + encoding.length);
      return known;
    }
  }
  cursor.goTo(start);
  return readTransaction(bytes, cursor);
}

/** True for a type that clients submit. */
export function isTransactionType(value: unknown): value is TransactionType {
  return typeof value === "string" && (TRANSACTION_TYPES as readonly string[]).includes(value);
}

function standsAt(bytes: Uint8Array, start: number, part: Uint8Array): boolean {
  if (start + part.length > bytes.length) return false;
  for (let i = 0; i < part.length; i += 1) if (part[i] !== bytes[start + i]) return false;
  return true;
}

function hexOf(bytes: Uint8Array, length: number): string {
  if (bytes.length !== length) throw malformed();
  return toHex(bytes);
}

function base64Of(bytes: Uint8Array, min: number, max: number): string {
  if (bytes.length < min || bytes.length > max) throw malformed();
  return toBase64(bytes);
}

function timestampOf(text: string): string {
  if (parseTimestamp(text) === undefined) throw malformed();
  return text;
}

function malformed(): CodedError {
  return new CodedError("TX_MALFORMED", "The value is not an encoded transaction");
}
