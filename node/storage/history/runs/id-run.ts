// Where transactions are, by 48 bits of SHA-256 of their ids. Ids may share a key: the record at the place decides.
//
//   entry: 6 bytes key · u48 seq; a bucket has 256 of them
import { hash } from "node:crypto";
import type { FileLayer } from "../files/file-layer.ts";
import { beginsWith, PackedReader, PackedWriter } from "../files/packed-bytes.ts";
import { EntryList } from "./entry-list.ts";
import { mergeSorted } from "./merge-sorted.ts";
import { type NamedRun, RunFile, type RunKind, type RunRange, RunWriter, type WrittenRun } from "./run-format.ts";

/** Runs of ids. */
export const ID_RUN: RunKind = { magic: "PARLIDS1", extension: "ids", keyBytes: 6 };

const BUCKET_ENTRIES = 256;
const ENTRY_BYTES = 12;

interface Entry {
  readonly key: number;
  readonly seq: number;
}

/** What an id is found by: the first 48 bits of its SHA-256. */
export function idKey(id: string): number {
  return Number.parseInt(hash("sha256", id).slice(0, 2 * ID_RUN.keyBytes), 16);
}

/** Collects the ids of one segment, and writes them sorted. */
export class IdRunBuilder {
  readonly #entries = new EntryList(2);

  add(key: number, seq: number): void {
    this.#entries.add(key, seq);
  }

  /** Writes a file of the name. Returns when it is durable. */
  write(files: FileLayer, name: string, range: RunRange): WrittenRun {
    return writeEntries(files, name, range, this.#sorted());
  }

  *#sorted(): Generator<Entry, void> {
    for (const row of this.#entries.sorted()) yield { key: this.#entries.at(row, 0), seq: this.#entries.at(row, 1) };
  }
}

/** An open run of ids. */
export class IdRun {
  readonly file: RunFile;

  constructor(files: FileLayer, run: NamedRun) {
    this.file = new RunFile(files, ID_RUN, run);
  }

  /** Places under the key of an id, ascending. */
  places(wanted: number): readonly number[] {
    const key = keyBytes(wanted);
    const found: number[] = [];
    for (let bucket = this.file.bucketBefore(key); this.file.beginsUpTo(bucket, key); bucket += 1) {
      const bytes = this.file.bucket(bucket);
      for (let at = firstFrom(bytes, key); beginsWith(bytes, at, key); at += ENTRY_BYTES) found.push(seqAt(bytes, at + key.length));
    }
    return found;
  }

  /** All entries in order. */
  entries(): Generator<Entry, void> {
    return this.file.allOf(entriesOf);
  }
}

/** Merges runs of neighbouring ranges into one. Returns when it is durable. */
export function mergeIdRuns(files: FileLayer, name: string, range: RunRange, runs: readonly IdRun[]): WrittenRun {
  return writeEntries(
    files,
    name,
    range,
    mergeSorted(
      runs.map((run) => run.entries()),
      isBefore,
    ),
  );
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.key < b.key || (a.key === b.key && a.seq < b.seq);
}

function writeEntries(files: FileLayer, name: string, range: RunRange, entries: Iterable<Entry>): WrittenRun {
  const writer = new RunWriter(files, name, ID_RUN, range);
  try {
    const bucket = new PackedWriter();
    let first: Uint8Array | undefined;
    const flush = (): void => {
      if (first !== undefined) writer.add(first, bucket.view(), bucket.length / ENTRY_BYTES);
      first = undefined;
      bucket.clear();
    };
    for (const { key, seq } of entries) {
      const bytes = keyBytes(key);
      first ??= bytes;
      bucket.bytes(bytes);
      bucket.u48(seq);
      if (bucket.length === BUCKET_ENTRIES * ENTRY_BYTES) flush();
    }
    flush();
    return writer.finish();
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

/** Where the first entry is whose key is not below the key; the end when there is none. */
function firstFrom(bytes: Uint8Array, key: Uint8Array): number {
  let [low, high] = [0, Math.floor(bytes.length / ENTRY_BYTES)];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBelow(bytes, middle * ENTRY_BYTES, key)) low = middle + 1;
    else high = middle;
  }
  return low * ENTRY_BYTES;
}

function isBelow(bytes: Uint8Array, at: number, key: Uint8Array): boolean {
  for (let i = 0; i < key.length; i += 1) {
    const difference = (bytes[at + i] as number) - (key[i] as number);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function* entriesOf(content: Uint8Array): Generator<Entry, void> {
  const reader = new PackedReader(content);
  while (!reader.isAtEnd) yield { key: bigEndian(reader.bytes(ID_RUN.keyBytes)), seq: reader.u48() };
}

function seqAt(bytes: Uint8Array, at: number): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).readUIntLE(at, ID_RUN.keyBytes);
}

function keyBytes(key: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(ID_RUN.keyBytes);
  bytes.writeUIntBE(key, 0, ID_RUN.keyBytes);
  return bytes;
}

function bigEndian(bytes: Uint8Array): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).readUIntBE(0, bytes.length);
}
