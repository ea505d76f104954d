// Which blocks are in segments, and their content, for one connection to chain.db. Readers prefer the files: rows of sealed blocks go bit by
// bit. Files never change, so what one snapshot of the tables names is true for every other.
import { dirname, join } from "node:path";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { toHex } from "#shared/util/bytes.ts";
import { SEQ_PER_BLOCK } from "../../chain-schema.ts";
import { inImmediateTransaction, type SqliteDatabase } from "../../sqlite-database.ts";
import { diskFiles } from "../files/disk-files.ts";
import type { FileLayer } from "../files/file-layer.ts";
import { OpenSegments } from "../segments/open-segments.ts";
import type { NamedSegment, SegmentFile } from "../segments/segment-file.ts";
import { segmentName } from "../segments/segment-format.ts";
import { RowSweep } from "./row-sweep.ts";
import type { SegmentList } from "./seal-segment.ts";
import { SealedRuns } from "./sealed-runs.ts";

/** Folder of the files, beside chain.db. */
export const HISTORY_FOLDER = "history";

/** Rows of sealed blocks that one transaction of blocks removes at most. */
export const REMOVED_ROWS = 4_096;

interface SegmentRow {
  readonly first: Height;
  readonly last: Height;
  readonly bytes: number;
  readonly sha256: Uint8Array;
}

const histories = new WeakMap<SqliteDatabase, SealedHistory>();

/** The one of a connection. */
export function sealedHistory(database: SqliteDatabase): SealedHistory {
  const known = histories.get(database) ?? new SealedHistory(database);
  histories.set(database, known);
  return known;
}

/** Closes the files that a connection has open. */
export function closeHistory(database: SqliteDatabase): void {
  histories.get(database)?.close();
}

/** Reads segments, and writes which there are. */
export class SealedHistory implements SegmentList {
  readonly files: FileLayer;
  readonly #database: SqliteDatabase;
  readonly #open: OpenSegments;
  readonly #rows;
  readonly #last;
  readonly #insert;
  readonly #replace;
  readonly #genesisHash;
  readonly #removeBodies;
  readonly #removeRecords;
  /** First heights of segments whose files cannot be read as they were written, as far as this connection has found. */
  readonly #damaged = new Set<Height>();
  #runs: SealedRuns | undefined;
  #sweep: RowSweep | undefined;
  /** Up to here it is known which segments there are. */
  #knownLast = -1;

