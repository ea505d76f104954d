// Transactions with their receipts, by their place in the chain: one copy of each, read alone or with its block.
import type { Height } from "#shared/protocol/chain/header.ts";
import { SEQ_PER_BLOCK } from "../../chain-schema.ts";
import type { SqliteDatabase } from "../../sqlite-database.ts";
import { FIRST_HEIGHT } from "../sealing/drop-marks.ts";
import { sealedHistory } from "../sealing/sealed-history.ts";
import { countOf, recordAt, recordsOf, unpackedBytes } from "./record-groups.ts";

interface GroupRow {
  /** Of the first record. */
  readonly seq: number;
  readonly records: Uint8Array;
}

/** No transaction stands there: it is the place of the reward. */
const LAST_POSITION = SEQ_PER_BLOCK - 1;

/** A record and its place. */
export interface PlacedRecord {
  readonly seq: number;
  readonly record: Uint8Array;
}

/** Reads and writes groups of records. */
export class RecordRepository {
  readonly #insert;
  readonly #groupAt;
  readonly #ofBlock;
  readonly #newest;
  readonly #remove;
  readonly #sealed;
  readonly #fullBlocks;

  constructor(database: SqliteDatabase) {
    this.#sealed = sealedHistory(database);
    this.#fullBlocks = database
      .prepare<[number], number>(
        `SELECT height FROM blocks WHERE height <= ? AND tx_count > 0 AND height >= (${FIRST_HEIGHT}) ORDER BY height DESC`,
      )
      .pluck();
    this.#insert = database.prepare<[number, Uint8Array]>("INSERT INTO block_records (seq, records) VALUES (?, ?)");
    this.#groupAt = database.prepare<[number], GroupRow>("SELECT seq, records FROM block_records WHERE seq <= ? ORDER BY seq DESC LIMIT 1");
    this.#ofBlock = database.prepare<[number, number], GroupRow>(
      "SELECT seq, records FROM block_records WHERE seq >= ? AND seq < ? ORDER BY seq",
    );
    this.#newest = database.prepare<[number], GroupRow>("SELECT seq, records FROM block_records WHERE seq >= ? ORDER BY seq DESC");
    this.#remove = database.prepare<[number]>("DELETE FROM block_records WHERE seq >= ?");
  }

  /** Keeps the groups of the next block. */
  insert(height: Height, groups: readonly Uint8Array[]): void {
    let seq = height * SEQ_PER_BLOCK;
    for (const group of groups) {
      this.#insert.run(seq, group);
      seq += countOf(group);
    }
  }

  /** The record of a place; undefined where there is none. */
  at(seq: number): Uint8Array | undefined {
    return this.all([seq])[0];
  }

  /** Records of places, undefined where there is none. Neighbours cost little more than one of them. */
  all(seqs: readonly number[]): readonly (Uint8Array | undefined)[] {
    const found = new Map<number, Uint8Array>();
    for (const [height, places] of Map.groupBy(seqs, (seq) => Math.floor(seq / SEQ_PER_BLOCK))) this.#take(height, places, found);
    return seqs.map((seq) => found.get(seq));
  }

  /** Records of a block, in order. */
  ofBlock(height: Height): readonly Uint8Array[] {
    const first = height * SEQ_PER_BLOCK;
    const fromRows = (): readonly Uint8Array[] | undefined => {
      const rows = this.#ofBlock.all(first, first + SEQ_PER_BLOCK);
      // Rows of a sealed block go from the first one on.
      return rows[0]?.seq === first ? rows.flatMap(({ records }) => recordsOf(records)) : undefined;
    };
    return this.#sealed.read(height, fromRows, (segment) => segment.allRecords(height, unpackedBytes)) ?? [];
  }

  /** The newest ones, newest first. */
  newest(limit: number): readonly PlacedRecord[] {
    const sealedTo = this.#sealed.lastHeight();
    const found = this.#newestRows(limit, (sealedTo + 1) * SEQ_PER_BLOCK);
    if (found.length === limit || sealedTo < 0) return found;
    for (const height of this.#fullBlocks.iterate(sealedTo)) {
      const records = this.#sealed.at(height)?.allRecords(height, unpackedBytes) ?? [];
      for (const [index, record] of records.toReversed().entries()) {
        if (found.length === limit) return found;
        found.push({ seq: height * SEQ_PER_BLOCK + records.length - 1 - index, record });
      }
    }
    return found;
  }

  removeAbove(height: Height): void {
    this.#remove.run((height + 1) * SEQ_PER_BLOCK);
  }

  /** Adds the records of places in a block. */
  #take(height: Height, places: readonly number[], found: Map<number, Uint8Array>): void {
    const base = height * SEQ_PER_BLOCK;
    const seqs = places.filter((seq) => seq - base !== LAST_POSITION);
    if (seqs.length === 0) return;
    const fromRows = (): true | undefined => {
      let group: GroupRow | undefined;
      let hasAll = true;
      for (const seq of seqs) {
        if (group === undefined || !isIn(group, seq)) group = this.#groupAt.get(seq);
        if (group !== undefined && isIn(group, seq)) found.set(seq, recordAt(group.records, seq - group.seq));
        else hasAll = false;
      }
      return hasAll ? true : undefined;
    };
    this.#sealed.read(height, fromRows, (segment) => {
      const records = segment.records(
        height,
        seqs.map((seq) => seq - base),
        unpackedBytes,
      );
      for (const [at, record] of records.entries()) if (record !== undefined) found.set(seqs[at] ?? 0, record);
      return true;
    });
  }

  /** The newest ones in rows from a place on. */
  #newestRows(limit: number, from: number): PlacedRecord[] {
    const found: PlacedRecord[] = [];
    for (const { seq, records } of this.#newest.iterate(from))
      for (let position = countOf(records) - 1; position >= 0; position -= 1) {
        if (found.length === limit) return found;
        found.push({ seq: seq + position, record: recordAt(records, position) });
      }
    return found;
  }
}

function isIn({ seq: first, records }: GroupRow, seq: number): boolean {
  return seq >= first && seq < first + countOf(records);
}
