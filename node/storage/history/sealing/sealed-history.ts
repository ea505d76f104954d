// Which blocks are in segments, and their content, for one connection to chain.db. Readers prefer the files: rows of sealed blocks go bit by
// bit. Files never change, so what one snapshot of the tables names is true for every other.
import { dirname, join } from "node:path";
import { historyPruned } from "#node/queries/history-pruned.ts";
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
import { DROPPED_TO_HEIGHT, FIRST_HEIGHT } from "./drop-marks.ts";
import { isNamedNow } from "./named-now.ts";
import { RowSweep } from "./row-sweep.ts";
import type { SegmentList } from "./seal-segment.ts";
import { SealedRuns } from "./sealed-runs.ts";

/** Folder of the files, beside chain.db. */
export const HISTORY_FOLDER = "history";

/** Rows of sealed blocks that a write of small blocks removes at most. */
export const REMOVED_ROWS = 4_096;

/** The same for each transaction written, where that is more: four times the rows of a payment, since rows that stay are passed again. */
export const REMOVED_ROWS_PER_TRANSACTION = 12;

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
  readonly #first;
  readonly #insert;
  readonly #replace;
  readonly #genesisHash;
  readonly #oldest;
  readonly #droppedTo;
  readonly #bounds;
  readonly #hash;
  readonly #removeBodies;
  readonly #removeRecords;
  /** First heights of segments whose files cannot be read as they were written, as far as this connection has found. */
  readonly #damaged = new Set<Height>();
  #runs: SealedRuns | undefined;
  #sweep: RowSweep | undefined;
  /** From here, and up to here, it is known which segments there are. */
  #knownFirst = -1;
  #knownLast = -1;

  constructor(database: SqliteDatabase, files: FileLayer = diskFiles(join(dirname(database.name), HISTORY_FOLDER))) {
    this.files = files;
    this.#database = database;
    this.#open = new OpenSegments(files);
    this.#rows = database.prepare<[], SegmentRow>("SELECT first, last, bytes, sha256 FROM segments ORDER BY first");
    this.#last = database.prepare<[], number>("SELECT last FROM segments ORDER BY first DESC LIMIT 1").pluck();
    this.#first = database.prepare<[], number | null>("SELECT MIN(first) FROM segments").pluck();
    this.#insert = database.prepare<[number, number, number, Uint8Array]>(
      "INSERT INTO segments (first, last, bytes, sha256) VALUES (?, ?, ?, ?)",
    );
    this.#replace = database.prepare<[number, Uint8Array, number]>("UPDATE segments SET bytes = ?, sha256 = ? WHERE first = ?");
    this.#genesisHash = database.prepare<[], HashHex>("SELECT value FROM meta WHERE name = 'genesis_hash'").pluck();
    this.#oldest = database.prepare<[], number>("SELECT last FROM segments ORDER BY first LIMIT 2").pluck();
    this.#droppedTo = database.prepare<[], number>(DROPPED_TO_HEIGHT).pluck();
    this.#bounds = database
      .prepare<[], [first: number | null, last: number | null]>(`SELECT (${FIRST_HEIGHT}), MAX(height) FROM blocks`)
      .raw();
    this.#hash = database.prepare<[number], HashHex>("SELECT lower(hex(hash)) FROM blocks WHERE height = ?").pluck();
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

  /** The highest block that was dropped; undefined where none was. */
  droppedTo(): Height | undefined {
    return this.#droppedTo.get();
  }

  /** True where each block of a range is here, and in no file that was found to be damaged, or was dropped. */
  holds(first: Height, last: Height): boolean {
    const [lowest, tip] = this.#bounds.get() ?? [null, null];
    const droppedTo = this.droppedTo() ?? -1;
    if (last <= droppedTo) return true;
    if (lowest === null || tip === null || last > tip || Math.max(first, droppedTo + 1) < lowest) return false;
    return this.damaged().every((damaged) => damaged.last < first || damaged.first > last);
  }

  /** Of a block that is here. */
  hashOf(height: Height): HashHex | undefined {
    return height <= (this.droppedTo() ?? -1) ? undefined : this.#hash.get(height);
  }

  /** True when the oldest segment lies below a height. The newest one stays in any case. */
  hasBelow(height: Height): boolean {
    const [oldest = height, next] = this.#oldest.all();
    return next !== undefined && oldest < height;
  }

  /** Lets go of files that another connection has dropped. */
  refresh(): void {
    if (this.#knownLast >= 0) this.#open.name(this.all());
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
    else this.runs.noteError(error);
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
    if (height <= this.#knownLast && this.#open.has(height)) return this.#fromFile(height, fromFile, fromRows);
    const rows = fromRows();
    if (rows !== undefined) return rows;
    this.#lookFor(height);
    return this.#fromFile(height, fromFile, fromRows);
  }

  /** Another connection may have replaced a file since it was opened here, or dropped it: then there is at most what rows say. */
  #fromFile<T>(height: Height, work: (segment: SegmentFile) => T | undefined, fromRows: () => T | undefined): T | undefined {
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
      if (now === undefined) return fromRows();
      if (now.sha256 !== before?.sha256) return read();
      this.#refuseDropped(now);
      this.noteDamage(now);
      throw error;
    }
  }

  /** For a file that the tables of this connection's snapshot name. @throws CodedError HISTORY_PRUNED when those of now do not */
  #refuseDropped(segment: NamedSegment): void {
    const isMissing = this.files.stat(segmentName(segment)) === undefined;
    if (!isMissing || isNamedNow(this.#database, "SELECT 1 FROM segments WHERE first = ?", [segment.first])) return;
    throw historyPruned(segment.last, segment.last + 1);
  }

  /** The segment of a block; undefined when its rows are all there is. @throws CodedError STORAGE_CORRUPT naming file and offset */
  at(height: Height): SegmentFile | undefined {
    this.#lookFor(height);
    return this.#open.at(height);
  }

  /** Removes up to so many rows of sealed blocks, and of the index that runs have. Call it in a transaction. */
  removeRows(limit: number): void {
    const last = this.lastHeight();
    if (last < 0) return;
    let left = limit - this.#removeBodies.run(last, limit).changes;
    if (left > 0) left -= this.#removeRecords.run((last + 1) * SEQ_PER_BLOCK, left).changes;
    const coveredTo = this.runs.coveredTo();
    if (left <= 0 || coveredTo < 0) return;
    this.#sweep ??= new RowSweep(this.#database);
    const droppedTo = this.droppedTo() ?? -1;
    // Blocks below the first run are not here at all, once some were dropped.
    const coveredFrom = droppedTo < 0 ? this.runs.coveredFrom() : 0;
    this.#sweep.sweep({ coveredFrom, coveredTo, droppedTo }, left);
  }

  close(): void {
    this.#open.close();
    this.#runs?.close();
    [this.#knownFirst, this.#knownLast] = [-1, -1];
  }

  /** New files begin above all that are known, or end below them. */
  #lookFor(height: Height): void {
    if (height >= this.#knownFirst && height <= this.#knownLast) return;
    const [first, last] = [this.#first.get() ?? -1, this.lastHeight()];
    if (first === this.#knownFirst && last === this.#knownLast) return;
    this.#open.name(this.all());
    [this.#knownFirst, this.#knownLast] = [first, last];
  }
}
