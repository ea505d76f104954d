// Reads an open segment: one record, the front of one block, or one block.
import { createHash } from "node:crypto";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { toHex } from "#shared/util/bytes.ts";
import { damagedFile } from "../files/damaged-file.ts";
import type { FileLayer, ReadableFile } from "../files/file-layer.ts";
import type { EncodedRecord } from "./packed-record.ts";
import {
  BLOCK_HEAD_BYTES,
  type BlockFront,
  type BlockLayout,
  blockLayout,
  blockTableEnd,
  readBlockFront,
  readSealedRecord,
  recordPlace,
  type SealedBlock,
} from "./segment-block.ts";
import {
  type IndexedBlock,
  readSegmentFrame,
  type SegmentFrame,
  type SegmentRange,
  segmentName,
  UNHASHED_BYTES,
} from "./segment-format.ts";

/** What is known of a segment beside the file. */
export interface NamedSegment extends SegmentRange {
  readonly bytes: number;
  readonly sha256: HashHex;
}

/** Where a block is, and what the index says of it. */
interface Place extends IndexedBlock {
  readonly height: Height;
  /** Bytes of the block. */
  readonly bytes: number;
}

/** Bytes that are read of a block at first: most fronts, with the table, are shorter. */
const FIRST_BYTES = 4_096;
/** Positions in a block whose table is read at once with the head of the block. */
const NEAR_POSITIONS = 256;
const HASHED_CHUNK = 1_048_576;

/** An open segment. Every method throws STORAGE_CORRUPT naming file and offset where bytes are not those that were written. */
export class SegmentFile {
  readonly #file: ReadableFile;
  readonly #path: string;
  readonly #segment: NamedSegment;
  readonly #frame: SegmentFrame;

  /** Checks header, index and footer. @throws CodedError STORAGE_CORRUPT also when it is missing or another one. */
  constructor(files: FileLayer, segment: NamedSegment) {
    const name = segmentName(segment);
    this.#path = files.path(name);
    const file = files.open(name);
    if (file === undefined) throw damagedFile(this.#path, 0, "it is missing");
    try {
      this.#segment = segment;
      this.#file = file;
      if (file.size !== segment.bytes) throw damagedFile(this.#path, file.size, `it has ${file.size} bytes instead of ${segment.bytes}`);
      this.#frame = readSegmentFrame(file, this.#path, segment);
      if (this.#frame.sha256 !== segment.sha256) throw damagedFile(this.#path, file.size - UNHASHED_BYTES, "it is another file");
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** What the index says of a block. */
  indexed(height: Height): IndexedBlock {
    return this.#place(height);
  }

  /** Everything of a block but its records. */
  front(height: Height): BlockFront {
    const place = this.#place(height);
    return this.#checked(place.offset, () => this.#front(place).front);
  }

  /** Transaction and receipt at a position; undefined beyond the last one. */
  record(height: Height, position: number): EncodedRecord | undefined {
    const place = this.#place(height);
    if (position < 0 || position >= place.count) return undefined;
    const { start, end } = this.#checked(place.offset, () => {
      // Nearly all are among the first of their block: one read gets head and table up to their end.
      const isNear = position < NEAR_POSITIONS;
      const head = this.#read(place.offset, isNear ? blockTableEnd(position + 1) : BLOCK_HEAD_BYTES);
      const from = blockTableEnd(Math.max(0, position - 1));
      const to = blockTableEnd(position + 1);
      return recordPlace(head, isNear ? head.subarray(from, to) : this.#read(place.offset + from, to - from), place);
    });
    const at = place.offset + start;
    return this.#checked(at, () => this.#record(this.#read(at, end - start), place, position));
  }

  /** A whole block. */
  block(height: Height): SealedBlock {
    const place = this.#place(height);
    return this.#checked(place.offset, () => {
      const bytes = this.#read(place.offset, place.bytes);
      const layout = blockLayout(bytes, place);
      const front = readBlockFront(bytes, layout, { salt: this.#frame.salt, height });
      const records = layout.ends.map((end, position) => {
        const start = layout.records + (layout.ends[position - 1] ?? 0);
        return this.#checked(place.offset + start, () => this.#record(bytes.subarray(start, layout.records + end), place, position));
      });
      return { ...front, records };
    });
  }

  /** Reads all of it: each block, and the hash of the file. */
  verify(onBlock: (height: Height) => void = () => undefined): void {
    for (let height = this.#segment.first; height <= this.#segment.last; height += 1) {
      this.block(height);
      onBlock(height);
    }
    const hash = createHash("sha256");
    const end = this.#file.size - UNHASHED_BYTES;
    for (let at = 0; at < end; at += HASHED_CHUNK) hash.update(this.#read(at, Math.min(HASHED_CHUNK, end - at)));
    if (toHex(hash.digest()) !== this.#frame.sha256) throw damagedFile(this.#path, end, "its hash differs");
  }

  close(): void {
    this.#file.close();
  }

  #front(place: Place): { readonly front: BlockFront; readonly layout: BlockLayout } {
    const { offset, count, bytes, height } = place;
    const first = this.#read(offset, Math.min(bytes, Math.max(blockTableEnd(count), FIRST_BYTES)));
    const layout = blockLayout(first, place);
    const all = layout.records <= first.length ? first : this.#read(offset, layout.records);
    return { layout, front: readBlockFront(all, layout, { salt: this.#frame.salt, height }) };
  }

  #record(bytes: Uint8Array, { height, timeMs }: Place, position: number): EncodedRecord {
    return readSealedRecord(bytes, { salt: this.#frame.salt, height, position, timeMs });
  }

  #place(height: Height): Place {
    const { blocks, indexAt } = this.#frame;
    const at = height - this.#segment.first;
    const block = blocks[at];
    assertInvariant(block !== undefined, `Block ${height} is not in ${this.#path}`);
    return { ...block, height, bytes: (blocks[at + 1]?.offset ?? indexAt) - block.offset };
  }

  #read(at: number, length: number): Uint8Array {
    const bytes = this.#file.read(at, length);
    if (bytes.length !== length) throw damagedFile(this.#path, at, "it is cut off");
    return bytes;
  }

  /** What does not fit or has another checksum, named with its place. */
  #checked<T>(offset: number, work: () => T): T {
    try {
      return work();
    } catch (cause) {
      if (isCodedError(cause)) throw cause;
      throw damagedFile(this.#path, offset, cause instanceof Error ? cause.message : String(cause), cause);
    }
  }
}
