// The state of a block in a file: what a new chain begins with. A head, the header of that block, then every record of the state by
// namespace and key, each behind its length. One state has one such file, so two that export it compare a hash.
import { createHash } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { fileError } from "#node/config/files/file-errors.ts";
import { syncFolder } from "#node/config/files/write-file-atomic.ts";
import { NAMESPACES, type Namespace } from "#node/ledger/state-view.ts";
import { type Codec, encode, tryDecode } from "#shared/codec/codec.ts";
import { record } from "#shared/codec/composites.ts";
import { bytesUpTo, word } from "#shared/codec/scalars.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type BlockHeader, type HashHex, headerCodec } from "#shared/protocol/chain/header.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { equalBytes, utf8 } from "#shared/util/bytes.ts";

/** A record of the state. */
export interface StateRecord {
  readonly namespace: Namespace;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A state file that can be read again and again. */
export interface StateFile {
  readonly path: string;
  /** Header of the block after which the state is the one of the file. */
  readonly header: BlockHeader;
  /** Strictly ascending by namespace and key. @throws CodedError STORAGE_CORRUPT where the file is damaged. */
  records(): Iterable<StateRecord>;
}

/** A state file that was written. */
export interface WrittenState {
  readonly hash: HashHex;
  readonly records: number;
}

/** Largest encoded record: a module of a contract has a quarter of it. */
export const MAX_STATE_RECORD_BYTES = 1_048_576;
/** What is read or written at once. */
const BUFFER_BYTES = 1_048_576;
const LENGTH_BYTES = 4;
const HEAD = utf8("PARLEY-STATE-1\n");

/** [namespace, key, value] */
const recordCodec: Codec<StateRecord> = record({
  namespace: word(NAMESPACES, "namespace"),
  key: bytesUpTo(MAX_STATE_RECORD_BYTES),
  value: bytesUpTo(MAX_STATE_RECORD_BYTES),
});

/** True when a record comes after another one in a state file. */
export function isAfter(record: StateRecord, previous: StateRecord | undefined): boolean {
  if (previous === undefined || record.namespace > previous.namespace) return true;
  return record.namespace === previous.namespace && Buffer.compare(record.key, previous.key) > 0;
}

/**
 * Writes a new state file, durable on return.
 * @throws CodedError STORAGE_FULL or STORAGE_UNWRITABLE, also when there is such a file; nothing is left behind then.
 */
export function writeStateFile(path: string, header: BlockHeader, records: Iterable<StateRecord>): WrittenState {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = openSync(temporary, "w", 0o600);
    let written: WrittenState;
    try {
      written = writeFrames(file, framesOf(header, records));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    linkSync(temporary, path);
    syncFolder(dirname(path));
    return written;
  } catch (error) {
    throw error instanceof CodedError ? error : fileError(path, error);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Opens a state file. @throws CodedError STORAGE_CORRUPT when it is none, STORAGE_UNWRITABLE when it cannot be read. */
export function openStateFile(path: string): StateFile {
  const [front] = readFrames(path);
  const header = front === undefined ? undefined : tryDecode(headerCodec, front);
  if (header === undefined) throw damaged(path, "it does not begin with the header of a block");
  return { path, header, records: () => readRecords(path) };
}

function* framesOf(header: BlockHeader, records: Iterable<StateRecord>): Generator<Uint8Array> {
  yield encode(headerCodec, header);
  let previous: StateRecord | undefined;
  for (const item of records) {
    assertInvariant(isAfter(item, previous), "Records of the state are read in order");
    previous = item;
    yield encode(recordCodec, item);
  }
}

function writeFrames(file: number, frames: Iterable<Uint8Array>): WrittenState {
  const hash = createHash("sha256");
  let parts: Uint8Array[] = [HEAD];
  let size = HEAD.length;
  let records = -1;
  const flush = (): void => {
    const bytes = Buffer.concat(parts);
    hash.update(bytes);
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(file, bytes, offset);
    parts = [];
    size = 0;
  };
  for (const frame of frames) {
    assertInvariant(frame.length <= MAX_STATE_RECORD_BYTES, "A record of the state is larger than any can be");
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(frame.length);
    parts.push(length, frame);
    records += 1;
    size += LENGTH_BYTES + frame.length;
    if (size >= BUFFER_BYTES) flush();
  }
  flush();
  return { hash: hash.digest("hex"), records };
}

function* readRecords(path: string): Generator<StateRecord> {
  let previous: StateRecord | undefined;
  let isFront = true;
  for (const frame of readFrames(path)) {
    if (isFront) {
      isFront = false;
      continue;
    }
    const item = tryDecode(recordCodec, frame);
    if (item === undefined || !isAfter(item, previous)) throw damaged(path, "a record has another form or place");
    previous = item;
    yield item;
  }
}

/** The frames of a file; at most one and what is read at once are in memory. */
function* readFrames(path: string): Generator<Uint8Array> {
  const file = openForReading(path);
  try {
    const source = new FileSource(file, path);
    const head = source.take(HEAD.length);
    if (head === undefined || !equalBytes(head, HEAD)) throw damaged(path, "it is no state file of this version");
    for (;;) {
      const length = source.take(LENGTH_BYTES);
      if (length === undefined) return;
      const size = Buffer.from(length).readUInt32BE();
      const frame = size > MAX_STATE_RECORD_BYTES ? undefined : source.take(size);
      if (frame === undefined) throw damaged(path, "it is cut off");
      yield frame;
    }
  } finally {
    closeSync(file);
  }
}

/** Takes bytes from the front of a file. */
class FileSource {
  readonly #file: number;
  readonly #path: string;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(file: number, path: string) {
    this.#file = file;
    this.#path = path;
  }

  /** A copy of the next bytes; undefined at the end of the file. @throws CodedError STORAGE_CORRUPT when it ends in between. */
  take(count: number): Uint8Array | undefined {
    while (this.#bytes.length < count) {
      const more = Buffer.alloc(BUFFER_BYTES);
      const length = this.#read(more);
      if (length === 0 && this.#bytes.length === 0 && count > 0) return undefined;
      if (length === 0) throw damaged(this.#path, "it is cut off");
      this.#bytes = Buffer.concat([this.#bytes, more.subarray(0, length)]);
    }
    const taken = Uint8Array.from(this.#bytes.subarray(0, count));
    this.#bytes = this.#bytes.subarray(count);
    return taken;
  }

  #read(into: Buffer): number {
    try {
      return readSync(this.#file, into);
    } catch (error) {
      throw fileError(this.#path, error);
    }
  }
}

function openForReading(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw fileError(path, error);
  }
}

function damaged(path: string, why: string): CodedError {
  return new CodedError("STORAGE_CORRUPT", `The state file ${path} cannot be used: ${why}. Copy it again from where it was exported`, {
    details: { file: path },
  });
}
