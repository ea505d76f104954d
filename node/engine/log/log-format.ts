// Bytes of the write-ahead log, numbers little-endian. A file begins with a magic, a random salt and their CRC-32. A frame is the
// first half of the salt, length (u32), CRC-32 (u32), durable length (u48), payload; its CRC begins with the salt and the frame's
// offset. Payloads hold bytes that strangers chose (transactions of a block): who does not know the salt cannot make bytes that are
// taken for a frame, and frames are looked for by the salt alone, so no content makes that slow.
import { crc32 } from "node:zlib";
import { CodedError } from "#shared/errors/coded-error.ts";
import { concatBytes, equalBytes, utf8 } from "#shared/util/bytes.ts";

const MAGIC = utf8("PARLWLOG");
/** Files of earlier versions: no salt, frames of 14 bytes and the payload. They are read, and end with their height. */
const OLD_MAGIC = utf8("PARLWAL1");
/** Length of the salt of a file. */
export const SALT_BYTES = 16;
const MARKER_BYTES = 8;
const CHECKSUM_BYTES = 4;
/** Bytes before the payload: length, CRC-32, durable length; in a current file behind the marker. */
const FIELD_BYTES = 14;
/** Largest payload, bytes: a block with its message, and room. */
export const MAX_LOG_PAYLOAD_BYTES = 16 * 1_048_576;

/** An intact frame. */
export interface LogFrame {
  readonly payload: Uint8Array;
  /** Bytes of the whole frame. */
  readonly length: number;
  /** How much of the file was synced when the frame was written. */
  readonly durableLength: number;
}

/** How the frames of one file are written and found. */
export interface LogFormat {
  /** What the file begins with. */
  readonly head: Uint8Array;
  /** False for a file of an earlier version. */
  readonly isCurrent: boolean;
  encode(payload: Uint8Array, offset: number, durableLength: number): Uint8Array;
  /** The intact frame at an offset. */
  frameAt(file: Buffer, offset: number): LogFrame | undefined;
  /** Where the next frame may begin, at an offset or after it; -1 for nowhere. */
  findFrame(file: Buffer, from: number): number;
}

/** Format of a new file. @param salt {@link SALT_BYTES} random bytes, of this file alone. */
export function createLogFormat(salt: Uint8Array): LogFormat {
  const start = concatBytes(MAGIC, salt);
  const marker = Buffer.from(salt.subarray(0, MARKER_BYTES));
  const seed = crc32(salt);
  const checksumOf = (frame: Buffer, offset: number): number => crc32(offsetBytes(offset), fieldsChecksum(frame, MARKER_BYTES, seed));
  return {
    head: concatBytes(start, checksumBytes(start)),
    isCurrent: true,
    encode(payload, offset, durableLength): Uint8Array {
      const frame = emptyFrame(payload, MARKER_BYTES, durableLength);
      frame.set(marker);
      frame.writeUInt32LE(checksumOf(frame, offset), MARKER_BYTES + 4);
      return frame;
    },
    frameAt(file, offset): LogFrame | undefined {
      const frame = cutFrame(file, offset, MARKER_BYTES);
      if (frame === undefined || !equalBytes(frame.subarray(0, MARKER_BYTES), marker)) return undefined;
      return checksumOf(frame, offset) === frame.readUInt32LE(MARKER_BYTES + 4) ? contentOf(frame, MARKER_BYTES) : undefined;
    },
    findFrame: (file, from): number => file.indexOf(marker, from),
  };
}

/** Format of a file that holds something; undefined when its head is none. */
export function readLogFormat(file: Uint8Array): LogFormat | undefined {
  if (equalBytes(file.subarray(0, OLD_MAGIC.length), OLD_MAGIC)) return OLD_FORMAT;
  const format = createLogFormat(file.subarray(MAGIC.length, MAGIC.length + SALT_BYTES));
  return equalBytes(file.subarray(0, format.head.length), format.head) ? format : undefined;
}

/** True when a crash came while the file was made or emptied: it holds the beginning of a head, or zeros. */
export function isUnwrittenLog(file: Uint8Array): boolean {
  if (file.length < MAGIC.length || file.every((byte) => byte === 0)) return true;
  return file.length < MAGIC.length + SALT_BYTES + CHECKSUM_BYTES && equalBytes(file.subarray(0, MAGIC.length), MAGIC);
}

const OLD_FORMAT: LogFormat = {
  head: OLD_MAGIC,
  isCurrent: false,
  encode(payload, _offset, durableLength): Uint8Array {
    const frame = emptyFrame(payload, 0, durableLength);
    frame.writeUInt32LE(fieldsChecksum(frame, 0), 4);
    return frame;
  },
  frameAt(file, offset): LogFrame | undefined {
    const frame = cutFrame(file, offset, 0);
    return frame !== undefined && fieldsChecksum(frame, 0) === frame.readUInt32LE(4) ? contentOf(frame, 0) : undefined;
  },
  findFrame: (file, from): number => (from + FIELD_BYTES < file.length ? from : -1),
};

function emptyFrame(payload: Uint8Array, before: number, durableLength: number): Buffer {
  if (payload.length === 0 || payload.length > MAX_LOG_PAYLOAD_BYTES)
    throw new CodedError("INVARIANT", `A log record has ${payload.length} bytes`);
  const frame = Buffer.allocUnsafe(before + FIELD_BYTES + payload.length);
  frame.writeUInt32LE(payload.length, before);
  frame.writeUIntLE(durableLength, before + 8, 6);
  frame.set(payload, before + FIELD_BYTES);
  return frame;
}

/** The bytes that a frame at an offset would have; undefined when the file cannot hold one there. */
function cutFrame(file: Buffer, offset: number, before: number): Buffer | undefined {
  const start = offset + before + FIELD_BYTES;
  if (start > file.length) return undefined;
  const length = file.readUInt32LE(offset + before);
  return length === 0 || length > MAX_LOG_PAYLOAD_BYTES || start + length > file.length ? undefined : file.subarray(offset, start + length);
}

function contentOf(frame: Buffer, before: number): LogFrame {
  return { payload: frame.subarray(before + FIELD_BYTES), length: frame.length, durableLength: frame.readUIntLE(before + 8, 6) };
}

/** CRC of all but itself. */
function fieldsChecksum(frame: Buffer, before: number, seed = 0): number {
  return crc32(frame.subarray(before + 8), crc32(frame.subarray(before, before + 4), seed));
}

function offsetBytes(offset: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(6);
  bytes.writeUIntLE(offset, 0, 6);
  return bytes;
}

function checksumBytes(bytes: Uint8Array): Uint8Array {
  const checksum = Buffer.allocUnsafe(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(bytes));
  return checksum;
}
