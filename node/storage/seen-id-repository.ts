// Ids of transactions of the last two hours of block time: part of what validators agree on. Which ids count is a question of the
// asking block's time alone; rows are removed later, when no rollback can bring that time back.
import type { Height } from "#shared/protocol/header.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/limits.ts";
import type { SqliteDatabase } from "./sqlite-database.ts";
import { UNDO_HEIGHTS } from "./undo-repository.ts";

/** Reads and writes seen ids. */
export class SeenIdRepository {
  readonly #has;
  readonly #insert;
  readonly #prune;
  readonly #removeAbove;

  constructor(database: SqliteDatabase) {
    this.#has = database.prepare<[string, number], number>("SELECT 1 FROM seen_ids WHERE id = ? AND time_ms > ?").pluck();
    this.#insert = database.prepare<[string, number, number]>("INSERT INTO seen_ids (id, height, time_ms) VALUES (?, ?, ?)");
    this.#prune = database.prepare<[number, number]>("DELETE FROM seen_ids WHERE time_ms <= ? AND height <= ?");
    this.#removeAbove = database.prepare<[number]>(
      "DELETE FROM seen_ids WHERE time_ms > (SELECT time_ms FROM blocks WHERE blocks.height = ?)",
    );
  }

  /** True when a block later than `timeMs` − 2 h holds the id. `timeMs` is the time of the block that asks. */
  has(id: string, timeMs: number): boolean {
    return this.#has.get(id, timeMs - SEEN_WINDOW_MS) !== undefined;
  }

  insert(ids: readonly string[], height: Height, timeMs: number): void {
    for (const id of ids) this.#insert.run(id, height, timeMs);
    this.#prune.run(timeMs - SEEN_WINDOW_MS, height - UNDO_HEIGHTS);
  }

  /** Forgets the ids of the blocks above a height that is still stored. */
  removeAbove(height: Height): void {
    this.#removeAbove.run(height);
  }
}
