// A state view over a reader: keeps changes in memory, so that a block can be executed and dropped, or its changes committed.

import type { Namespace, StateChange, StateReader, StateView } from "#node/ledger/state-view.ts";
import { equalBytes } from "#shared/util/bytes.ts";

/** A change with what was there before it. */
export interface OverlayChange extends StateChange {
  readonly before: Uint8Array | undefined;
}

interface Entry {
  readonly namespace: Namespace;
  readonly key: Uint8Array;
  readonly before: Uint8Array | undefined;
  value: Uint8Array | undefined;
}

/** Reads fall through to the reader once per key; writes stay here. Values are never copied: neither side may change them. */
export class OverlayStateView implements StateView {
  readonly #base: StateReader;
  readonly #entries = new Map<string, Entry>();

  constructor(base: StateReader) {
    this.#base = base;
  }

  get(namespace: Namespace, key: Uint8Array): Uint8Array | undefined {
    return this.#entry(namespace, key).value;
  }

  set(namespace: Namespace, key: Uint8Array, value: Uint8Array): void {
    this.#entry(namespace, key).value = value;
  }

  delete(namespace: Namespace, key: Uint8Array): void {
    this.#entry(namespace, key).value = undefined;
  }

  /** What differs from the reader, ascending by namespace and key. */
  changes(): readonly OverlayChange[] {
    return [...this.#entries.values()].filter(isChanged).sort(compareEntries);
  }

  #entry(namespace: Namespace, key: Uint8Array): Entry {
    const name = `${namespace}\0${Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString("latin1")}`;
    const known = this.#entries.get(name);
    if (known !== undefined) return known;
    const before = this.#base.get(namespace, key);
    const entry: Entry = { namespace, key, before, value: before };
    this.#entries.set(name, entry);
    return entry;
  }
}

function isChanged({ before, value }: Entry): boolean {
  if (before === undefined || value === undefined) return before !== value;
  return before !== value && !equalBytes(before, value);
}

function compareEntries(a: Entry, b: Entry): number {
  if (a.namespace !== b.namespace) return a.namespace < b.namespace ? -1 : 1;
  return Buffer.compare(a.key, b.key);
}
