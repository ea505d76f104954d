// One block inside a segment: what is read together stands together, and every record can be read alone.
//
//   u32 bytes behind this number · u32 CRC of all but the records · u32 bytes of the front · u16 records · u32 end of each record
//   front: CBOR [header, evidence, last commit or null, [wallet, reward] or null] · records: u32 CRC, form, content
import { crc32 } from "node:zlib";
import { CborReader } from "#shared/codec/cbor-reader.ts";
import { CborWriter } from "#shared/codec/cbor-writer.ts";
import { encode, type TypeOf } from "#shared/codec/codec.ts";
import { nullable, record } from "#shared/codec/composites.ts";
import { hex, integer } from "#shared/codec/scalars.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { PackedReader, PackedWriter } from "../files/packed-bytes.ts";
import { type EncodedRecord, packRecord } from "./packed-record.ts";

/** What the proposer of a block got: no transaction of the block says so. */
const rewardCodec = record({ to: hex(32), amountUt: integer() });

const nullableReward = nullable(rewardCodec);

/** Wallet and µT. */
export type SealedReward = TypeOf<typeof rewardCodec>;

const FRONT_FIELDS = 4;

/** A block but for its records. */
export interface BlockFront {
  /** The encoded header. */
  readonly front: Uint8Array;
  /** Evidence and the commit of its parent, encoded one after the other. */
  readonly tail: Uint8Array;
  readonly reward: SealedReward | null;
}

/** A block as a segment gives it back. */
export interface SealedBlock extends BlockFront {
  readonly records: readonly EncodedRecord[];
}

/** A block as a segment takes it. */
export interface SealableBlock extends SealedBlock {
  readonly height: Height;
  readonly hash: HashHex;
  readonly timeMs: number;
}

/** Where the front of a block begins and ends, from the block's first byte on. */
export interface FrontPlace {
  readonly front: number;
  /** The first record, or the block's end. */
  readonly records: number;
}

/** Places inside a block, from its first byte on. */
export interface BlockLayout extends FrontPlace {
  /** Ends of the records, from the first one's beginning on. */
  readonly ends: readonly number[];
}

/** Reads a packed record in a block of the time. */
export type UnpackRecord<T> = (packed: Uint8Array, timeMs: number) => T;

/** What every checksum of a segment begins with. */
export type Salt = number;

const LENGTH_BYTES = 4;
const CHECKSUM_BYTES = 4;
/** Bytes before the ends of the records. */
export const BLOCK_HEAD_BYTES = 14;
/** Bytes of the end of a record in the table. */
export const END_BYTES = 4;

/** Bytes of a block. */
export function encodeSealedBlock(block: SealableBlock, salt: Salt): Uint8Array {
  const { height, timeMs } = block;
  const front = encodeFront(block);
  const [ends, records] = [new PackedWriter(), new PackedWriter()];
  for (const [position, record] of block.records.entries()) {
    const packed = packRecord(record, timeMs);
    records.u32(recordChecksum(packed, { salt, height, position }));
    records.bytes(packed);
    ends.u32(records.length);
  }
  const head = new PackedWriter();
  head.u32(BLOCK_HEAD_BYTES - LENGTH_BYTES + ends.length + front.length + records.length);
  head.u32(0);
  head.u32(front.length);
  head.u16(block.records.length);
  head.bytes(ends.view());
  head.bytes(front);
  const checked = head.take();
  new DataView(checked.buffer).setUint32(LENGTH_BYTES, blockChecksum(checked, { salt, height }), true);
  head.clear();
  head.bytes(checked);
  head.bytes(records.view());
  return head.take();
}

/** Bytes of a block before its front, by the number of its records. */
export function blockTableEnd(count: number): number {
  return BLOCK_HEAD_BYTES + count * END_BYTES;
}

/**
 * Places of a block of so many bytes and records, whose first bytes hold the whole table. Nothing of it is checked but that it fits.
 * @throws Error when it does not.
 */
export function blockLayout(first: Uint8Array, { bytes, count }: { readonly bytes: number; readonly count: number }): BlockLayout {
  const reader = new PackedReader(first);
  const [length, , frontLength, found] = [reader.u32(), reader.u32(), reader.u32(), reader.u16()];
  if (length + LENGTH_BYTES !== bytes || found !== count) throw new RangeError("The block has another length or number of records");
  const ends = Array.from({ length: count }, () => reader.u32());
  const front = blockTableEnd(count);
  const records = front + frontLength;
  if (records + (ends.at(-1) ?? 0) !== bytes || ends.some((end, at) => end < (ends[at - 1] ?? 0) + CHECKSUM_BYTES))
    throw new RangeError("The parts of the block do not fill it");
  return { front, records, ends };
}

