// Where transactions are, by hashes of their ids. Rows lie in parts of about as many ids each: a block writes into the newest part alone, so
// that what it changes stays in memory however long the chain is.
import { hash } from "node:crypto";
import type { Height } from "#shared/protocol/chain/header.ts";
import { SEQ_PER_BLOCK } from "../../chain-schema.ts";
import type { SqliteDatabase } from "../../sqlite-database.ts";

/** Ids of a part, before the next block begins another one: some 40 MB. */
export const IDS_PER_PART = 1_048_576;
/** Hex characters of 16 bytes of SHA-256: ids that share them cannot be made. */
const KEY_CHARS = 32;

/** Reads and writes places of ids. */
export class IdRepository {
  readonly #idsPerPart: number;
  readonly #insert;
  readonly #newestPart;
  readonly #partBefore;
  readonly #idsSince;
  readonly #newestPlaces;
  readonly #places;
  readonly #remove;
  #parts: readonly number[] = [];

  constructor(database: SqliteDatabase, idsPerPart: number = IDS_PER_PART) {
    this.#idsPerPart = idsPerPart;
    this.#insert = database.prepare<[number, string, number]>("INSERT INTO ids (part, key, seq) VALUES (?, unhex(?), ?)");
    this.#newestPart = database.prepare<[], number | null>("SELECT MAX(part) FROM ids").pluck();
    this.#partBefore = database.prepare<[number], number | null>("SELECT MAX(part) FROM ids WHERE part < ?").pluck();
    this.#idsSince = database
      .prepare<[number, number], number | null>(
        `SELECT (SELECT total_txs FROM blocks WHERE height = ?) - (SELECT total_txs - tx_count FROM blocks WHERE height = ?)`,
      )
      .pluck();
    this.#newestPlaces = database
      .prepare<[string], number>("SELECT seq FROM ids WHERE part = (SELECT MAX(part) FROM ids) AND key = unhex(?) ORDER BY seq")
      .pluck();
    this.#places = database.prepare<[number, string], number>("SELECT seq FROM ids WHERE part = ? AND key = unhex(?) ORDER BY seq").pluck();
    this.#remove = database.prepare<[number, number]>("DELETE FROM ids WHERE part >= ? AND seq >= ?");
  }

  /** Keeps the ids of the next block, whose row and those before it are stored. */
  insert(height: Height, ids: readonly string[]): void {
    if (ids.length === 0) return;
    const part = this.#partOf(height);
    const base = height * SEQ_PER_BLOCK;
    // In the order of the rows: neighbours find their page open.
    const rows = ids.map((id, position) => ({ key: keyOf(id), seq: base + position })).sort((a, b) => (a.key < b.key ? -1 : 1));
    for (const { key, seq } of rows) this.#insert.run(part, key, seq);
  }

  /**
   * Places of an id, newest first: there is more than one only where the id was used again after two hours. Stops behind a part whose first
   * block is as old as the caller needs.
   */
  *places(id: string, isOldEnough: (height: Height) => boolean = (): boolean => false): Generator<number, void> {
    const key = keyOf(id);
    yield* this.#newestPlaces.all(key).reverse();
    for (const [index, part] of this.#partsNow().entries()) {
      if (index > 0) yield* this.#places.all(part, key).reverse();
      if (isOldEnough(part)) return;
    }
  }

  /** Forgets what memory holds: to be called when blocks were taken back. */
  forget(): void {
    this.#parts = [];
  }

  removeAbove(height: Height): void {
    this.forget();
    const seq = (height + 1) * SEQ_PER_BLOCK;
    this.#remove.run(this.#partBefore.get(height + 2) ?? 0, seq);
  }

  /** Parts, newest first. Those below the newest one never change while that is there. */
  #partsNow(): readonly number[] {
    const newest = this.#newestPart.get() ?? null;
    if (newest === (this.#parts[0] ?? null)) return this.#parts;
    const parts: number[] = [];
    for (let part = newest; part !== null; part = this.#partBefore.get(part) ?? null) parts.push(part);
    this.#parts = parts;
    return parts;
  }

  /** The newest part, until it is full: a part is named by the block that began it. */
  #partOf(height: Height): number {
    const newest = this.#newestPart.get() ?? null;
    if (newest === null) return height;
    // Of a part that is so old the first block may have no row any more.
    return (this.#idsSince.get(height - 1, newest) ?? this.#idsPerPart) >= this.#idsPerPart ? height : newest;
  }
}

function keyOf(id: string): string {
  return hash("sha256", id).slice(0, KEY_CHARS);
}
