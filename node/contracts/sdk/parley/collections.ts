// Typed storage. Every collection has a name; its entries lie under `<name>:<key>`. A name has no colon, so entries of two names never
// meet, whatever the keys are; `contract build` refuses two collections of one name.

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import { demand, storage } from "../parley";
import { decodeKey, decodeValue, encodeKey, encodeValue, missingValue } from "./codec";

/** Entries that a page has at most: each costs the gas of a search. */
export const MAX_PAGE: i32 = 100;

function prefixOf(name: string): string {
  demand(name.length > 0 && name.length <= 64 && name.indexOf(":") < 0, "a collection's name has 1 to 64 characters and no colon");
  return name + ":";
}

function pageOf<K>(prefix: string, limit: i32, after: string): Array<K> {
  demand(limit > 0 && limit <= MAX_PAGE, "a page has 1 to 100 entries");
  const keys = new Array<K>();
  let last = after;
  while (keys.length < limit) {
    const found = storage.next(prefix, last);
    if (found === null) break;
    last = found;
    keys.push(decodeKey<K>(found.substring(prefix.length)));
  }
  return keys;
}

/** One value. */
export class StorageValue<V> {
  constructor(readonly name: string) {
    prefixOf(name);
  }

  exists(): bool {
    return storage.has(this.name);
  }

  /** The value; what was never set is 0, false, empty; of a struct it ends the call. */
  get(): V {
    const bytes = storage.getBytes(this.name);
    return bytes === null ? missingValue<V>(this.name) : decodeValue<V>(bytes);
  }

  set(value: V): void {
    storage.setBytes(this.name, encodeValue<V>(value));
  }

  remove(): void {
    storage.remove(this.name);
  }
}

/** What maps and sets have in common. */
class StorageKeys<K> {
  protected readonly prefix: string;

  constructor(readonly name: string) {
    this.prefix = prefixOf(name);
  }

  has(key: K): bool {
    return storage.has(this.prefix + encodeKey<K>(key));
  }

  remove(key: K): void {
    storage.remove(this.prefix + encodeKey<K>(key));
  }

  /** The first keys in their order, at most {@link MAX_PAGE}. */
  first(limit: i32): Array<K> {
    return pageOf<K>(this.prefix, limit, "");
  }

  /** The keys that come after another one, whether that is there or not. */
  after(key: K, limit: i32): Array<K> {
    return pageOf<K>(this.prefix, limit, this.prefix + encodeKey<K>(key));
  }
}

/** Values by keys. */
export class StorageMap<K, V> extends StorageKeys<K> {
  /** The value under a key; what was never set is 0, false, empty; of a struct it ends the call. */
  get(key: K): V {
    const bytes = storage.getBytes(this.prefix + encodeKey<K>(key));
    return bytes === null ? missingValue<V>(this.name) : decodeValue<V>(bytes);
  }

  /** The value under a key, or another one when there is none. */
  getOr(key: K, fallback: V): V {
    const bytes = storage.getBytes(this.prefix + encodeKey<K>(key));
    return bytes === null ? fallback : decodeValue<V>(bytes);
  }

  set(key: K, value: V): void {
    storage.setBytes(this.prefix + encodeKey<K>(key), encodeValue<V>(value));
  }
}

/** Keys without values. */
export class StorageSet<K> extends StorageKeys<K> {
  add(key: K): void {
    storage.setBytes(this.prefix + encodeKey<K>(key), new ArrayBuffer(0));
  }
}

/** First in, first out. Both ends are one entry under the name itself, so that a step writes two entries. */
export class StorageQueue<V> {
  private readonly prefix: string;

  constructor(readonly name: string) {
    this.prefix = prefixOf(name);
  }

  get length(): u64 {
    const ends = this.ends();
    return load<u64>(ends, 8) - load<u64>(ends);
  }

  push(value: V): void {
    const ends = this.ends();
    const tail = load<u64>(ends, 8);
    storage.setBytes(this.prefix + encodeKey<u64>(tail), encodeValue<V>(value));
    store<u64>(ends, tail + 1, 8);
    this.setEnds(ends);
  }

  /** The oldest value; an empty queue ends the call. */
  peek(): V {
    return this.at(0);
  }

  /** The value at a position from the oldest one on; one that is not there ends the call. */
  at(index: u64): V {
    const ends = this.ends();
    const head = load<u64>(ends);
    demand(index < load<u64>(ends, 8) - head, this.name + " has no such entry");
    return decodeValue<V>(storage.getBytes(this.prefix + encodeKey<u64>(head + index))!);
  }

  /** Takes the oldest value; an empty queue ends the call. */
  pop(): V {
    const ends = this.ends();
    const head = load<u64>(ends);
    demand(head < load<u64>(ends, 8), this.name + " is empty");
    const key = this.prefix + encodeKey<u64>(head);
    const value = decodeValue<V>(storage.getBytes(key)!);
    storage.remove(key);
    store<u64>(ends, head + 1);
    this.setEnds(ends);
    return value;
  }

  private ends(): usize {
    const ends = new ArrayBuffer(16);
    const stored = storage.getBytes(this.name);
    if (stored === null) return changetype<usize>(ends);
    demand(stored.byteLength == 16, "a stored value has another type");
    store<u64>(changetype<usize>(ends), bswap<u64>(load<u64>(changetype<usize>(stored))));
    store<u64>(changetype<usize>(ends), bswap<u64>(load<u64>(changetype<usize>(stored), 8)), 8);
    return changetype<usize>(ends);
  }

  private setEnds(ends: usize): void {
    const bytes = new ArrayBuffer(16);
    store<u64>(changetype<usize>(bytes), bswap<u64>(load<u64>(ends)));
    store<u64>(changetype<usize>(bytes), bswap<u64>(load<u64>(ends, 8)), 8);
    storage.setBytes(this.name, bytes);
  }
}