/**
 * Places of the front alone, by the first bytes of a block: its records, whose ends the checksum covers too, are not looked at.
 * @throws Error when it does not fit.
 */
export function frontPlace(first: Uint8Array, { bytes, count }: { readonly bytes: number; readonly count: number }): FrontPlace {
  const reader = new PackedReader(first);
  const [length, , frontLength, found] = [reader.u32(), reader.u32(), reader.u32(), reader.u16()];
  const front = blockTableEnd(count);
  const records = front + frontLength;
  if (length + LENGTH_BYTES !== bytes || found !== count || records > bytes)
    throw new RangeError("The block has another length or number of records");
  return { front, records };
}

/**
 * Where a record begins and ends, from the block's first byte on, by its head and the ends up to the record's.
 * @throws Error when it does not fit.
 */
export function recordPlace(
  head: Uint8Array,
  ends: Uint8Array,
  { bytes, count }: { readonly bytes: number; readonly count: number },
): { readonly start: number; readonly end: number } {
  const reader = new PackedReader(head);
  const [length, , frontLength, found] = [reader.u32(), reader.u32(), reader.u32(), reader.u16()];
  const records = blockTableEnd(count) + frontLength;
  const table = new PackedReader(ends);
  const start = records + (ends.length > END_BYTES ? table.u32() : 0);
  const end = records + table.u32();
  if (length + LENGTH_BYTES !== bytes || found !== count || end < start + CHECKSUM_BYTES || end > bytes)
    throw new RangeError("The table of the block does not fit");
  return { start, end };
}

/** The front in bytes that reach from the block's beginning to its records. @throws Error when the checksum differs. */
export function readBlockFront(first: Uint8Array, { front, records }: FrontPlace, place: { salt: Salt; height: number }): BlockFront {
  const stored = new PackedReader(first.subarray(LENGTH_BYTES)).u32();
  if (stored !== blockChecksum(first.subarray(0, records), place)) throw new TypeError("The checksum of the block differs");
  return decodeFront(first.subarray(front, records));
}

/** What `unpack` makes of a record with its checksum. @throws Error when that differs. */
export function readSealedRecord<T>(
  bytes: Uint8Array,
  place: { readonly salt: Salt; readonly height: number; readonly position: number; readonly timeMs: number },
  unpack: UnpackRecord<T>,
): T {
  const packed = bytes.subarray(CHECKSUM_BYTES);
  if (new PackedReader(bytes).u32() !== recordChecksum(packed, place)) throw new TypeError("The checksum of the record differs");
  return unpack(packed, place.timeMs);
}

function encodeFront({ front, tail, reward }: BlockFront): Uint8Array {
  return CborWriter.encode((writer) => {
    writer.array(FRONT_FIELDS);
    writer.encoded(front);
    writer.encoded(tail);
    writer.encoded(encode(nullableReward, reward));
  });
}

function decodeFront(encoded: Uint8Array): BlockFront {
  const reader = new CborReader(encoded);
  if (reader.array() !== FRONT_FIELDS) throw new TypeError(`The front of a block has ${FRONT_FIELDS} fields`);
  const start = reader.at;
  reader.skip();
  const front = reader.since(start);
  const tailStart = reader.at;
  reader.skip();
  reader.skip();
  const tail = reader.since(tailStart);
  return { front, tail, reward: nullableReward.read(reader) };
}

/** Over salt and height, then all before the records but the checksum itself. */
function blockChecksum(first: Uint8Array, { salt, height }: { readonly salt: Salt; readonly height: number }): number {
  const writer = new PackedWriter();
  writer.u32(salt);
  writer.u48(height);
  writer.bytes(first.subarray(0, LENGTH_BYTES));
  return crc32(first.subarray(LENGTH_BYTES + CHECKSUM_BYTES), crc32(writer.view()));
}

/** Salt, height and position of the record whose checksum is made. */
const checkedPlace = Buffer.alloc(12);

/** Over salt and place, then form and content. */
function recordChecksum(
  packed: Uint8Array,
  { salt, height, position }: { readonly salt: Salt; readonly height: number; readonly position: number },
): number {
  checkedPlace.writeUInt32LE(salt, 0);
  checkedPlace.writeUIntLE(height, 4, 6);
  checkedPlace.writeUInt16LE(position, 10);
  return crc32(packed, crc32(checkedPlace));
}
