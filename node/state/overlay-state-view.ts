// A state view over a reader: keeps changes in memory, so that a block can be executed and dropped, or its changes committed.

import { hasPrefix } from "#node/ledger/journal.ts";
import { NextUnchanged } from "#node/ledger/next-unchanged.ts";
import { compareNames, positionOf } from "#node/ledger/sorted-names.ts";
import {
  type NamedKey,
  type Namespace,
  type RecordForm,
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

/** A record of the view: in bytes, decoded, or both. */
class Entry {
  readonly namespace: Namespace;
  readonly key: Uint8Array;
  readonly before: Uint8Array | undefined;
  /** Undefined also where only the decoded form is there. */
  #value: Uint8Array | undefined;
  #record: unknown;
  /** Form of a record whose bytes are not made yet. */
  #waiting: RecordForm<unknown> | undefined;

  constructor({ namespace, key }: NamedKey, before: Uint8Array | undefined) {
    this.namespace = namespace;
    this.key = key;
    this.before = before;
    this.#value = before;
  }

  get hasValue(): boolean {
    return this.#value !== undefined || this.#waiting !== undefined;
  }

  get value(): Uint8Array | undefined {
    if (this.#waiting !== undefined) this.#value = this.#waiting.encode(this.#record);
    this.#waiting = undefined;
    return this.#value;
  }

  set value(value: Uint8Array | undefined) {
    this.#value = value;
    this.#record = undefined;
    this.#waiting = undefined;
  }

  recordOf<T>(form: RecordForm<T>): T | undefined {
    if (this.#record === undefined && this.#value !== undefined) this.#record = form.decode(this.#value);
    return this.#record as T | undefined;
  }

  setRecord<T>(form: RecordForm<T>, record: T): void {
    this.#record = record;
    this.#waiting = form as RecordForm<unknown>;
  }
}

/** Reads fall through to the reader once per key; writes stay here. Values are never copied: neither side may change them. */
export class OverlayStateView implements StateView {
  readonly #base: StateReader;
  readonly #entries = new Map<string, Entry>();
  readonly #written = new Set<Entry>();
  /** Entries of records that are kept decoded, by form and name. */
  readonly #named = new Map<RecordForm<unknown>, Map<string, Entry>>();
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

  getRecord<T>(form: RecordForm<T>, name: string): T | undefined {
    return this.#entryNamed(form, name).recordOf(form);
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

  setRecord<T>(form: RecordForm<T>, name: string, record: T): void {
    const entry = this.#entryNamed(form, name);
    const wasOwn = this.#isOwn(entry);
    entry.setRecord(form, record);
    this.#written.add(entry);
    if (!wasOwn) this.#sortIn(entry);
  }

  /** What differs from the reader, ascending by namespace and key. */
  changes(): readonly OverlayChange[] {
    const changes = [...this.#entries.values()].map(({ namespace, key, before, value }) => ({ namespace, key, before, value }));
    return changes.filter(isChanged).sort(compareChanges);
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
    const value = entry?.value;
    if (entry === undefined || value === undefined || !hasPrefix(entry.key, prefix)) return undefined;
    return { key: entry.key, value };
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
    const entry = new Entry(place, readNamed(this.#base, place));
    this.#entries.set(name, entry);
    return entry;
  }

  #entryNamed<T>(form: RecordForm<T>, name: string): Entry {
    const ofForm = form as RecordForm<unknown>;
    let named = this.#named.get(ofForm);
    if (named === undefined) {
      named = new Map();
      this.#named.set(ofForm, named);
    }
    let entry = named.get(name);
    if (entry === undefined) {
      entry = this.#entry(form.namespace, form.keyOf(name));
      named.set(name, entry);
    }
    return entry;
  }

  #isWritten(entry: Entry | undefined): boolean {
    return entry !== undefined && this.#written.has(entry);
  }

  /** True for a record that has its value from here. */
  #isOwn(entry: Entry): boolean {
    return entry.hasValue && this.#written.has(entry);
  }

  #change(entry: Entry, value: Uint8Array | undefined): void {
    const wasOwn = this.#isOwn(entry);
    entry.value = value;
    this.#written.add(entry);
    if (wasOwn !== this.#isOwn(entry)) this.#sortIn(entry);
  }

  /** Puts an entry into the searched keys of its namespace, or takes one without a value out of them. */
  #sortIn(entry: Entry): void {
    const keys = this.#sortedKeys.get(entry.namespace);
    if (keys === undefined) return;
    const name = toLatin1(entry.key);
    const at = positionOf(keys, name, false);
    if (entry.hasValue) keys.splice(at, 0, name);
    else keys.splice(at, 1);
  }
}

function isChanged({ before, value }: OverlayChange): boolean {
  if (before === undefined || value === undefined) return before !== value;
  return before !== value && !equalBytes(before, value);
}

function compareChanges(a: OverlayChange, b: OverlayChange): number {
  if (a.namespace !== b.namespace) return a.namespace < b.namespace ? -1 : 1;
  return Buffer.compare(a.key, b.key);
}
