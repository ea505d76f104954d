// What the last blocks replaced: the records as they were before each height, one list a block. The tree pages follow from them.
import { NAMESPACES, type StateChange } from "#node/ledger/state-view.ts";
import type { OverlayChange } from "#node/state/overlay-state-view.ts";
import { decode, encode } from "#shared/codec/codec.ts";
import { list, optional, record } from "#shared/codec/composites.ts";
import { bytesUpTo, word } from "#shared/codec/scalars.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";

/** Heights that can be rolled back. */
export const UNDO_HEIGHTS = 100;

const undoCodec = list(record({ namespace: word(NAMESPACES, "namespace"), key: bytesUpTo(), before: optional(bytesUpTo()) }));

/** Reads and writes undo lists. */
export class UndoRepository {
  readonly #insert;
  readonly #get;
  readonly #has;
  readonly #prune;
  readonly #removeAbove;

  constructor(database: SqliteDatabase) {
    this.#insert = database.prepare<[number, Uint8Array]>("INSERT INTO undo (height, records) VALUES (?, ?)");
    this.#get = database.prepare<[number], Uint8Array>("SELECT records FROM undo WHERE height = ?").pluck();
    this.#has = database.prepare<[number], number>("SELECT 1 FROM undo WHERE height = ?").pluck();
    this.#prune = database.prepare<[number]>("DELETE FROM undo WHERE height <= ?");
    this.#removeAbove = database.prepare<[number]>("DELETE FROM undo WHERE height > ?");
  }

  /** Keeps what a block replaced, and forgets what is too old to be rolled back. */
  insert(height: Height, changes: readonly OverlayChange[]): void {
    this.#insert.run(height, encode(undoCodec, changes));
    this.#prune.run(height - UNDO_HEIGHTS);
  }

  /** Changes that lead from a height's state back to the one before it; undefined when they are not kept. */
  changesBack(height: Height): readonly StateChange[] | undefined {
    const records = this.#get.get(height);
    if (records === undefined) return undefined;
    return decode(undoCodec, records).map(({ namespace, key, before }) => ({ namespace, key, value: before }));
  }

  /** True when a height can be rolled back. */
  has(height: Height): boolean {
    return this.#has.get(height) !== undefined;
  }

  removeAbove(height: Height): void {
    this.#removeAbove.run(height);
  }
}
