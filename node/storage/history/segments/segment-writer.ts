// Writes a segment from its first byte to its last: what it holds in memory is one block and the index, whatever the segment's size.
import { createHash, randomInt } from "node:crypto";
import type { HashHex } from "#shared/protocol/chain/header.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { FileLayer, WritableFile } from "../files/file-layer.ts";
import { encodeSealedBlock, type Salt, type SealableBlock } from "./segment-block.ts";
import { encodeSegmentEnd, encodeSegmentHeader, encodeSegmentIndex, type IndexedBlock, type SegmentRange } from "./segment-format.ts";

/** A file that is written and durable, but for its name. */
export interface WrittenFile {
  readonly bytes: number;
  readonly sha256: HashHex;
}

const SALT_END = 2 ** 32;

/** A segment that is being written. */
export class SegmentWriter {
  readonly #file: WritableFile;
  readonly #range: SegmentRange;
  readonly #salt: Salt;
  readonly #header: Uint8Array;
  readonly #hash = createHash("sha256");
  readonly #blocks: IndexedBlock[] = [];
  #length = 0;

  /** @param name of the file, which is made. */
  constructor(files: FileLayer, name: string, range: SegmentRange, salt: Salt = randomInt(SALT_END)) {
    this.#range = range;
    this.#salt = salt;
    this.#header = encodeSegmentHeader(range, salt);
    this.#file = files.create(name);
    try {
      this.#append(this.#header);
    } catch (error) {
      this.#file.close();
      throw error;
    }
  }

  /** Appends the block of the next height. */
  add(block: SealableBlock): void {
    assertInvariant(block.height === this.#range.first + this.#blocks.length, "The blocks of a segment are in order and without gaps");
    const bytes = encodeSealedBlock(block, this.#salt);
    this.#blocks.push({ offset: this.#length, timeMs: block.timeMs, count: block.records.length, hash: block.hash });
    this.#append(bytes);
  }

  /** Index and footer. Returns when all of it is durable. */
  finish(): WrittenFile {
    assertInvariant(this.#blocks.length === this.#range.last - this.#range.first + 1, "A segment holds all blocks of its range");
    this.#append(encodeSegmentIndex(this.#header, this.#blocks, this.#length));
    const sha256 = this.#hash.digest();
    const end = encodeSegmentEnd(sha256);
    this.#file.append(end);
    this.#file.sync();
    this.#file.close();
    return { bytes: this.#length + end.length, sha256: toHex(sha256) };
  }

  /** Closes the file of a segment that is given up. */
  abandon(): void {
    this.#file.close();
  }

  #append(bytes: Uint8Array): void {
    this.#file.append(bytes);
    this.#hash.update(bytes);
    this.#length += bytes.length;
  }
}
