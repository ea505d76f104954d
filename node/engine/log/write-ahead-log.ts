// Write-ahead log of the current height. Each frame says how much of the file was synced when it was written ("durable length"): that
// tells a torn tail (dropped: nothing in it was promised) from damage to what was durable (refused).
import { randomBytes } from "node:crypto";
import { CodedError } from "#shared/errors/coded-error.ts";
import { concatBytes } from "#shared/util/bytes.ts";
import type { AppendFile } from "./engine-storage.ts";
import { createLogFormat, isUnwrittenLog, type LogFormat, readLogFormat, SALT_BYTES } from "./log-format.ts";

/** Buffered bytes that are written without waiting for the next flush. */
const MAX_BUFFERED_BYTES = 4 * 1_048_576;
/** Size above which the log is emptied when a height ends. */
const RESET_BYTES = 4 * 1_048_576;

/** Makes the salt of a new file. */
type CreateSalt = () => Uint8Array;

const createRandomSalt: CreateSalt = () => randomBytes(SALT_BYTES);

interface ScanResult {
  readonly payloads: readonly Uint8Array[];
  readonly validLength: number;
}

/** Appends records; durable after a flush that a record asked for. */
export class WriteAheadLog {
  readonly #file: AppendFile;
  readonly #createSalt: CreateSalt;
  #format: LogFormat;
  #buffer: Uint8Array[] = [];
  #bufferedBytes = 0;
  #length: number;
  #durableLength: number;
  #needsSync = false;

  constructor(file: AppendFile, format: LogFormat, length: number, createSalt: CreateSalt = createRandomSalt) {
    this.#file = file;
    this.#createSalt = createSalt;
    this.#format = format;
    this.#length = length;
    this.#durableLength = length;
  }

  /** Buffers a record. `isSync` makes the next flush wait until it is durable. */
  append(payload: Uint8Array, isSync: boolean): void {
    const frame = this.#format.encode(payload, this.#length + this.#bufferedBytes, this.#durableLength);
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

  /**
   * The height is durable in the chain's database, so its records are no longer needed. The file is emptied now and then only; the
   * records of another time are no frames any more, because the salt is another one.
   */
  endHeight(): void {
    this.flush();
    if (this.#length < RESET_BYTES && this.#format.isCurrent) return;
    this.#format = beginFile(this.#file, this.#createSalt);
    this.#length = this.#format.head.length;
    this.#durableLength = this.#length;
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
export function openWriteAheadLog(
  file: AppendFile,
  createSalt: CreateSalt = createRandomSalt,
): { readonly log: WriteAheadLog; readonly payloads: readonly Uint8Array[] } {
  const bytes = file.read();
  if (isUnwrittenLog(bytes)) {
    const format = beginFile(file, createSalt);
    return { log: new WriteAheadLog(file, format, format.head.length, createSalt), payloads: [] };
  }
  const format = readLogFormat(bytes);
  if (format === undefined) throw corrupt(0);
  const { payloads, validLength } = scan(bytes, format);
  if (validLength < bytes.length) file.truncate(validLength);
  // What another run wrote without a sync counts as durable from here on.
  file.sync();
  return { log: new WriteAheadLog(file, format, validLength, createSalt), payloads };
}

function beginFile(file: AppendFile, createSalt: CreateSalt): LogFormat {
  const format = createLogFormat(createSalt());
  file.truncate(0);
  file.append(format.head);
  file.sync();
  return format;
}

function scan(bytes: Uint8Array, format: LogFormat): ScanResult {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const payloads: Uint8Array[] = [];
  let offset = format.head.length;
  while (offset < view.length) {
    const frame = format.frameAt(view, offset);
    if (frame === undefined) {
      if (wasDurable(view, offset, format)) throw corrupt(offset);
      break;
    }
    payloads.push(frame.payload);
    offset += frame.length;
  }
  return { payloads, validLength: offset };
}

/** True when a later intact frame says that the damaged one had been durable. */
function wasDurable(view: Buffer, damagedOffset: number, format: LogFormat): boolean {
  for (let at = format.findFrame(view, damagedOffset + 1); at !== -1; at = format.findFrame(view, at + 1)) {
    const frame = format.frameAt(view, at);
    if (frame !== undefined && frame.durableLength > damagedOffset) return true;
  }
  return false;
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
