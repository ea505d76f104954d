// What sealed items need: a storage in memory, and keys as the keyring gives them.
import { importStoreKey } from "#renderer/workers/store-key.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import { importStoreKeys } from "#shared/keyring/port.ts";

/** A storage whose entries can be looked at. */
export interface MemoryStorage extends Pick<Storage, "getItem" | "setItem"> {
  readonly stored: Map<string, string>;
}

export function memoryStorage(): MemoryStorage {
  const stored = new Map<string, string>();
  return { stored, getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => void stored.set(key, value) };
}

/** Keys made of one byte: other bytes, other keys. `former`: those of former passwords. */
export function storeKeys(fill: number, name = "store", former: readonly number[] = []): Promise<StoreKeys<CryptoKey>> {
  const raw = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
  const keys = { name, recordKey: raw(fill), indexKey: raw(former.at(-1) ?? fill), formerKeys: former.map(raw), dayKeys: [] };
  return importStoreKeys(keys, importStoreKey);
}