  constructor(database: SqliteDatabase, files: FileLayer = diskFiles(join(dirname(database.name), HISTORY_FOLDER))) {
    this.files = files;
    this.#database = database;
    this.#open = new OpenSegments(files);
    this.#rows = database.prepare<[], SegmentRow>("SELECT first, last, bytes, sha256 FROM segments ORDER BY first");
    this.#last = database.prepare<[], number>("SELECT last FROM segments ORDER BY first DESC LIMIT 1").pluck();
    this.#insert = database.prepare<[number, number, number, Uint8Array]>(
      "INSERT INTO segments (first, last, bytes, sha256) VALUES (?, ?, ?, ?)",
    );
    this.#replace = database.prepare<[number, Uint8Array, number]>("UPDATE segments SET bytes = ?, sha256 = ? WHERE first = ?");
    this.#genesisHash = database.prepare<[], HashHex>("SELECT value FROM meta WHERE name = 'genesis_hash'").pluck();
    this.#removeBodies = database.prepare<[number, number]>(
      "DELETE FROM block_bodies WHERE height IN (SELECT height FROM block_bodies WHERE height <= ? ORDER BY height LIMIT ?)",
    );
    this.#removeRecords = database.prepare<[number, number]>(
      "DELETE FROM block_records WHERE seq IN (SELECT seq FROM block_records WHERE seq < ? ORDER BY seq LIMIT ?)",
    );
  }

  get genesisHash(): HashHex {
    return this.#genesisHash.get() ?? "";
  }

  /** What finds transactions and histories of sealed blocks. */
  get runs(): SealedRuns {
    this.#runs ??= new SealedRuns(this.#database, this.files, () => this.genesisHash);
    return this.#runs;
  }

  all(): readonly NamedSegment[] {
    const { genesisHash } = this;
    return this.#rows.all().map(({ first, last, bytes, sha256 }) => ({ first, last, genesisHash, bytes, sha256: toHex(sha256) }));
  }

  lastHeight(): Height {
    return this.#last.get() ?? -1;
  }

  name({ first, last, bytes, sha256 }: NamedSegment): void {
    inImmediateTransaction(this.#database, () => this.#insert.run(first, last, bytes, Buffer.from(sha256, "hex")));
  }

  /** Segments whose files are damaged, as far as was noted. */
  damaged(): readonly NamedSegment[] {
    return this.#damaged.size === 0 ? [] : this.all().filter(({ first }) => this.#damaged.has(first));
  }

  /** The file of a segment cannot be read as it was written: it is to be replaced. */
  noteDamage({ first }: Pick<NamedSegment, "first">): void {
    this.#damaged.add(first);
  }

  /** Notes it where an error that another connection has met names such a file: errors lose their details between threads. */
  noteError(error: unknown): void {
    if (!isCodedError(error, "STORAGE_CORRUPT")) return;
    const found = this.all().find((segment) => error.message.includes(`${this.files.path(segmentName(segment))} `));
    if (found !== undefined) this.noteDamage(found);
  }

  /** Names the file that has taken the place of a damaged one. */
  replace(segment: NamedSegment): void {
    const { first, bytes, sha256 } = segment;
    inImmediateTransaction(this.#database, () => this.#replace.run(bytes, Buffer.from(sha256, "hex"), first));
    this.#damaged.delete(first);
    this.#open.name(this.all());
  }

  /**
   * What the rows of a block say, else its file. Rows go after the file is named, so only who misses them asks for files that are new.
   * `fromRows` gives all of it or undefined. @throws CodedError STORAGE_CORRUPT naming file and offset
   */
  read<T>(height: Height, fromRows: () => T | undefined, fromFile: (segment: SegmentFile) => T | undefined): T | undefined {
    if (height <= this.#knownLast && this.#open.has(height)) return this.#fromFile(height, fromFile);
    const rows = fromRows();
    if (rows !== undefined) return rows;
    if (height > this.#knownLast) this.#look();
    return this.#fromFile(height, fromFile);
  }

  /** Another connection may have replaced a file since it was opened here: then it is read once more. */
  #fromFile<T>(height: Height, work: (segment: SegmentFile) => T | undefined): T | undefined {
    const read = (): T | undefined => {
      const segment = this.#open.at(height);
      return segment === undefined ? undefined : work(segment);
    };
    try {
      return read();
    } catch (error) {
      if (!isCodedError(error, "STORAGE_CORRUPT")) throw error;
      const before = this.#open.segmentOf(height);
      this.#open.name(this.all());
      const now = this.#open.segmentOf(height);
      if (now !== undefined && now.sha256 !== before?.sha256) return read();
      if (now !== undefined) this.noteDamage(now);
      throw error;
    }
  }

  /** The segment of a block; undefined when its rows are all there is. @throws CodedError STORAGE_CORRUPT naming file and offset */
  at(height: Height): SegmentFile | undefined {
    if (height > this.#knownLast) this.#look();
    return this.#open.at(height);
  }

  /** Removes some rows of sealed blocks, and of the index that runs have. Call it in a transaction. */
  removeRows(limit: number = REMOVED_ROWS): void {
    const last = this.lastHeight();
    if (last < 0) return;
    let left = limit - this.#removeBodies.run(last, limit).changes;
    if (left > 0) left -= this.#removeRecords.run((last + 1) * SEQ_PER_BLOCK, left).changes;
    const coveredTo = this.runs.coveredTo();
    if (left <= 0 || coveredTo < 0) return;
    this.#sweep ??= new RowSweep(this.#database);
    this.#sweep.sweep({ coveredFrom: this.runs.coveredFrom(), coveredTo }, left);
  }

  close(): void {
    this.#open.close();
    this.#runs?.close();
    this.#knownLast = -1;
  }

  #look(): void {
    const last = this.lastHeight();
    if (last === this.#knownLast) return;
    this.#open.name(this.all());
    this.#knownLast = last;
  }
}
