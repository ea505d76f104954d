// A view whose changes can be thrown away: every transaction runs on one, so that a failure leaves nothing behind.
import { compareBytes, equalBytes, toLatin1 } from "#shared/util/bytes.ts";
import { NextUnchanged } from "./next-unchanged.ts";
import { compareNames, positionOf } from "./sorted-names.ts";
import type { Namespace, StateChange, StateEntry, StateReader, StateView } from "./state-view.ts";

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
    return this.#read(nameOf(namespace, key), namespace, key);
  }

  /** Contracts that call each other stand on journals over journals: a key is named once for all of them. */
  #read(name: string, namespace: Namespace, key: Uint8Array): Uint8Array | undefined {
    const change = this.#changes.get(name);
    if (change !== undefined) return change.value;
    return this.#base instanceof Journal ? this.#base.#read(name, namespace, key) : this.#base.get(namespace, key);
  }

  next(namespace: Namespace, prefix: Uint8Array, after?: Uint8Array): StateEntry | undefined {
    const own = this.#nextOwn(namespace, prefix, after);
    const isChanged = (key: Uint8Array): boolean => this.#changes.has(nameOf(namespace, key));
    const base = this.#unchanged.find({ namespace, prefix, after, isChanged });
    if (base === undefined || own === undefined) return own ?? base;
    return compareBytes(own.key, base.key) < 0 ? own : base;
  }

  set(namespace: Namespace, key: Uint8Array, value: Uint8Array): void {
    this.#put({ namespace, key, value });
  }

  delete(namespace: Namespace, key: Uint8Array): void {
    this.#put({ namespace, key, value: undefined });
  }

  /** What differs from the reader below, in the order in which it was first touched. */
  changes(): readonly StateChange[] {
    return [...this.#changes.values()].filter(({ namespace, key, value }) => !isSame(this.#base.get(namespace, key), value));
  }

  /** Writes the changes into a view. */
  commitTo(view: StateView): void {
    for (const { namespace, key, value } of this.#changes.values()) {
      if (value === undefined) view.delete(namespace, key);
      else view.set(namespace, key, value);
    }
  }

  #nextOwn(namespace: Namespace, prefix: Uint8Array, after: Uint8Array | undefined): StateEntry | undefined {
    const names = this.#namesOf(namespace);
    const isAfterPrefix = after === undefined || compareBytes(after, prefix) < 0;
    const at = isAfterPrefix ? positionOf(names, nameOf(namespace, prefix), false) : positionOf(names, nameOf(namespace, after), true);
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

  #put(change: StateChange): void {
    const name = nameOf(change.namespace, change.key);
    const names = this.#sortedNames.get(change.namespace);
    const hadValue = this.#changes.get(name)?.value !== undefined;
    const hasValue = change.value !== undefined;
    if (names !== undefined && hadValue !== hasValue) {
      const at = positionOf(names, name, false);
      if (hasValue) names.splice(at, 0, name);
      else names.splice(at, 1);
    }
    this.#changes.set(name, change);
  }
}

/** True when the key begins with the prefix. */
export function hasPrefix(key: Uint8Array, prefix: Uint8Array): boolean {
  return key.length >= prefix.length && prefix.every((byte, index) => key[index] === byte);
}

function nameOf(namespace: Namespace, key: Uint8Array): string {
  return `${namespace}\0${toLatin1(key)}`;
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equalBytes(a, b);
}
