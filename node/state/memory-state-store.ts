// State in memory: re-execution of a chain, and tests. Same shape as the database's repository.
import { hasPrefix } from "#node/ledger/journal.ts";
import type { Namespace, StateChange, StateEntry, StateReader } from "#node/ledger/state-view.ts";
import { toLatin1 } from "#shared/util/bytes.ts";
import type { PageChange, PageStore } from "./state-tree.ts";

/** Key-value state and tree pages in maps. */
export class MemoryStateStore implements StateReader, PageStore {
  readonly #values = new Map<string, Uint8Array>();
  readonly #pages = new Map<string, Uint8Array>();

  get(namespace: Namespace, key: Uint8Array): Uint8Array | undefined {
    return this.#values.get(nameOf(namespace, key));
  }

  next(namespace: Namespace, prefix: Uint8Array, after?: Uint8Array): StateEntry | undefined {
    const start = `${namespace}\0`;
    let first: StateEntry | undefined;
    for (const [name, value] of this.#values) {
      if (!name.startsWith(start)) continue;
      const key = Buffer.from(name.slice(start.length), "latin1");
      if (!hasPrefix(key, prefix) || (after !== undefined && Buffer.compare(key, after) <= 0)) continue;
      if (first === undefined || Buffer.compare(key, first.key) < 0) first = { key, value };
    }
    return first;
  }

  getPage(prefix: string): Uint8Array | undefined {
    return this.#pages.get(prefix);
  }

  /** Applies the outcome of a block. */
  apply(changes: readonly StateChange[], pages: readonly PageChange[]): void {
    for (const { namespace, key, value } of changes) replace(this.#values, nameOf(namespace, key), value);
    for (const { prefix, after } of pages) replace(this.#pages, prefix, after);
  }
}

function nameOf(namespace: Namespace, key: Uint8Array): string {
  return `${namespace}\0${toLatin1(key)}`;
}

function replace(map: Map<string, Uint8Array>, name: string, value: Uint8Array | undefined): void {
  if (value === undefined) map.delete(name);
  else map.set(name, value);
}
