// Ids of transactions of the last two hours of block time: part of what validators agree on. Which ids count depends on the
// given block's time alone; rows are removed later, when no rollback can bring that time back. Rows are in slices of ten minutes, so
// that removing them touches no others and needs no index; a filter in memory suffices for nearly all ids that are new.
import type { Height } from "#shared/protocol/chain/header.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";
import { SeenIdFilter } from "./seen-id-filter.ts";
import { UNDO_HEIGHTS } from "./undo-repository.ts";

const SLICE_MS = 600_000;
/** Rows that one block brings into the filter after a start: a busy network's window is not read at once. */
const LOADED_ROWS = 20_000;

interface SeenRow {
  readonly slice: number;
  readonly id: string;
}

const FIRST_ROW: SeenRow = { slice: 0, id: "" };

/** Reads and writes seen ids. */
export class SeenIdRepository {
  readonly #has;
  readonly #insert;
  readonly #prune;
  readonly #removeAbove;
  readonly #timeOf;
  readonly #newestSlice;
  readonly #rowsAfter;
  #filter: SeenIdFilter | undefined;
  /** Last row in the filter while it lacks later ones. */
  #loadedTo: SeenRow | undefined = FIRST_ROW;
  /** Time of the newest block that the filter knows. */
  #filterTimeMs = 0;

  constructor(database: SqliteDatabase) {
    this.#has = database
      .prepare<[number, string, number], number>("SELECT 1 FROM seen_ids WHERE slice = ? AND id = ? AND time_ms > ?")
      .pluck();
    this.#insert = database.prepare<[number, string, number]>("INSERT INTO seen_ids (slice, id, time_ms) VALUES (?, ?, ?)");
    this.#prune = database.prepare<[number]>("DELETE FROM seen_ids WHERE slice < ?");
    this.#removeAbove = database.prepare<[number, number]>("DELETE FROM seen_ids WHERE slice >= ? AND time_ms > ?");
    this.#timeOf = database.prepare<[number], number>("SELECT time_ms FROM blocks WHERE height = ?").pluck();
    this.#newestSlice = database.prepare<[], number | null>("SELECT MAX(slice) FROM seen_ids").pluck();
    this.#rowsAfter = database.prepare<[number, string, number], SeenRow>(
      "SELECT slice, id FROM seen_ids WHERE (slice, id) > (?, ?) ORDER BY slice, id LIMIT ?",
    );
  }

  /** True when a block later than `timeMs` − 2 h holds the id. `timeMs` is the time of the block that asks. */
  has(id: string, timeMs: number): boolean {
    const isFilterComplete = this.#loadedTo === undefined && timeMs >= this.#filterTimeMs;
    if (isFilterComplete && this.#filter?.mayHave(id) !== true) return false;
    const sinceMs = timeMs - SEEN_WINDOW_MS;
    for (let slice = this.#newestSlice.get() ?? 0; slice >= sliceOf(sinceMs); slice -= 1) {
      if (this.#has.get(slice, id, sinceMs) !== undefined) return true;
    }
    return false;
  }

  /** Keeps the ids of the next block, and forgets those that no rollback can need. The filter learns of them by {@link remember}. */
  insert(ids: readonly string[], height: Height, timeMs: number): void {
    const slice = sliceOf(timeMs);
    for (const id of ids) this.#insert.run(slice, id, timeMs);
    const oldestMs = this.#timeOf.get(height - UNDO_HEIGHTS);
    if (oldestMs !== undefined) this.#prune.run(sliceOf(oldestMs - SEEN_WINDOW_MS));
  }

  /** Notes the ids of a block that is durable: to be called for each, before anything is asked of the chain with it. */
  remember(ids: readonly string[], timeMs: number): void {
    this.#filter ??= new SeenIdFilter(timeMs);
    for (const id of ids) this.#filter.add(id, timeMs);
    this.#filterTimeMs = timeMs;
    this.#loadMore(this.#filter, timeMs);
  }

  /** Forgets the ids of the blocks above a height that is still stored. */
  removeAbove(height: Height): void {
    const timeMs = this.#timeOf.get(height) ?? 0;
    this.#removeAbove.run(sliceOf(timeMs), timeMs);
    this.#filter = undefined;
    this.#loadedTo = FIRST_ROW;
    this.#filterTimeMs = 0;
  }

  #loadMore(filter: SeenIdFilter, timeMs: number): void {
    if (this.#loadedTo === undefined) return;
    const rows = this.#rowsAfter.all(this.#loadedTo.slice, this.#loadedTo.id, LOADED_ROWS);
    for (const row of rows) filter.add(row.id, timeMs);
    this.#loadedTo = rows.length < LOADED_ROWS ? undefined : rows.at(-1);
  }
}

function sliceOf(timeMs: number): number {
  return Math.floor(timeMs / SLICE_MS);
}
