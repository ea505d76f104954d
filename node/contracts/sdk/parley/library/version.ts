// A contract behind a proxy. It holds state and µT, obeys its proxy alone, and hands both over when the proxy changes to the next version.
// Its methods take the caller as their first argument, which only the proxy can give.

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import {
  Address, balance, caller, demand, fromBase64, Json, JsonReader, JsonWriter, owner, storage, StorageValue, toBase64, transfer,
} from "parley";

/** State of this file, which is not copied. */
const OWN: string = "version.";
/** Characters of a page at most: it travels as a result and as an argument, each of 16 KiB. */
const PAGE_CHARACTERS: i32 = 14_000;

@lazy const proxyId = new StorageValue<Address>("version.proxy");
@lazy const isSealed = new StorageValue<bool>("version.sealed");

/** Its deployer says once whose version it is. */
export function adopt(proxy: Address): void {
  demand(caller() == owner(), "only the deployer says whose version this is");
  demand(!proxyId.exists(), "the version has its proxy already");
  demand(proxy.length == 16, "a proxy is a contract");
  proxyId.set(proxy);
}

/** Whose version it is; empty before it was adopted. */
export function proxy(): Address {
  return proxyId.get();
}

/** Ends the call unless the proxy calls, and until the version was left for the next one. Call it first in every method. */
export function demandProxy(): void {
  demand(proxyId.exists() && caller() == proxyId.get(), "only the proxy calls this");
  demand(!isSealed.get(), "the next version has taken over");
}

/** Entries of the state after a key: {"entries":[key, value in base64, …],"last":key or null at the end}. */
export function exportState(after: string): Json {
  demandProxy();
  const writer = new JsonWriter();
  writer.startObject();
  writer.name("entries");
  writer.startList();
  let last = after;
  let characters = 0;
  let isAtEnd = false;
  while (true) {
    const key = storage.next("", last);
    if (key === null) {
      isAtEnd = true;
      break;
    }
    if (!key.startsWith(OWN)) {
      const value = toBase64(storage.getBytes(key)!);
      characters += 6 * key.length + value.length + 8;
      if (characters > PAGE_CHARACTERS) {
        demand(last != after, "an entry is too long to be copied: " + key);
        break;
      }
      writer.string(key);
      writer.string(value);
    }
    last = key;
  }
  writer.endList();
  writer.name("last");
  if (isAtEnd) writer.null();
  else writer.string(last);
  writer.endObject();
  return String.UTF8.decode(writer.toBytes());
}

/** Takes entries that the version before gave. */
export function importState(page: Json): void {
  demandProxy();
  const reader = new JsonReader(String.UTF8.encode(page), "the page");
  reader.startObject();
  for (let first = true; ; first = false) {
    const name = reader.member(first);
    if (name === null) break;
    if (name != "entries") {
      reader.raw();
      continue;
    }
    reader.startList();
    for (let firstEntry = true; reader.hasItem(firstEntry); firstEntry = false) {
      const key = reader.string();
      demand(!key.startsWith(OWN) && reader.hasItem(false), "a page has keys and values");
      storage.setBytes(key, fromBase64(reader.string()));
    }
  }
}

/** Gives all µT to the next version and does nothing from then on. */
export function handOver(next: Address): void {
  demandProxy();
  isSealed.set(true);
  const all = balance();
  if (all > 0) demand(transfer(next, all), "the µT cannot be given to the next version");
}
