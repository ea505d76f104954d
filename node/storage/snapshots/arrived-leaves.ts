// Records of a state that is fetched, in the order of their arrival. That is the order of their hashes: put among the records by key at once,
// each would change another page of the file. They wait in parts by the first byte of their key, and a part is put there as a whole, sorted.
import type { ChunkLeaf } from "#node/state/state-chunk.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";

const TABLE = `
CREATE TABLE IF NOT EXISTS join_leaves (
  part INTEGER NOT NULL,
  number INTEGER NOT NULL,
  namespace TEXT NOT NULL,
  key BLOB NOT NULL,
  value BLOB NOT NULL,
  PRIMARY KEY (part, number)
) STRICT, WITHOUT ROWID;
`;

/** Parts: of a state of 10,000,000 accounts one takes about a second. */
const PARTS = 64;
/** Records that are put there at once: all those of a contract have the same first byte, and a node that is at it answers nothing. */
export const MOST_AT_ONCE = 262_144;

/** Parts that are sorted. */
export interface SortedParts {
  readonly done: number;
  readonly total: number;
}

/** Records that wait. Every method runs in a transaction of its caller. */
export class ArrivedLeaves {
  readonly #database: SqliteDatabase;
  readonly #insert;
  readonly #mostAtOnce: number;
  readonly #firstPart;
  readonly #following;
  readonly #move;
  readonly #remove;
  #next: number;

  constructor(database: SqliteDatabase, mostAtOnce = MOST_AT_ONCE) {
    database.exec(TABLE);
    this.#database = database;
    this.#mostAtOnce = mostAtOnce;
    this.#insert = database.prepare<[number, number, string, Uint8Array, Uint8Array]>("INSERT INTO join_leaves VALUES (?, ?, ?, ?, ?)");
    this.#firstPart = database.prepare<[], number>("SELECT part FROM join_leaves ORDER BY part LIMIT 1").pluck();
    this.#following = database
      .prepare<[number, number], number>("SELECT number FROM join_leaves WHERE part = ? ORDER BY number LIMIT 1 OFFSET ?")
      .pluck();
    this.#move = database.prepare<[number, number]>(
      `INSERT OR REPLACE INTO state (namespace, key, value)
      SELECT namespace, key, value FROM join_leaves WHERE part = ? AND number < ? ORDER BY namespace, key`,
    );
    this.#remove = database.prepare<[number, number]>("DELETE FROM join_leaves WHERE part = ? AND number < ?");
    const newest = database.prepare<[number], number | null>("SELECT max(number) FROM join_leaves WHERE part = ?").pluck();
    this.#next = Math.max(...Array.from({ length: PARTS }, (_, part) => newest.get(part) ?? 0)) + 1;
  }

  add(leaves: readonly ChunkLeaf[]): void {
    for (const { namespace, key, value } of leaves) {
      this.#insert.run(Math.floor(((key[0] ?? 0) * PARTS) / 256), this.#next, namespace, key, value);
      this.#next += 1;
    }
  }

  /** Puts the first part that waits, or as much of it as goes at once, among the records of the state. @returns false when none does */
  moveOne(): boolean {
    const part = this.#firstPart.get();
    if (part === undefined) return false;
    const end = this.#following.get(part, this.#mostAtOnce) ?? Number.MAX_SAFE_INTEGER;
    this.#move.run(part, end);
    this.#remove.run(part, end);
    return true;
  }

  sorted(): SortedParts {
    return { done: this.#firstPart.get() ?? PARTS, total: PARTS };
  }

  /** Once none waits. */
  drop(): void {
    this.#database.exec("DROP TABLE join_leaves");
  }
}
