// A view whose changes can be thrown away: every transaction runs on one, so that a failure leaves nothing behind.
import { compareBytes, equalBytes, toHex } from "#shared/util/bytes.ts";
import { compareNames, positionOf } from "./sorted-names.ts";
import type { Namespace, StateChange, StateEntry, StateReader, StateView } from "./state-view.ts";

/** Changes over a reader, kept until they are written somewhere or forgotten. */
export class Journal implements StateView {
  readonly #base: StateReader;
  readonly #changes = new Map<string, StateChange>();
  /** Names of each namespace that was searched, in byte order of their keys. */
  readonly #sortedNames = new Map<Namespace, string[]>();

  constructor(base: StateReader) {
    this.#base = base;
  }

  get(namespace: Namespace, key: Uint8Array): Uint8Array | undefined {
    const change = this.#changes.get(nameOf(namespace, key));
    return change === undefined ? this.#base.get(namespace, key) : change.value;
  }

  next(namespace: Namespace, prefix: Uint8Array, after?: Uint8Array): StateEntry | undefined {
    const own = this.#nextOwn(namespace, prefix, after);
    let base = this.#base.next(namespace, prefix, after);
    while (base !== undefined && this.#changes.has(nameOf(namespace, base.key))) base = this.#base.next(namespace, prefix, base.key);
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
    let at = isAfterPrefix ? positionOf(names, nameOf(namespace, prefix), false) : positionOf(names, nameOf(namespace, after), true);
    for (; at < names.length; at += 1) {
      const change = this.#changes.get(names[at] ?? "");
      if (change === undefined || !hasPrefix(change.key, prefix)) return undefined;
      if (change.value !== undefined) return { key: change.key, value: change.value };
    }
    return undefined;
  }

  #namesOf(namespace: Namespace): readonly string[] {
    const known = this.#sortedNames.get(namespace);
    if (known !== undefined) return known;
    const names = [...this.#changes].filter(([, change]) => change.namespace === namespace).map(([name]) => name);
    names.sort(compareNames);
    this.#sortedNames.set(namespace, names);
    return names;
  }

  #put(change: StateChange): void {
    const name = nameOf(change.namespace, change.key);
    const names = this.#sortedNames.get(change.namespace);
    if (names !== undefined && !this.#changes.has(name)) names.splice(positionOf(names, name, false), 0, name);
    this.#changes.set(name, change);
  }
}

/** True when the key begins with the prefix. */
export function hasPrefix(key: Uint8Array, prefix: Uint8Array): boolean {
  return key.length >= prefix.length && prefix.every((byte, index) => key[index] === byte);
}

function nameOf(namespace: Namespace, key: Uint8Array): string {
  return `${namespace} ${toHex(key)}`;
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equalBytes(a, b);
}
