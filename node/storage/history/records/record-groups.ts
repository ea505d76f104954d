// Transactions of a block with their receipts in rows of the database: groups of a size of which two fill a page, so that one record is read
// without the others of its block. A group: u8 number of records, u16 end of each but the last (little-endian, from the first record on),
// records. A record: the encoded transaction, then its encoded receipt without head and id, which are those of the transaction.
import { CborReader } from "#shared/codec/cbor-reader.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import { outcomeCodec } from "#shared/protocol/transactions/receipt.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { transactionCodec } from "#shared/protocol/transactions/transaction-encoding.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { concatBytes, equalBytes } from "#shared/util/bytes.ts";
import { unpackJoined, unpackRecord } from "../segments/packed-record.ts";

/** Both encodings, as the roots of a header commit to them. */
export interface EncodedRecord {
  readonly transaction: Uint8Array;
  readonly receipt: Uint8Array;
}

/** A transaction and what it did. */
export interface ReadRecord {
  readonly transaction: Transaction;
  readonly receipt: Receipt;
}

/** What totals count of a record. */
export interface RecordKind {
  readonly type: string;
  readonly isOk: boolean;
}

/** Bytes of a group: two of them, with what the database writes about each, fill a page of 4 KiB. A larger record has a group of its own. */
export const GROUP_BYTES = 2_020;
const MAX_RECORDS = 255;
const END_BYTES = 2;
/** First byte of an encoded receipt: an array of seven. */
const RECEIPT_HEAD = 0x87;
/** Type of a text in the first three bits, and the value of the others that says that the length is in the next byte. */
const TEXT = 3;
const LONG = 24;
const LENGTH_MASK = 31;
const MAX_ASCII_CHARS = 64;
const FIELDS_AFTER_TYPE = 7;

/** Groups of the records of a block, in their order. */
export function packGroups(records: readonly EncodedRecord[]): readonly Uint8Array[] {
  const groups: Uint8Array[] = [];
  let group: Uint8Array[][] = [];
  let bytes = 0;
  for (const record of records) {
    const parts = [record.transaction, outcomeOf(record)];
    const length = (parts[0]?.length ?? 0) + (parts[1]?.length ?? 0);
    if (group.length > 0 && (bytes + length + END_BYTES > GROUP_BYTES || group.length === MAX_RECORDS)) {
      groups.push(packGroup(group));
      [group, bytes] = [[], 0];
    }
    group.push(parts);
    bytes += length + END_BYTES;
  }
  if (group.length > 0) groups.push(packGroup(group));
  return groups;
}

/** How many records a group holds. */
export function countOf(group: Uint8Array): number {
  return group[0] ?? 0;
}

/** Records of a group, without a copy. */
export function recordsOf(group: Uint8Array): readonly Uint8Array[] {
  return Array.from({ length: countOf(group) }, (_, position) => recordAt(group, position));
}

/** The record at a position of a group, without a copy. */
export function recordAt(group: Uint8Array, position: number): Uint8Array {
  const count = countOf(group);
  assertInvariant(position < count, `A group of ${count} records has none at ${position}`);
  const first = 1 + END_BYTES * (count - 1);
  const endOf = (index: number): number => (group[1 + END_BYTES * index] ?? 0) + (group[2 + END_BYTES * index] ?? 0) * 256;
  const start = position === 0 ? 0 : endOf(position - 1);
  const end = position === count - 1 ? group.length - first : endOf(position);
  return group.subarray(first + start, first + end);
}

/** A record of both encodings. */
export function recordBytes(record: EncodedRecord): Uint8Array {
  return concatBytes(record.transaction, outcomeOf(record));
}

/** The record of one in a file, in a block of the time. @throws Error on bytes that are none. */
export function unpackedBytes(packed: Uint8Array, timeMs: number): Uint8Array {
  return unpackJoined(packed, timeMs) ?? recordBytes(unpackRecord(packed, timeMs));
}

/** Both encodings of a record. @throws Error on bytes that are none. */
export function encodedRecord(record: Uint8Array): EncodedRecord {
  const reader = new CborReader(record);
  reader.skip();
  const transaction = reader.since(0);
  const idEnd = endOfId(transaction);
  return { transaction, receipt: concatBytes(Uint8Array.of(RECEIPT_HEAD), record.subarray(1, idEnd), record.subarray(transaction.length)) };
}

/** The transaction of a record and its receipt. @throws Error on bytes that are none. */
export function readRecord(record: Uint8Array): ReadRecord {
  const reader = new CborReader(record);
  const transaction = transactionCodec.read(reader);
  const receipt = { txId: transaction.id, ...outcomeCodec.read(reader) };
  if (!reader.isAtEnd) throw new TypeError("More bytes follow the record");
  return { transaction, receipt };
}

/** The receipt of a record, without reading the rest. @throws Error on bytes that are none. */
export function readReceipt(record: Uint8Array): Receipt {
  const reader = new CborReader(record);
  reader.skip();
  const receipt = { txId: recordId(record), ...outcomeCodec.read(reader) };
  if (!reader.isAtEnd) throw new TypeError("More bytes follow the record");
  return receipt;
}

/** Id of the transaction of a record. @throws Error on bytes that are none. */
export function recordId(record: Uint8Array): string {
  const reader = new CborReader(record);
  reader.array();
  return reader.ascii(Number.POSITIVE_INFINITY);
}

/** Type and success of a record, without reading the rest. @throws Error on bytes that are none. */
export function recordKind(record: Uint8Array): RecordKind {
  const reader = new CborReader(record);
  reader.array();
  reader.skip();
  const type = reader.ascii(MAX_ASCII_CHARS);
  for (let field = 0; field < FIELDS_AFTER_TYPE; field += 1) reader.skip();
  return { type, isOk: reader.boolean() };
}

function packGroup(records: readonly (readonly Uint8Array[])[]): Uint8Array {
  const lengths = records.map((parts) => parts.reduce((sum, part) => sum + part.length, 0));
  const first = 1 + END_BYTES * (records.length - 1);
  const group = new Uint8Array(first + lengths.reduce((sum, length) => sum + length, 0));
  group[0] = records.length;
  let at = first;
  for (const [position, parts] of records.entries()) {
    for (const part of parts) {
      group.set(part, at);
      at += part.length;
    }
    if (position === records.length - 1) continue;
    group[1 + END_BYTES * position] = (at - first) & 0xff;
    group[2 + END_BYTES * position] = (at - first) >>> 8;
  }
  return group;
}

/** An encoded receipt without head and id. */
function outcomeOf({ transaction, receipt }: EncodedRecord): Uint8Array {
  const idEnd = endOfId(transaction);
  const isOwn = receipt[0] === RECEIPT_HEAD && equalBytes(receipt.subarray(1, idEnd), transaction.subarray(1, idEnd));
  assertInvariant(isOwn, "Receipts stand in the order of their transactions");
  return receipt.subarray(idEnd);
}

/** Where the id of an encoded transaction ends: a text of at most 128 characters behind the head of the array. */
function endOfId(transaction: Uint8Array): number {
  const head = transaction[1] ?? 0;
  const length = head & LENGTH_MASK;
  assertInvariant(head >> 5 === TEXT && length <= LONG, "A transaction begins with its id");
  return length < LONG ? 2 + length : 3 + (transaction[2] ?? 0);
}
