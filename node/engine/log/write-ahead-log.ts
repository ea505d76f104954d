// Write-ahead log of the current height. A frame is length (u32), CRC-32 (u32), durable length (u48), payload; numbers are
// little-endian, the CRC covers all but itself. "Durable length" is how much of the file was synced when the frame was written:
// it tells a torn tail (dropped: nothing in it was promised) from damage to what was durable (refused).
import { crc32 } from "node:zlib";
import { CodedError } from "#shared/errors/coded-error.ts";
import { concatBytes, equalBytes, utf8 } from "#shared/util/bytes.ts";
import type { AppendFile } from "./engine-storage.ts";

const MAGIC = utf8("PARLWAL1");
const FRAME_HEADER_BYTES = 14;
/** Largest payload, bytes: a block with its message, and room. */
export const MAX_LOG_PAYLOAD_BYTES = 16 * 1_048_576;
/** Buffered bytes that are written without waiting for the next flush. */
const MAX_BUFFERED_BYTES = 4 * 1_048_576;
/** Size above which the log is emptied when a height ends. */
const RESET_BYTES = 4 * 1_048_576;

interface ScanResult {
  readonly payloads: readonly Uint8Array[];
  readonly validLength: number;
}

/** Appends records; durable after a flush that a record asked for. */
export class WriteAheadLog {
  readonly #file: AppendFile;
  #buffer: Uint8Array[] = [];
  #bufferedBytes = 0;
  #length: number;
  #durableLength: number;
  #needsSync = false;

  constructor(file: AppendFile, length: number) {
    this.#file = file;
    this.#length = length;
    this.#durableLength = length;
  }

  /** Buffers a record. `isSync` makes the next flush wait until it is durable. */
  append(payload: Uint8Array, isSync: boolean): void {
    const frame = encodeFrame(payload, this.#durableLength);
    this.#buffer.push(frame);
    this.#bufferedBytes += frame.length;
    this.#needsSync ||= isSync;
    if (this.#bufferedBytes > MAX_BUFFERED_BYTES) this.#write();
  }

  /** Writes what is buffered; returns when synced records are durable. A failed sync is final: the caller must stop. */
  flush(): void {
    this.#write();
    if (!this.#needsSync) return;
    this.#file.sync();
    this.#durableLength = this.#length;
    this.#needsSync = false;
  }

  /** The height is durable in the chain's database, so its records are no longer needed. The file is emptied now and then only. */
  endHeight(): void {
    this.flush();
    if (this.#length < RESET_BYTES) return;
    this.#file.truncate(0);
    this.#file.append(MAGIC);
    this.#length = MAGIC.length;
    this.#durableLength = 0;
  }

  /** Closes the file. What was not flushed is dropped: nothing was promised about it. */
  close(): void {
    this.#file.close();
  }

  #write(): void {
    if (this.#buffer.length === 0) return;
    this.#file.append(this.#buffer.length === 1 ? (this.#buffer[0] as Uint8Array) : concatBytes(...this.#buffer));
    this.#length += this.#bufferedBytes;
    this.#buffer = [];
    this.#bufferedBytes = 0;
  }
}

/**
 * Reads the log, drops a torn tail and makes it ready to append.
 * @throws CodedError STORAGE_CORRUPT when something that was durable is damaged.
 */
export function openWriteAheadLog(file: AppendFile): { readonly log: WriteAheadLog; readonly payloads: readonly Uint8Array[] } {
  const bytes = file.read();
  if (isUnwritten(bytes)) {
    file.truncate(0);
    file.append(MAGIC);
    file.sync();
    return { log: new WriteAheadLog(file, MAGIC.length), payloads: [] };
  }
  if (!equalBytes(bytes.subarray(0, MAGIC.length), MAGIC)) throw corrupt(0);
  const { payloads, validLength } = scan(bytes);
  if (validLength < bytes.length) file.truncate(validLength);
  // What another run wrote without a sync counts as durable from here on.
  file.sync();
  return { log: new WriteAheadLog(file, validLength), payloads };
}

function encodeFrame(payload: Uint8Array, durableLength: number): Uint8Array {
  if (payload.length === 0 || payload.length > MAX_LOG_PAYLOAD_BYTES)
    throw new CodedError("INVARIANT", `A log record has ${payload.length} bytes`);
  const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + payload.length);
  frame.writeUInt32LE(payload.length, 0);
  frame.writeUIntLE(durableLength, 8, 6);
  frame.set(payload, FRAME_HEADER_BYTES);
  frame.writeUInt32LE(frameChecksum(frame), 4);
  return frame;
}

function scan(bytes: Uint8Array): ScanResult {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const payloads: Uint8Array[] = [];
  let offset = MAGIC.length;
  while (offset < view.length) {
    const frame = frameAt(view, offset);
    if (frame === undefined) {
      if (wasDurable(view, offset)) throw corrupt(offset);
      break;
    }
    payloads.push(frame.subarray(FRAME_HEADER_BYTES));
    offset += frame.length;
  }
  return { payloads, validLength: offset };
}

/** True when a later intact frame says that the damaged one had been durable. */
function wasDurable(view: Buffer, damagedOffset: number): boolean {
  for (let offset = damagedOffset + 1; offset + FRAME_HEADER_BYTES < view.length; offset += 1) {
    const frame = frameAt(view, offset);
    if (frame !== undefined && frame.readUIntLE(8, 6) > damagedOffset) return true;
  }
  return false;
}

function frameAt(view: Buffer, offset: number): Buffer | undefined {
  if (offset + FRAME_HEADER_BYTES > view.length) return undefined;
  const length = view.readUInt32LE(offset);
  if (length === 0 || length > MAX_LOG_PAYLOAD_BYTES || offset + FRAME_HEADER_BYTES + length > view.length) return undefined;
  const frame = view.subarray(offset, offset + FRAME_HEADER_BYTES + length);
  return frameChecksum(frame) === frame.readUInt32LE(4) ? frame : undefined;
}

function frameChecksum(frame: Buffer): number {
  return crc32(frame.subarray(8), crc32(frame.subarray(0, 4)));
}

// A crash while the file was made or emptied leaves less than the magic, or zeros.
function isUnwritten(bytes: Uint8Array): boolean {
  return bytes.length < MAGIC.length || bytes.every((byte) => byte === 0);
}

function corrupt(offset: number): CodedError {
  return new CodedError(
    "STORAGE_CORRUPT",
    `The consensus log is damaged at byte ${offset}: voting on from here could contradict earlier votes`,
    {
      details: { offset },
    },
  );
}
