// Histories of accounts: places by account and number. An account is named by 8 bytes of SHA-256 of its key. Two accounts could be made to
// share them; entries of both are then under one name, which harms who made them: the record at a place says whose it is.
//
//   entry: 8 bytes name · u48 number of the first place · u16 places · u48 each; a bucket has about 3 KiB
import { createHash } from "node:crypto";
import { fromHex } from "#shared/util/bytes.ts";
import type { FileLayer } from "../files/file-layer.ts";
import { beginsWith, PackedReader, PackedWriter } from "../files/packed-bytes.ts";
import { EntryList } from "./entry-list.ts";
import { mergeSorted } from "./merge-sorted.ts";
import { type NamedRun, RunFile, type RunKind, type RunRange, RunWriter, type WrittenRun } from "./run-format.ts";

const NAME_BYTES = 8;
const HALF_BYTES = 4;
const NUMBER_BYTES = 6;
const SEQ_BYTES = 6;
const COUNT_AT = NAME_BYTES + NUMBER_BYTES;
/** Name, number and number of places. */
const ENTRY_HEAD_BYTES = COUNT_AT + 2;
const BUCKET_BYTES = 3_072;
/** Places of one entry: what is read of a long history is little more than what is wanted. */
const MAX_PLACES = 256;
const MAX_NUMBER = 2 ** 48 - 1;

/** Runs of histories, by name and number. */
export const ACCOUNT_RUN: RunKind = { magic: "PARLACC1", extension: "acc", keyBytes: NAME_BYTES + NUMBER_BYTES };

/** Places of an account that have numbers without gaps. */
interface Entry {
  /** Name and number, as they are sorted. */
  readonly key: Buffer;
  readonly number: number;
  readonly seqs: readonly number[];
}

/** What histories of a run are found by. */
export function accountName(publicKey: string): Uint8Array {
  return createHash("sha256").update(fromHex(publicKey)).digest().subarray(0, NAME_BYTES);
}

/** Collects the entries of one segment, and writes them sorted. */
export class AccountRunBuilder {
  readonly #entries = new EntryList(4);

  add(name: Uint8Array, number: number, seq: number): void {
    const bytes = Buffer.from(name.buffer, name.byteOffset, NAME_BYTES);
    this.#entries.add(bytes.readUInt32BE(0), bytes.readUInt32BE(HALF_BYTES), number, seq);
  }

