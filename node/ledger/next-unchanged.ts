// Finds the next record of a base that the layer above has not changed, at a cost that does not grow with what it passes: a contract
// that deletes many keys and then searches must not make every node walk over all of them each time.
import { toLatin1 } from "#shared/util/bytes.ts";
import type { Namespace, StateEntry, StateReader } from "./state-view.ts";

/** Where a search continues, and which records of the base it passes over. */
export interface BaseSearch {
  readonly namespace: Namespace;
  readonly prefix: Uint8Array;
  readonly after: Uint8Array | undefined;
  isChanged(key: Uint8Array): boolean;
}

/** Remembers which record follows one that was passed over. The base must not change meanwhile. */
export class NextUnchanged {
  readonly #base: StateReader;
  readonly #following = new Map<string, StateEntry | undefined>();

  constructor(base: StateReader) {
    this.#base = base;
  }

  find({ namespace, prefix, after, isChanged }: BaseSearch): StateEntry | undefined {
    const passed: string[] = [];
    let entry = this.#base.next(namespace, prefix, after);
    while (entry !== undefined && isChanged(entry.key)) {
      const name = `${namespace}\0${prefix.length}\0${toLatin1(prefix)}${toLatin1(entry.key)}`;
      passed.push(name);
      entry = this.#following.has(name) ? this.#following.get(name) : this.#base.next(namespace, prefix, entry.key);
    }
    for (const name of passed) this.#following.set(name, entry);
    return entry;
  }
}
