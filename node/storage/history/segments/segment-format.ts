// A segment: blocks of a range of heights in one file that is written once and never changed. docs/history-format.md describes it.
//
//   header · blocks · index · footer
//   header: "PARLSEG1" · u16 format · u32 salt · u48 first height · u48 last height · 32 bytes genesis hash
//   index, a block: u48 offset · u48 time in ms · u16 records · 32 bytes hash
//   footer: u48 offset of the index · u32 CRC of header, index and that offset · SHA-256 of all before · "PARLSEGE"
import { crc32 } from "node:zlib";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { fromHex, fromUtf8, toHex, utf8 } from "#shared/util/bytes.ts";
import { damagedFile } from "../files/damaged-file.ts";
import type { ReadableFile } from "../files/file-layer.ts";
import { PackedReader, PackedWriter } from "../files/packed-bytes.ts";
import type { Salt } from "./segment-block.ts";

/** Which blocks of which network. */
export interface SegmentRange {
  readonly first: Height;
  readonly last: Height;
  readonly genesisHash: HashHex;
}

/** A block in the index. */
export interface IndexedBlock {
  readonly offset: number;
  readonly timeMs: number;
  readonly count: number;
  readonly hash: HashHex;
}

/** Everything of a segment but its blocks. */
export interface SegmentFrame {
  readonly salt: Salt;
  /** By height, from the first one on. */
  readonly blocks: readonly IndexedBlock[];
  /** Where the index begins and the last block ends. */
  readonly indexAt: number;
  readonly sha256: HashHex;
}

const BEGIN = utf8("PARLSEG1");
const END = "PARLSEGE";
const FORMAT = 1;
const HASH_BYTES = 32;
const INDEXED_BYTES = 46;
const FOOTER_BYTES = 50;
const OFFSET_BYTES = 6;
/** Bytes of the footer that its own hash does not cover. */
export const UNHASHED_BYTES = HASH_BYTES + END.length;

/** Bytes of the header. */
export const HEADER_BYTES = 58;

/** Name of the file of a range. */
export function segmentName({ first, last }: Pick<SegmentRange, "first" | "last">): string {
  return `${first}-${last}.seg`;
}

export function encodeSegmentHeader({ first, last, genesisHash }: SegmentRange, salt: Salt): Uint8Array {
  const writer = new PackedWriter();
  writer.bytes(BEGIN);
  writer.u16(FORMAT);
  writer.u32(salt);
  writer.u48(first);
  writer.u48(last);
  writer.bytes(fromHex(genesisHash));
  return writer.take();
}

/** Index and the part of the footer that the hash covers. */
export function encodeSegmentIndex(header: Uint8Array, blocks: readonly IndexedBlock[], indexAt: number): Uint8Array {
  const writer = new PackedWriter();
  for (const { offset, timeMs, count, hash } of blocks) {
    writer.u48(offset);
    writer.u48(timeMs);
    writer.u16(count);
    writer.bytes(fromHex(hash));
  }
  writer.u48(indexAt);
  writer.u32(crc32(writer.view(), crc32(header)));
  return writer.take();
}

/** The end of the footer. */
export function encodeSegmentEnd(sha256: Uint8Array): Uint8Array {
  const writer = new PackedWriter();
  writer.bytes(sha256);
  writer.bytes(utf8(END));
  return writer.take();
}

/**
 * Reads header, index and footer, and checks them against each other and the range: blocks are not looked at.
 * @throws CodedError STORAGE_CORRUPT naming file and offset, or STORAGE_NEWER.
 */
export function readSegmentFrame(file: ReadableFile, path: string, range: SegmentRange): SegmentFrame {
  const count = range.last - range.first + 1;
  const footerAt = file.size - FOOTER_BYTES;
  const indexAt = footerAt - count * INDEXED_BYTES;
  if (indexAt < HEADER_BYTES) throw damagedFile(path, file.size, "it is cut off");
  const header = file.read(0, HEADER_BYTES);
  const tail = file.read(indexAt, file.size - indexAt);
  if (header.length + tail.length !== HEADER_BYTES + file.size - indexAt) throw damagedFile(path, file.size, "it is cut off");
  const footer = new PackedReader(tail.subarray(count * INDEXED_BYTES));
  const [foundAt, checksum, sha256] = [footer.u48(), footer.u32(), toHex(footer.bytes(HASH_BYTES))];
  if (textOf(footer.rest()) !== END) throw damagedFile(path, footerAt, "its end is not that of a segment");
  const covered = tail.subarray(0, count * INDEXED_BYTES + OFFSET_BYTES);
  if (foundAt !== indexAt || checksum !== crc32(covered, crc32(header)))
    throw damagedFile(path, indexAt, "the checksum of its index differs");
  const salt = readHeader(header, path, range);
  const reader = new PackedReader(tail);
  const blocks = Array.from({ length: count }, () => ({
    offset: reader.u48(),
    timeMs: reader.u48(),
    count: reader.u16(),
    hash: toHex(reader.bytes(HASH_BYTES)),
  }));
  return { salt, blocks, indexAt, sha256 };
}

function readHeader(header: Uint8Array, path: string, range: SegmentRange): Salt {
  const reader = new PackedReader(header);
  if (textOf(reader.bytes(BEGIN.length)) !== textOf(BEGIN)) throw damagedFile(path, 0, "it does not begin like a segment");
  const format = reader.u16();
  if (format !== FORMAT)
    throw new CodedError("STORAGE_NEWER", `${path} was written by a newer version (format ${format}): update the program`);
  const salt = reader.u32();
  const [first, last, genesisHash] = [reader.u48(), reader.u48(), toHex(reader.bytes(HASH_BYTES))];
  if (first !== range.first || last !== range.last || genesisHash !== range.genesisHash)
    throw damagedFile(path, BEGIN.length, "it is that of other blocks or another network");
  return salt;
}

function textOf(bytes: Uint8Array): string {
  try {
    return fromUtf8(bytes);
  } catch {
    return "";
  }
}