  /** Writes a file of the name. Returns when it is durable. */
  write(files: FileLayer, name: string, range: RunRange): WrittenRun {
    return writeEntries(files, name, range, this.#sorted());
  }

  *#sorted(): Generator<Entry, void> {
    for (const row of this.#entries.sorted()) {
      const key = Buffer.alloc(ACCOUNT_RUN.keyBytes);
      key.writeUInt32BE(this.#entries.at(row, 0), 0);
      key.writeUInt32BE(this.#entries.at(row, 1), HALF_BYTES);
      const number = this.#entries.at(row, 2);
      key.writeUIntBE(number, NAME_BYTES, NUMBER_BYTES);
      yield { key, number, seqs: [this.#entries.at(row, 3)] };
    }
  }
}

/** An open run of histories. */
export class AccountRun {
  readonly file: RunFile;

  constructor(files: FileLayer, run: NamedRun) {
    this.file = new RunFile(files, ACCOUNT_RUN, run);
  }

  /** Number and place of the newest entry of an account; undefined when the run has none. */
  newest(name: Uint8Array): { readonly number: number; readonly seq: number } | undefined {
    if (this.file.buckets === 0) return undefined;
    // The bucket of the largest key that an account can have holds its last entry, if there is one.
    let found: Entry | undefined;
    for (const entry of entriesOf(this.file.bucket(this.file.bucketBefore(keyOf(name, MAX_NUMBER))))) if (isOf(entry, name)) found = entry;
    const seq = found?.seqs.at(-1);
    return found === undefined || seq === undefined ? undefined : { number: found.number + found.seqs.length - 1, seq };
  }

  /** Number of the oldest entry of an account, of those at the places that count where not all do; undefined when the run has none. */
  oldest(name: Uint8Array, counts: (seq: number) => boolean = (): boolean => true): number | undefined {
    const end = keyOf(name, MAX_NUMBER);
    for (let bucket = this.file.bucketBefore(keyOf(name, 0)); this.file.beginsUpTo(bucket, end); bucket += 1)
      for (const entry of entriesOf(this.file.bucket(bucket))) {
        const index = isOf(entry, name) ? entry.seqs.findIndex(counts) : -1;
        if (index >= 0) return entry.number + index;
      }
    return undefined;
  }

  /** Places of the entries from one number up to another one, as far as the run has them. */
  places(name: Uint8Array, first: number, last: number): ReadonlyMap<number, number> {
    const found = new Map<number, number>();
    const end = keyOf(name, last);
    for (let bucket = this.file.bucketBefore(keyOf(name, first)); this.file.beginsUpTo(bucket, end); bucket += 1)
      takePlaces(this.file.bucket(bucket), { name, first, last }, found);
    return found;
  }

  /** All entries in order. */
  entries(): Generator<Entry, void> {
    return this.file.allOf(entriesOf);
  }
}

/** Merges runs of neighbouring ranges into one. Returns when it is durable. */
export function mergeAccountRuns(files: FileLayer, name: string, range: RunRange, runs: readonly AccountRun[]): WrittenRun {
  return writeEntries(
    files,
    name,
    range,
    mergeSorted(
      runs.map((run) => run.entries()),
      (a, b) => a.key.compare(b.key) < 0,
    ),
  );
}

function writeEntries(files: FileLayer, name: string, range: RunRange, entries: Iterable<Entry>): WrittenRun {
  const writer = new RunWriter(files, name, ACCOUNT_RUN, range);
  try {
    const bucket = new PackedWriter();
    let first: Uint8Array | undefined;
    let count = 0;
    for (const entry of joined(entries)) {
      first ??= entry.key;
      writeEntry(bucket, entry);
      count += entry.seqs.length;
      if (bucket.length < BUCKET_BYTES) continue;
      writer.add(first, bucket.view(), count);
      [first, count] = [undefined, 0];
      bucket.clear();
    }
    if (first !== undefined) writer.add(first, bucket.view(), count);
    return writer.finish();
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

/** Neighbours of one account as one entry, as long as their numbers have no gap. */
function* joined(entries: Iterable<Entry>): Generator<Entry, void> {
  let open: (Entry & { readonly seqs: number[] }) | undefined;
  for (const entry of entries) {
    const follows =
      open !== undefined &&
      open.key.compare(entry.key, 0, NAME_BYTES, 0, NAME_BYTES) === 0 &&
      open.number + open.seqs.length === entry.number &&
      open.seqs.length + entry.seqs.length <= MAX_PLACES;
    if (open !== undefined && follows) open.seqs.push(...entry.seqs);
    else {
      if (open !== undefined) yield open;
      open = { ...entry, seqs: [...entry.seqs] };
    }
  }
  if (open !== undefined) yield open;
}

function writeEntry(bucket: PackedWriter, { key, number, seqs }: Entry): void {
  bucket.bytes(key.subarray(0, NAME_BYTES));
  bucket.u48(number);
  bucket.u16(seqs.length);
  for (const seq of seqs) bucket.u48(seq);
}

function* entriesOf(content: Uint8Array): Generator<Entry, void> {
  const reader = new PackedReader(content);
  while (!reader.isAtEnd) {
    const name = reader.bytes(NAME_BYTES);
    const number = reader.u48();
    const seqs = Array.from({ length: reader.u16() }, () => reader.u48());
    yield { key: keyOf(name, number), number, seqs };
  }
}

/** Adds what a bucket has of the entries: read in place, for nearly all of it is of other accounts. */
function takePlaces(
  content: Uint8Array,
  { name, first, last }: { readonly name: Uint8Array; readonly first: number; readonly last: number },
  found: Map<number, number>,
): void {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  for (let at = 0; at < bytes.length; ) {
    const count = (bytes[at + COUNT_AT] as number) + (bytes[at + COUNT_AT + 1] as number) * 256;
    const places = at + ENTRY_HEAD_BYTES;
    const from = beginsWith(bytes, at, name) ? bytes.readUIntLE(at + NAME_BYTES, NUMBER_BYTES) : Number.POSITIVE_INFINITY;
    if (from <= last && from + count > first)
      for (let number = Math.max(first, from); number <= last && number < from + count; number += 1)
        found.set(number, bytes.readUIntLE(places + (number - from) * SEQ_BYTES, SEQ_BYTES));
    at = places + count * SEQ_BYTES;
  }
}

function isOf({ key }: Entry, name: Uint8Array): boolean {
  return key.compare(name, 0, NAME_BYTES, 0, NAME_BYTES) === 0;
}

function keyOf(name: Uint8Array, number: number): Buffer {
  const key = Buffer.alloc(ACCOUNT_RUN.keyBytes);
  key.set(name.subarray(0, NAME_BYTES));
  key.writeUIntBE(Math.min(number, MAX_NUMBER), NAME_BYTES, NUMBER_BYTES);
  return key;
}
