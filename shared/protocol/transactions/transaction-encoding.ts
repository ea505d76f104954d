// Binary form of a transaction: what blocks hash, store and gossip. Deterministic CBOR array in the order of the interface.
import type { CborReader } from "#shared/codec/cbor-reader.ts";
import { type Codec, codec, decode, encode } from "#shared/codec/codec.ts";
import { list, record, refined } from "#shared/codec/composites.ts";
import { ascii, base64UpTo, hex, hexUpTo, integer, textUpTo, word } from "#shared/codec/scalars.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { MAX_PAYLOAD_BYTES, MAX_TX_ID_CHARS } from "../primitives/limits.ts";
import { parseTimestamp } from "../primitives/timestamp.ts";
import { TRANSACTION_TYPES, type Transaction, type TransactionType } from "./transaction.ts";
import { isTransactionId } from "./transaction-id.ts";

/** The transaction that a node has under an id. */
export type FindTransaction = (id: string) => Transaction | undefined;

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const TIMESTAMP_CHARS = 20;

/** Pool, block, log and store each need the bytes of the same transaction, which never changes once it is made. */
const encodings = new WeakMap<Transaction, Uint8Array>();

const idCodec = refined(ascii(MAX_TX_ID_CHARS), isTransactionId, "an id");
const toCodec = refined(hexUpTo(KEY_BYTES), (to) => to === "" || to.length === 2 * KEY_BYTES, "a key or nothing");
const timestampCodec = refined(ascii(TIMESTAMP_CHARS), (text) => parseTimestamp(text) !== undefined, "a timestamp");

/** Writes without bounds: rules give a reason for what they refuse, and need the bytes of it before. */
const anyText = textUpTo();
const anyHex = hexUpTo(Number.POSITIVE_INFINITY);
const anyAmount = integer(Number.MIN_SAFE_INTEGER);
const anyBase64 = base64UpTo();

const fieldsCodec: Codec<Transaction> = record({
  id: readAs(idCodec, anyText),
  type: readAs(word(TRANSACTION_TYPES, "type"), anyText),
  from: readAs(hex(KEY_BYTES), anyHex),
  to: readAs(toCodec, anyHex),
  amount: readAs(integer(), anyAmount),
  fee: readAs(integer(), anyAmount),
  payload: readAs(base64UpTo(MAX_PAYLOAD_BYTES), anyBase64),
  timestamp: readAs(timestampCodec, anyText),
  signature: readAs(base64UpTo(SIGNATURE_BYTES, SIGNATURE_BYTES), anyBase64),
});

/**
 * [id, type, from, to, amount, fee, payload, timestamp, signature]; keys, payload and signature as byte strings. One that is read is in
 * the normal form of a parsed one, and caches a copy of its bytes as its encoding: who takes it in needs that next.
 */
export const transactionCodec: Codec<Transaction> = codec(
  (reader) => {
    const start = reader.at;
    const tx = fieldsCodec.read(reader);
    encodings.set(tx, reader.since(start).slice());
    return tx;
  },
  (writer, tx) => writer.encoded(encodeTransaction(tx)),
);

/** Encoding of a transaction. The same object gets the same bytes: they must not be changed. */
export function encodeTransaction(tx: Transaction): Uint8Array {
  const known = encodings.get(tx);
  if (known !== undefined) return known;
  const bytes = encode(fieldsCodec, tx);
  encodings.set(tx, bytes);
  return bytes;
}

/** Transaction of {@link encodeTransaction}. @throws CodedError TX_MALFORMED on any other bytes. */
export function decodeTransaction(bytes: Uint8Array): Transaction {
  try {
    return decode(transactionCodec, bytes);
  } catch (cause) {
    throw new CodedError("TX_MALFORMED", "The bytes are not an encoded transaction", { cause });
  }
}

/** A list of at most `max` transactions. Those that `find` knows under their ids with the same bytes are not decoded again. */
export function transactionsCodec(find?: FindTransaction, max?: number): Codec<readonly Transaction[]> {
  if (find === undefined) return list(transactionCodec, max);
  return list(
    codec((reader) => knownTransaction(reader, find) ?? transactionCodec.read(reader), transactionCodec.write),
    max,
  );
}

/** True for a type that clients submit. */
export function isTransactionType(value: unknown): value is TransactionType {
  return typeof value === "string" && (TRANSACTION_TYPES as readonly string[]).includes(value);
}

/** The transaction that `find` knows under the id of the next one, when its bytes are the same. */
function knownTransaction(reader: CborReader, find: FindTransaction): Transaction | undefined {
  const start = reader.at;
  reader.array();
  const known = find(idCodec.read(reader));
  reader.goTo(start);
  return known !== undefined && reader.pass(encodeTransaction(known)) ? known : undefined;
}

function readAs<T extends W, W>({ read }: Codec<T>, { write }: Codec<W>): Codec<T> {
  return codec(read, write);
}
