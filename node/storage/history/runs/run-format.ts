// A run: sorted entries of a range of heights in one file that is written once. Entries stand in buckets, each of which is read whole and has
// its own checksum; the directory of the buckets stays in memory while the file is open. docs/history-format.md describes it.
//
//   header · buckets · directory · footer
//   header: magic · u16 format · u32 salt · u48 first height · u48 last height · 32 bytes genesis hash
//   directory, a bucket: first key · u48 offset · u32 CRC of salt, offset and content
//   footer: u48 offset of the directory · u32 buckets · u48 entries · u32 CRC of header, directory and these · SHA-256 of all before · "PARLRUNE"
import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { equalBytes, fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { damagedFile } from "../files/damaged-file.ts";
import type { FileLayer, ReadableFile, WritableFile } from "../files/file-layer.ts";
import { PackedReader, PackedWriter } from "../files/packed-bytes.ts";

/** What is sorted by what. */
export interface RunKind {
  readonly magic: string;
  readonly extension: string;
  /** Bytes of a key; keys ascend as bytes do. */
  readonly keyBytes: number;
}

/** Which blocks of which network, and how many entries. */
export interface RunRange {
  readonly first: Height;
  readonly last: Height;
  readonly genesisHash: HashHex;
}

/** What is known of a run beside the file. */
export interface NamedRun extends RunRange {
  readonly bytes: number;
  readonly sha256: HashHex;
}

/** A run that is written and durable, but for its name. */
export interface WrittenRun {
  readonly bytes: number;
  readonly sha256: HashHex;
  readonly entries: number;
}

const FORMAT = 1;
const END = utf8("PARLRUNE");
const HEADER_BYTES = 58;
const HASH_BYTES = 32;
const PLACE_BYTES = 10;
const COUNTS_BYTES = 16;
const FOOTER_BYTES = COUNTS_BYTES + 4 + HASH_BYTES + END.length;
const UNHASHED_BYTES = HASH_BYTES + END.length;
const HASHED_CHUNK = 1_048_576;
const SALT_END = 2 ** 32;

/** Name of the file of a range. */
export function runName({ first, last }: Pick<RunRange, "first" | "last">, { extension }: RunKind): string {
  return `${first}-${last}.${extension}`;
}

/** Writes a run bucket by bucket; in memory is the directory. */
export class RunWriter {
  readonly #file: WritableFile;
  readonly #header: Uint8Array;
  readonly #salt: number;
  readonly #directory = new PackedWriter();
  readonly #hash = createHash("sha256");
  #length = 0;
  #buckets = 0;
  #entries = 0;

  constructor(files: FileLayer, name: string, kind: RunKind, range: RunRange) {
    this.#salt = randomInt(SALT_END);
    this.#header = encodeHeader(kind, range, this.#salt);
    this.#file = files.create(name);
    try {
      this.#append(this.#header);
    } catch (error) {
      this.#file.close();
      throw error;
    }
  }

  /** Appends a bucket of so many entries; its first key is not below any key before. */
  add(firstKey: Uint8Array, content: Uint8Array, entries: number): void {
    this.#directory.bytes(firstKey);
    this.#directory.u48(this.#length);
    this.#directory.u32(bucketChecksum(this.#salt, this.#length, content));
    this.#append(content);
    this.#buckets += 1;
    this.#entries += entries;
  }

  /** Directory and footer. Returns when all of it is durable. */
  finish(): WrittenRun {
    const tail = this.#directory;
    const directoryAt = this.#length;
    tail.u48(directoryAt);
    tail.u32(this.#buckets);
    tail.u48(this.#entries);
    tail.u32(crc32(tail.view(), crc32(this.#header)));
    this.#append(tail.view());
    const sha256 = this.#hash.digest();
    this.#file.append(sha256);
    this.#file.append(END);
    this.#file.sync();
    this.#file.close();
    return { bytes: this.#length + UNHASHED_BYTES, sha256: toHex(sha256), entries: this.#entries };
  }

  /** Closes the file of a run that is given up. */
  abandon(): void {
    this.#file.close();
  }

  #append(bytes: Uint8Array): void {
    this.#file.append(bytes);
    this.#hash.update(bytes);
    this.#length += bytes.length;
  }
}

/** An open run. Every method throws STORAGE_CORRUPT naming file and offset where bytes are not those that were written. */
export class RunFile {
  readonly entries: number;
  readonly buckets: number;
  readonly #file: ReadableFile;
  readonly #path: string;
  readonly #keyBytes: number;
  readonly #directory: Buffer;
  readonly #directoryAt: number;
  readonly #salt: number;
  readonly #sha256: HashHex;

  /** Checks header, directory and footer. @throws CodedError STORAGE_CORRUPT also when it is missing or another one, STORAGE_NEWER */
  constructor(files: FileLayer, kind: RunKind, run: NamedRun) {
    const name = runName(run, kind);
    this.#path = files.path(name);
    const file = files.open(name);
    if (file === undefined) throw damagedFile(this.#path, 0, "it is missing");
    try {
      this.#file = file;
      this.#keyBytes = kind.keyBytes;
      if (file.size !== run.bytes) throw damagedFile(this.#path, file.size, `it has ${file.size} bytes instead of ${run.bytes}`);
      const footerAt = file.size - FOOTER_BYTES;
      if (footerAt < HEADER_BYTES) throw damagedFile(this.#path, file.size, "it is cut off");
      const header = this.#read(0, HEADER_BYTES);
      const footer = new PackedReader(this.#read(footerAt, FOOTER_BYTES));
      [this.#directoryAt, this.buckets, this.entries] = [footer.u48(), footer.u32(), footer.u48()];
      const [checksum, sha256, end] = [footer.u32(), toHex(footer.bytes(HASH_BYTES)), footer.rest()];
      if (!equalBytes(end, END)) throw damagedFile(this.#path, footerAt, "its end is not that of a run");
      if (this.#directoryAt + this.buckets * this.#entryBytes !== footerAt)
        throw damagedFile(this.#path, footerAt, "its footer has other places");
      const covered = this.#read(this.#directoryAt, footerAt + COUNTS_BYTES - this.#directoryAt);
      if (checksum !== crc32(covered, crc32(header)))
        throw damagedFile(this.#path, this.#directoryAt, "the checksum of its directory differs");
      this.#salt = checkHeader(header, this.#path, kind, run);
      if (sha256 !== run.sha256) throw damagedFile(this.#path, footerAt + COUNTS_BYTES + 4, "it is another file");
      this.#sha256 = sha256;
      this.#directory = Buffer.from(covered.buffer, covered.byteOffset, this.buckets * this.#entryBytes);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** What all buckets hold, in order. */
  *allOf<Entry>(entriesOf: (bucket: Uint8Array) => Iterable<Entry>): Generator<Entry, void> {
    for (let bucket = 0; bucket < this.buckets; bucket += 1) yield* entriesOf(this.bucket(bucket));
  }

  /** Number of the last bucket whose first key is below the key, 0 when there is none. */
  bucketBefore(key: Uint8Array): number {
    let [low, high] = [0, this.buckets];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(middle, key) < 0) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** True when the first key of a bucket is not above the key. */
  beginsUpTo(bucket: number, key: Uint8Array): boolean {
    return bucket < this.buckets && this.#compare(bucket, key) <= 0;
  }

  /** Content of a bucket. */
  bucket(bucket: number): Uint8Array {
    assertInvariant(bucket >= 0 && bucket < this.buckets, "A run has no such bucket");
    const at = this.#offset(bucket);
    const content = this.#read(at, (bucket + 1 < this.buckets ? this.#offset(bucket + 1) : this.#directoryAt) - at);
    const checksum = this.#directory.readUInt32LE(bucket * this.#entryBytes + this.#keyBytes + 6);
    if (checksum !== bucketChecksum(this.#salt, at, content)) throw damagedFile(this.#path, at, "the checksum of its entries differs");
    return content;
  }

  /** Reads all of it: each bucket, and the hash of the file. */
  verify(): void {
    for (let bucket = 0; bucket < this.buckets; bucket += 1) this.bucket(bucket);
    const hash = createHash("sha256");
    const end = this.#file.size - UNHASHED_BYTES;
    for (let at = 0; at < end; at += HASHED_CHUNK) hash.update(this.#read(at, Math.min(HASHED_CHUNK, end - at)));
    if (toHex(hash.digest()) !== this.#sha256) throw damagedFile(this.#path, end, "its hash differs");
  }

  close(): void {
    this.#file.close();
  }

  get #entryBytes(): number {
    return this.#keyBytes + PLACE_BYTES;
  }

  #compare(bucket: number, key: Uint8Array): number {
    const at = bucket * this.#entryBytes;
    for (let i = 0; i < this.#keyBytes; i += 1) {
      const difference = (this.#directory[at + i] as number) - (key[i] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  #offset(bucket: number): number {
    return this.#directory.readUIntLE(bucket * this.#entryBytes + this.#keyBytes, 6);
  }

  #read(at: number, length: number): Uint8Array {
    const bytes = length < 0 ? new Uint8Array() : this.#file.read(at, length);
    if (bytes.length !== length) throw damagedFile(this.#path, at, "it is cut off");
    return bytes;
  }
}

function encodeHeader({ magic }: RunKind, { first, last, genesisHash }: RunRange, salt: number): Uint8Array {
  const writer = new PackedWriter();
  writer.bytes(utf8(magic));
  writer.u16(FORMAT);
  writer.u32(salt);
  writer.u48(first);
  writer.u48(last);
  writer.bytes(fromHex(genesisHash));
  return writer.take();
}

/** The salt of a header whose checksum is right. */
function checkHeader(header: Uint8Array, path: string, kind: RunKind, range: RunRange): number {
  const reader = new PackedReader(header);
  reader.bytes(kind.magic.length);
  const [format, salt] = [reader.u16(), reader.u32()];
  if (format !== FORMAT)
    throw new CodedError("STORAGE_NEWER", `${path} was written by a newer version (format ${format}): update the program`);
  if (!equalBytes(header, encodeHeader(kind, range, salt))) throw damagedFile(path, 0, "it is that of other blocks or another network");
  return salt;
}

/** Salt and offset of the bucket whose checksum is made. */
const checkedPlace = Buffer.alloc(10);

function bucketChecksum(salt: number, offset: number, content: Uint8Array): number {
  checkedPlace.writeUInt32LE(salt, 0);
  checkedPlace.writeUIntLE(offset, 4, 6);
  return crc32(content, crc32(checkedPlace));
}
