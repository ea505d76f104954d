// A transaction and its receipt in few bytes, from which both encodings come back byte by byte. Form 1 leaves out what follows from the
// rest; what does not fit into it keeps both encodings, form 0. Who packs unpacks at once and compares, so that no rule about what fits is
// relied on.
import { CborWriter } from "#shared/codec/cbor-writer.ts";
import { tryDecode } from "#shared/codec/codec.ts";
import { formatTimestamp, parseTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { type Receipt, receiptCodec } from "#shared/protocol/transactions/receipt.ts";
import type { Transaction, TransactionType } from "#shared/protocol/transactions/transaction.ts";
import { transactionCodec } from "#shared/protocol/transactions/transaction-encoding.ts";
import { equalBytes, fromBase64, fromHex } from "#shared/util/bytes.ts";
import { PackedReader, PackedWriter } from "../files/packed-bytes.ts";

/** Both encodings. */
export interface EncodedRecord {
  readonly transaction: Uint8Array;
  readonly receipt: Uint8Array;
}

/** Numbers of types: those of files, so they never change. */
const TYPE_NUMBERS: Readonly<Record<TransactionType, number>> = {
  TRANSFER: 0,
  REGISTER_KEY: 1,
  LINK_DEVICE: 2,
  UNLINK_DEVICE: 3,
  CONTACT_REQUEST: 4,
  ACCEPT_CONTACT: 5,
  BLOCK_CONTACT: 6,
  REGISTER_RELAY: 7,
  RELAY_PROOF: 8,
  HEARTBEAT: 9,
  BIND_WALLET: 10,
  ADD_VALIDATOR: 11,
  REMOVE_VALIDATOR: 12,
  SLASH: 13,
  OPEN_PAY_CHAN: 14,
  CLOSE_PAY_CHAN: 15,
  DEPLOY_CONTRACT: 16,
  CALL_CONTRACT: 17,
  UPGRADE: 18,
  ROTATE_KEY: 19,
  SUSPEND_RELAY: 20,
};
const TYPES: ReadonlyMap<number, string> = new Map(Object.entries(TYPE_NUMBERS).map(([type, number]) => [number, type]));

const FORM_ENCODED = 0;
const FORM_PACKED = 1;

const HAS_TO = 1;
const IS_OK = 2;
const HAS_PAYLOAD = 4;
const HAS_CODE = 8;
const HAS_LOGS = 16;
const HAS_TOUCHED = 32;
const KNOWN_FLAGS = 63;

const ID_PATTERN = /^tx1[0-9a-f]{80}$/;
const ID_PREFIX = "tx1";
const ID_BYTES = 40;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const TRANSACTION_FIELDS = 9;
const RECEIPT_FIELDS = 7;
const LOG_FIELDS = 2;
const NOTHING = new Uint8Array();

/** Form and content of a record in a block of the time. */
export function packRecord(record: EncodedRecord, timeMs: number): Uint8Array {
  const packed = tryPack(record, timeMs);
  if (packed !== undefined) {
    const { transaction, receipt } = unpackRecord(packed, timeMs);
    if (equalBytes(transaction, record.transaction) && equalBytes(receipt, record.receipt)) return packed;
  }
  const writer = new PackedWriter();
  writer.u8(FORM_ENCODED);
  writer.sized(record.transaction);
  writer.bytes(record.receipt);
  return writer.take();
}

/** The encodings of {@link packRecord}. @throws Error on bytes that it does not make. */
export function unpackRecord(packed: Uint8Array, timeMs: number): EncodedRecord {
  const reader = new PackedReader(packed);
  const form = reader.u8();
  if (form === FORM_ENCODED) return { transaction: reader.sized(), receipt: reader.rest() };
  if (form !== FORM_PACKED) throw new TypeError(`A record of the unknown form ${form}`);
  const fields = readFields(reader, timeMs);
  const transaction = CborWriter.encode((writer) => writeTransaction(writer, fields));
  const receipt = CborWriter.encode((writer) => {
    writer.array(RECEIPT_FIELDS);
    writer.text(fields.id);
    writeOutcome(writer, fields);
  });
  return { transaction, receipt };
}

/**
 * The same in one: the transaction, then the receipt without head and id, which are those of the transaction. Undefined for form 0.
 * @throws Error on bytes that {@link packRecord} does not make
 */
export function unpackJoined(packed: Uint8Array, timeMs: number): Uint8Array | undefined {
  const reader = new PackedReader(packed);
  if (reader.u8() !== FORM_PACKED) return undefined;
  const fields = readFields(reader, timeMs);
  return CborWriter.encode((writer) => {
    writeTransaction(writer, fields);
    writeOutcome(writer, fields);
  });
}

function tryPack({ transaction, receipt }: EncodedRecord, timeMs: number): Uint8Array | undefined {
  const tx = tryDecode(transactionCodec, transaction);
  const outcome = tryDecode(receiptCodec, receipt);
  if (tx === undefined || outcome === undefined || !ID_PATTERN.test(tx.id)) return undefined;
  return pack(tx, outcome, timeMs);
}

function pack(tx: Transaction, { isOk, code, feeUt, gasUsed, logs, touched }: Receipt, timeMs: number): Uint8Array {
  const writer = new PackedWriter();
  const flags = [
    tx.to !== "" && HAS_TO,
    isOk && IS_OK,
    tx.payload !== "" && HAS_PAYLOAD,
    code !== "" && HAS_CODE,
    logs.length > 0 && HAS_LOGS,
    touched.length > 0 && HAS_TOUCHED,
  ];
  writer.u8(FORM_PACKED);
  writer.u8(TYPE_NUMBERS[tx.type]);
  writer.u8(flags.reduce<number>((all, flag) => all | (flag === false ? 0 : flag), 0));
  writer.bytes(fromHex(tx.id.slice(ID_PREFIX.length)));
  writer.bytes(fromHex(tx.from + tx.to));
  writer.bytes(fromBase64(tx.signature));
  writer.varint(tx.amount);
  writer.varint(tx.fee);
  writer.varint(zigzag(Math.floor(timeMs / 1000) - (parseTimestamp(tx.timestamp) ?? 0) / 1000));
  writer.varint(feeUt);
  writer.varint(gasUsed);
  if (tx.payload !== "") writer.sized(fromBase64(tx.payload));
  if (code !== "") writer.text(code);
  if (logs.length > 0) {
    writer.varint(logs.length);
    for (const { contractId, message } of logs) {
      writer.text(contractId);
      writer.text(message);
    }
  }
  if (touched.length > 0) {
    writer.varint(touched.length);
    for (const key of touched) writer.bytes(fromHex(key));
  }
  return writer.take();
}

/** What form 1 says of a record. */
interface Fields extends Omit<Receipt, "txId" | "logs" | "touched"> {
  readonly id: string;
  readonly type: string;
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly amount: number;
  readonly fee: number;
  readonly payload: Uint8Array;
  readonly timestamp: string;
  readonly signature: Uint8Array;
  readonly logs: readonly (readonly [contractId: string, message: string])[];
  readonly touched: readonly Uint8Array[];
}

function readFields(reader: PackedReader, timeMs: number): Fields {
  const type = TYPES.get(reader.u8());
  const flags = reader.u8();
  if (type === undefined || (flags & ~KNOWN_FLAGS) !== 0) throw new TypeError("A record of an unknown type");
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const id = ID_PREFIX + reader.hex(ID_BYTES);
  const [from, to] = [reader.bytes(KEY_BYTES), has(HAS_TO) ? reader.bytes(KEY_BYTES) : NOTHING];
  const signature = reader.bytes(SIGNATURE_BYTES);
  const [amount, fee] = [reader.varint(), reader.varint()];
  const timestamp = formatTimestamp((Math.floor(timeMs / 1000) - unzigzag(reader.varint())) * 1000);
  const [feeUt, gasUsed] = [reader.varint(), reader.varint()];
  const payload = has(HAS_PAYLOAD) ? reader.sized() : NOTHING;
  const code = (has(HAS_CODE) ? reader.text() : "") as Receipt["code"];
  const logs = has(HAS_LOGS) ? times(reader.varint(), () => [reader.text(), reader.text()] as const) : [];
  const touched = has(HAS_TOUCHED) ? times(reader.varint(), () => reader.bytes(KEY_BYTES)) : [];
  if (!reader.isAtEnd) throw new TypeError("A record has further bytes");
  return { id, type, from, to, amount, fee, payload, timestamp, signature, isOk: has(IS_OK), code, feeUt, gasUsed, logs, touched };
}

function writeTransaction(writer: CborWriter, { id, type, from, to, amount, fee, payload, timestamp, signature }: Fields): void {
  writer.array(TRANSACTION_FIELDS);
  writer.text(id);
  writer.text(type);
  writer.bytes(from);
  writer.bytes(to);
  writer.integer(amount);
  writer.integer(fee);
  writer.bytes(payload);
  writer.text(timestamp);
  writer.bytes(signature);
}

/** The receipt without its head and id. */
function writeOutcome(writer: CborWriter, { isOk, code, feeUt, gasUsed, logs, touched }: Fields): void {
  writer.boolean(isOk);
  writer.text(code);
  writer.integer(feeUt);
  writer.integer(gasUsed);
  writer.array(logs.length);
  for (const [contractId, message] of logs) {
    writer.array(LOG_FIELDS);
    writer.text(contractId);
    writer.text(message);
  }
  writer.array(touched.length);
  for (const key of touched) writer.bytes(key);
}

function times<T>(count: number, read: () => T): readonly T[] {
  const items: T[] = [];
  for (let left = count; left > 0; left -= 1) items.push(read());
  return items;
}

/** Signed → unsigned, small stays small. */
function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
