// A state view over a reader: keeps changes in memory, so that a block can be executed and dropped, or its changes committed.

import { hasPrefix } from "#node/ledger/journal.ts";
import { NextUnchanged } from "#node/ledger/next-unchanged.ts";
import { compareNames, positionOf } from "#node/ledger/sorted-names.ts";
import {
  type NamedKey,
  type Namespace,
  readNamed,
  recordNameOf,
  type StateChange,
  type StateEntry,
  type StateReader,
  type StateView,
  writeNamed,
} from "#node/ledger/state-view.ts";
import { equalBytes, toLatin1 } from "#shared/util/bytes.ts";

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
  readonly #written = new Set<Entry>();
  readonly #unchanged: NextUnchanged;
  /** Keys of each namespace that was searched which got a value here, in byte order, as the latin1 text of their bytes. */
  readonly #sortedKeys = new Map<Namespace, string[]>();

  constructor(base: StateReader) {
    this.#base = base;
    this.#unchanged = new NextUnchanged(base);
  }

  get(namespace: Namespace, key: Uint8Array): Uint8Array | undefined {
    return this.#entry(namespace, key).value;
  }

  getNamed(place: NamedKey): Uint8Array | undefined {
    return this.#entryOf(place).value;
  }

  next(namespace: Namespace, prefix: Uint8Array, after?: Uint8Array): StateEntry | undefined {
    const own = this.#nextOwn(namespace, prefix, after);
    const isChanged = (key: Uint8Array): boolean => this.#isWritten(this.#entries.get(recordNameOf(namespace, key)));
    const base = this.#unchanged.find({ namespace, prefix, after, isChanged });
    if (base === undefined || own === undefined) return own ?? base;
    return Buffer.compare(own.key, base.key) < 0 ? own : base;
  }

  set(namespace: Namespace, key: Uint8Array, value: Uint8Array): void {
    this.#change(this.#entry(namespace, key), value);
  }

  delete(namespace: Namespace, key: Uint8Array): void {
    this.#change(this.#entry(namespace, key), undefined);
  }

  setNamed(place: NamedKey, value: Uint8Array | undefined): void {
    this.#change(this.#entryOf(place), value);
  }

  /** What differs from the reader, ascending by namespace and key. */
  changes(): readonly OverlayChange[] {
    return [...this.#entries.values()].filter(isChanged).sort(compareEntries);
  }

  /** Writes the changes into another view. */
  commitTo(view: StateView): void {
    for (const [name, { namespace, key, before, value }] of this.#entries)
      if (value !== before) writeNamed(view, { namespace, name, key }, value);
  }

  #nextOwn(namespace: Namespace, prefix: Uint8Array, after: Uint8Array | undefined): StateEntry | undefined {
    const keys = this.#keysOf(namespace);
    const isAfterPrefix = after === undefined || Buffer.compare(after, prefix) < 0;
    const at = isAfterPrefix ? positionOf(keys, toLatin1(prefix), false) : positionOf(keys, toLatin1(after), true);
    const entry = this.#entries.get(`${namespace}\0${keys[at]}`);
    if (entry?.value === undefined || !hasPrefix(entry.key, prefix)) return undefined;
    return { key: entry.key, value: entry.value };
  }

  #keysOf(namespace: Namespace): readonly string[] {
    const known = this.#sortedKeys.get(namespace);
    if (known !== undefined) return known;
    const own = [...this.#entries.values()].filter((entry) => entry.namespace === namespace && this.#isOwn(entry));
    const keys = own.map(({ key }) => toLatin1(key));
    keys.sort(compareNames);
    this.#sortedKeys.set(namespace, keys);
    return keys;
  }

  #entry(namespace: Namespace, key: Uint8Array): Entry {
    return this.#entryOf({ namespace, name: recordNameOf(namespace, key), key });
  }

  #entryOf(place: NamedKey): Entry {
    const { name } = place;
    const known = this.#entries.get(name);
    if (known !== undefined) return known;
    const { namespace, key } = place;
    const before = readNamed(this.#base, { namespace, name, key });
    const entry: Entry = { namespace, key, before, value: before };
    this.#entries.set(name, entry);
    return entry;
  }

  #isWritten(entry: Entry | undefined): boolean {
    return entry !== undefined && this.#written.has(entry);
  }

  /** True for a record that has its value from here. */
  #isOwn(entry: Entry): boolean {
    return entry.value !== undefined && this.#written.has(entry);
  }

  #change(entry: Entry, value: Uint8Array | undefined): void {
    const wasOwn = this.#isOwn(entry);
    entry.value = value;
    this.#written.add(entry);
    const keys = this.#sortedKeys.get(entry.namespace);
    if (keys === undefined || wasOwn === this.#isOwn(entry)) return;
    const name = toLatin1(entry.key);
    const at = positionOf(keys, name, false);
    if (wasOwn) keys.splice(at, 1);
    else keys.splice(at, 0, name);
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
