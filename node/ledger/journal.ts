// A view whose changes can be thrown away: every transaction runs on one, so that a failure leaves nothing behind.
import { compareBytes, equalBytes } from "#shared/util/bytes.ts";
import { NextUnchanged } from "./next-unchanged.ts";
import { compareNames, positionOf } from "./sorted-names.ts";
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
} from "./state-view.ts";

/** Changes over a reader, kept until they are written somewhere or forgotten. */
export class Journal implements StateView {
  readonly #base: StateReader;
  readonly #changes = new Map<string, StateChange>();
  readonly #unchanged: NextUnchanged;
  /** Names of each namespace that was searched and have a value here, in byte order of their keys. */
  readonly #sortedNames = new Map<Namespace, string[]>();

  constructor(base: StateReader) {
    this.#base = base;
    this.#unchanged = new NextUnchanged(base);
  }

  get(namespace: Namespace, key: Uint8Array): Uint8Array | undefined {
    return this.getNamed({ namespace, name: recordNameOf(namespace, key), key });
  }

  /** Contracts that call each other stand on journals over journals: a key is named once for all of them. */
  getNamed(place: NamedKey): Uint8Array | undefined {
    const change = this.#changes.get(place.name);
    if (change !== undefined) return change.value;
    return readNamed(this.#base, place);
  }

  next(namespace: Namespace, prefix: Uint8Array, after?: Uint8Array): StateEntry | undefined {
    const own = this.#nextOwn(namespace, prefix, after);
    const isChanged = (key: Uint8Array): boolean => this.#changes.has(recordNameOf(namespace, key));
    const base = this.#unchanged.find({ namespace, prefix, after, isChanged });
    if (base === undefined || own === undefined) return own ?? base;
    return compareBytes(own.key, base.key) < 0 ? own : base;
  }

  set(namespace: Namespace, key: Uint8Array, value: Uint8Array): void {
    this.setNamed({ namespace, name: recordNameOf(namespace, key), key }, value);
  }

  delete(namespace: Namespace, key: Uint8Array): void {
    this.setNamed({ namespace, name: recordNameOf(namespace, key), key }, undefined);
  }

  setNamed({ namespace, name, key }: NamedKey, value: Uint8Array | undefined): void {
    const names = this.#sortedNames.get(namespace);
    const hadValue = this.#changes.get(name)?.value !== undefined;
    const hasValue = value !== undefined;
    if (names !== undefined && hadValue !== hasValue) {
      const at = positionOf(names, name, false);
      if (hasValue) names.splice(at, 0, name);
      else names.splice(at, 1);
    }
    this.#changes.set(name, { namespace, key, value });
  }

  /** What differs from the reader below, in the order in which it was first touched. */
  changes(): readonly StateChange[] {
    return [...this.#changes.values()].filter(({ namespace, key, value }) => !isSame(this.#base.get(namespace, key), value));
  }

  /** Writes the changes into a view. */
  commitTo(view: StateView): void {
    for (const [name, { namespace, key, value }] of this.#changes) writeNamed(view, { namespace, name, key }, value);
  }

  #nextOwn(namespace: Namespace, prefix: Uint8Array, after: Uint8Array | undefined): StateEntry | undefined {
    const names = this.#namesOf(namespace);
    const isAfterPrefix = after === undefined || compareBytes(after, prefix) < 0;
    const at = isAfterPrefix
      ? positionOf(names, recordNameOf(namespace, prefix), false)
      : positionOf(names, recordNameOf(namespace, after), true);
    const change = this.#changes.get(names[at] ?? "");
    if (change?.value === undefined || !hasPrefix(change.key, prefix)) return undefined;
    return { key: change.key, value: change.value };
  }

  #namesOf(namespace: Namespace): readonly string[] {
    const known = this.#sortedNames.get(namespace);
    if (known !== undefined) return known;
    const own = [...this.#changes].filter(([, change]) => change.namespace === namespace && change.value !== undefined);
    const names = own.map(([name]) => name);
    names.sort(compareNames);
    this.#sortedNames.set(namespace, names);
    return names;
  }
}

/** True when the key begins with the prefix. */
export function hasPrefix(key: Uint8Array, prefix: Uint8Array): boolean {
  return key.length >= prefix.length && prefix.every((byte, index) => key[index] === byte);
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equalBytes(a, b);
}
