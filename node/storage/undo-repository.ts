// What the last blocks replaced: records and pages as they were before each height.
import type { Namespace, StateChange } from "#node/ledger/state-view.ts";
import type { OverlayChange } from "#node/state/overlay-state-view.ts";
import type { PageChange } from "#node/state/state-tree.ts";
import type { Height } from "#shared/protocol/header.ts";
import type { SqliteDatabase } from "./sqlite-database.ts";

/** Heights that can be rolled back. */
export const UNDO_HEIGHTS = 100;

interface StateRow {
  readonly namespace: Namespace;
  readonly key: Uint8Array;
  readonly value: Uint8Array | null;
}

interface PageRow {
  readonly prefix: string;
  readonly page: Uint8Array | null;
}

/** Reads and writes undo rows. */
export class UndoRepository {
  readonly #insertState;
  readonly #insertPage;
  readonly #states;
  readonly #pages;
  readonly #prune;
  readonly #removeAbove;

  constructor(database: SqliteDatabase) {
    this.#insertState = database.prepare<[number, string, Uint8Array, Uint8Array | null]>(
      "INSERT INTO undo_state (height, namespace, key, value) VALUES (?, ?, ?, ?)",
    );
    this.#insertPage = database.prepare<[number, string, Uint8Array | null]>(
      "INSERT INTO undo_pages (height, prefix, page) VALUES (?, ?, ?)",
    );
    this.#states = database.prepare<[number], StateRow>(
      "SELECT namespace, key, value FROM undo_state WHERE height = ? ORDER BY namespace, key",
    );
    this.#pages = database.prepare<[number], PageRow>("SELECT prefix, page FROM undo_pages WHERE height = ? ORDER BY prefix");
    this.#prune = ["undo_state", "undo_pages"].map((table) => database.prepare<[number]>(`DELETE FROM ${table} WHERE height <= ?`));
    this.#removeAbove = ["undo_state", "undo_pages"].map((table) => database.prepare<[number]>(`DELETE FROM ${table} WHERE height > ?`));
  }

  /** Keeps what a block replaced, and forgets what is too old to be rolled back. */
  insert(height: Height, changes: readonly OverlayChange[], pages: readonly PageChange[]): void {
    for (const { namespace, key, before } of changes) this.#insertState.run(height, namespace, key, before ?? null);
    for (const { prefix, before } of pages) this.#insertPage.run(height, prefix, before ?? null);
    for (const statement of this.#prune) statement.run(height - UNDO_HEIGHTS);
  }

  /** Changes that lead from a height's state back to the one before it. */
  changesBack(height: Height): { readonly changes: readonly StateChange[]; readonly pages: readonly PageChange[] } {
    return {
      changes: this.#states.all(height).map(({ namespace, key, value }) => ({ namespace, key, value: value ?? undefined })),
      pages: this.#pages.all(height).map(({ prefix, page }) => ({ prefix, before: undefined, after: page ?? undefined })),
    };
  }

  removeAbove(height: Height): void {
    for (const statement of this.#removeAbove) statement.run(height);
  }
}
