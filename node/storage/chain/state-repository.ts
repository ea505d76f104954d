// The committed state: flat key-value records, read by key or prefix, and the pages of the state tree.
import { hasPrefix } from "#node/ledger/journal.ts";
import type { Namespace, StateChange, StateEntry, StateReader } from "#node/ledger/state-view.ts";
import type { PageChange, PageStore } from "#node/state/state-tree.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";

/** Reads and writes the state of the tip. */
export class StateRepository implements StateReader, PageStore {
  readonly #get;
  readonly #scanFrom;
  readonly #scanRange;
  readonly #nextFrom;
  readonly #nextAfter;
  readonly #set;
  readonly #delete;
  readonly #getPage;
  readonly #setPage;
  readonly #deletePage;

  constructor(database: SqliteDatabase) {
    this.#get = database.prepare<[string, Uint8Array], Uint8Array>("SELECT value FROM state WHERE namespace = ? AND key = ?").pluck();
    this.#scanFrom = database.prepare<[string, Uint8Array], StateEntry>(
      "SELECT key, value FROM state WHERE namespace = ? AND key >= ? ORDER BY key",
    );
    this.#scanRange = database.prepare<[string, Uint8Array, Uint8Array], StateEntry>(
      "SELECT key, value FROM state WHERE namespace = ? AND key >= ? AND key < ? ORDER BY key",
    );
    this.#nextFrom = database.prepare<[string, Uint8Array], StateEntry>(
      "SELECT key, value FROM state WHERE namespace = ? AND key >= ? ORDER BY key LIMIT 1",
    );
    this.#nextAfter = database.prepare<[string, Uint8Array], StateEntry>(
      "SELECT key, value FROM state WHERE namespace = ? AND key > ? ORDER BY key LIMIT 1",
    );
    // Tables without other indexes: a replaced record is looked for once, one that is updated twice.
    this.#set = database.prepare<[string, Uint8Array, Uint8Array]>("INSERT OR REPLACE INTO state (namespace, key, value) VALUES (?, ?, ?)");
    this.#delete = database.prepare<[string, Uint8Array]>("DELETE FROM state WHERE namespace = ? AND key = ?");
    this.#getPage = database.prepare<[Uint8Array], Uint8Array>("SELECT page FROM tree_pages WHERE prefix = ?").pluck();
    this.#setPage = database.prepare<[Uint8Array, Uint8Array]>("INSERT OR REPLACE INTO tree_pages (prefix, page) VALUES (?, ?)");
    this.#deletePage = database.prepare<[Uint8Array]>("DELETE FROM tree_pages WHERE prefix = ?");
  }

  get(namespace: Namespace, key: Uint8Array): Uint8Array | undefined {
    return this.#get.get(namespace, key);
  }

  next(namespace: Namespace, prefix: Uint8Array, after?: Uint8Array): StateEntry | undefined {
    const isAfterPrefix = after === undefined || Buffer.compare(after, prefix) < 0;
    const entry = isAfterPrefix ? this.#nextFrom.get(namespace, prefix) : this.#nextAfter.get(namespace, after);
    return entry !== undefined && hasPrefix(entry.key, prefix) ? entry : undefined;
  }

  /** Records whose key begins with the prefix, ascending by key. */
  scan(namespace: Namespace, keyPrefix: Uint8Array = new Uint8Array(0)): readonly StateEntry[] {
    const end = successor(keyPrefix);
    return end === undefined ? this.#scanFrom.all(namespace, keyPrefix) : this.#scanRange.all(namespace, keyPrefix, end);
  }

  /** The same one by one: the list may be of any length. Nothing is written to the database in between. */
  each(namespace: Namespace, keyPrefix: Uint8Array): Iterable<StateEntry> {
    const end = successor(keyPrefix);
    return end === undefined ? this.#scanFrom.iterate(namespace, keyPrefix) : this.#scanRange.iterate(namespace, keyPrefix, end);
  }

  getPage(prefix: string): Uint8Array | undefined {
    return this.#getPage.get(pageKey(prefix));
  }

  /** Writes the outcome of a block. */
  apply(changes: readonly StateChange[], pages: readonly PageChange[]): void {
    for (const { namespace, key, value } of changes) {
      if (value === undefined) this.#delete.run(namespace, key);
      else this.#set.run(namespace, key, value);
    }
    for (const { prefix, after } of pages) {
      if (after === undefined) this.#deletePage.run(pageKey(prefix));
      else this.#setPage.run(pageKey(prefix), after);
    }
  }
}

/** Place of a page of the state tree in its table: the hex digits of the prefix as bytes, filled up by a digit that the last byte counts. */
export function pageKey(prefix: string): Uint8Array {
  return Buffer.from(prefix + (prefix.length % 2 === 1 ? "001" : "00"), "hex");
}

/** SQL of the same, from a text. */
export const PAGE_KEY = "unhex(prefix || CASE length(prefix) % 2 WHEN 1 THEN '001' ELSE '00' END)";

/** SQL of the prefix as text again. */
export const PAGE_PREFIX = "lower(substr(hex(prefix), 1, 2 * length(prefix) - CASE substr(prefix, -1) WHEN x'01' THEN 3 ELSE 2 END))";

/** The first key after all that begin with the prefix; undefined when nothing comes after them. */
export function successor(prefix: Uint8Array): Uint8Array | undefined {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length -= 1;
  if (length === 0) return undefined;
  const end = prefix.slice(0, length);
  end[length - 1] = (end[length - 1] ?? 0) + 1;
  return end;
}
