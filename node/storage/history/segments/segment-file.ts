// Reads an open segment: one record, the front of one block, or one block.
import { createHash } from "node:crypto";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { toHex } from "#shared/util/bytes.ts";
import { damagedFile } from "../files/damaged-file.ts";
import type { FileLayer, ReadableFile } from "../files/file-layer.ts";
import { type EncodedRecord, unpackRecord } from "./packed-record.ts";
import {
  BLOCK_HEAD_BYTES,
  type BlockFront,
  blockLayout,
  blockTableEnd,
  frontPlace,
  readBlockFront,
  readSealedRecord,
  recordPlace,
  type SealedBlock,
  type UnpackRecord,
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
/** Bytes that are read at once for records of one block. */
const NEAR_BYTES = 8_192;
/** Of a record, at least: as many positions apart have more bytes than are read at once. */
const LEAST_RECORD_BYTES = 150;
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
    return this.#checked(place.offset, () => this.#front(place));
  }

  /** Transaction and receipt at a position; undefined beyond the last one. */
  record(height: Height, position: number): EncodedRecord | undefined {
    return this.records(height, [position], unpackRecord)[0];
  }

  /**
   * What `unpack` makes of the records at positions of a block, undefined beyond the last one. Those that are near each other are read at
   * once.
   */
  records<T>(height: Height, positions: readonly number[], unpack: UnpackRecord<T>): readonly (T | undefined)[] {
    const place = this.#place(height);
    const { bytes, count, offset } = place;
    const within = positions.filter((position) => position >= 0 && position < count);
    const [low, high] = [Math.min(...within), Math.max(...within)];
    if (within.length === 0) return positions.map(() => undefined);
    if ((high - low) * LEAST_RECORD_BYTES > NEAR_BYTES) return positions.map((position) => this.records(height, [position], unpack)[0]);
    return this.#checked(offset, () => {
      const [tableFrom, tableTo] = [blockTableEnd(Math.max(0, low - 1)), blockTableEnd(high + 1)];
      // Small blocks are read whole at once, of large ones no more than the table as far as it is needed.
      const first = this.#read(offset, bytes <= NEAR_BYTES ? bytes : tableTo <= NEAR_BYTES ? tableTo : BLOCK_HEAD_BYTES);
      const ends = tableTo <= first.length ? first.subarray(tableFrom, tableTo) : this.#read(offset + tableFrom, tableTo - tableFrom);
      const placeOf = (position: number): ReturnType<typeof recordPlace> =>
        recordPlace(
          first,
          ends.subarray(blockTableEnd(Math.max(0, position - 1)) - tableFrom, blockTableEnd(position + 1) - tableFrom),
          place,
        );
      const [{ start }, { end }] = [placeOf(low), placeOf(high)];
      const base = end <= first.length ? 0 : start;
      const all = base === 0 ? first : this.#read(offset + start, end - start);
      return positions.map((position) => {
        if (position < 0 || position >= count) return undefined;
        const own = placeOf(position);
        return this.#checked(offset + own.start, () =>
          this.#record(all.subarray(own.start - base, own.end - base), place, position, unpack),
        );
      });
    });
  }

  /** A whole block. */
  block(height: Height): SealedBlock {
    return this.#block(height, unpackRecord);
  }

  /** What `unpack` makes of all records of a block; everything of the block is checked. */
  allRecords<T>(height: Height, unpack: UnpackRecord<T>): readonly T[] {
    return this.#block(height, unpack).records;
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

  #front(place: Place): BlockFront {
    const { offset, count, bytes, height } = place;
    const first = this.#read(offset, Math.min(bytes, Math.max(blockTableEnd(count), FIRST_BYTES)));
    const found = frontPlace(first, place);
    const all = found.records <= first.length ? first : this.#read(offset, found.records);
    return readBlockFront(all, found, { salt: this.#frame.salt, height });
  }

  #block<T>(height: Height, unpack: UnpackRecord<T>): BlockFront & { readonly records: readonly T[] } {
    const place = this.#place(height);
    return this.#checked(place.offset, () => {
      const bytes = this.#read(place.offset, place.bytes);
      const layout = blockLayout(bytes, place);
      const front = readBlockFront(bytes, layout, { salt: this.#frame.salt, height });
      const records = layout.ends.map((end, position) => {
        const start = layout.records + (layout.ends[position - 1] ?? 0);
        return this.#checked(place.offset + start, () =>
          this.#record(bytes.subarray(start, layout.records + end), place, position, unpack),
        );
      });
      return { ...front, records };
    });
  }

  #record<T>(bytes: Uint8Array, { height, timeMs }: Place, position: number, unpack: UnpackRecord<T>): T {
    return readSealedRecord(bytes, { salt: this.#frame.salt, height, position, timeMs }, unpack);
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
