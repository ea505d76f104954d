// Names that people published, stored over restarts so that people have names while the node is away. Whom one viewed is private:
// the names are stored encrypted with the key of the message store, readable only while the keyring is open.
import { create } from "zustand";
import { createSealedItem, type ItemStorage, type SealedItem } from "#renderer/lib/browser/sealed/sealed-item.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Names that are stored; the ones learned first go first. */
export const MAX_STORED_NAMES = 5_000;

interface NameCache {
  /** Undefined while the cache is closed. */
  readonly item: SealedItem | undefined;
  /** Learned last comes last. */
  readonly names: ReadonlyMap<PublicKeyHex, string>;
}

/** The names; none while the cache is closed. */
export const useNameCache = create<NameCache>()(() => ({ item: undefined, names: new Map() }));

/** Reads the names of an opened keyring. Ones that cannot be read are forgotten: the chain has them. */
export async function openNameCache(keys: StoreKeys<CryptoKey>, storage: ItemStorage): Promise<void> {
  const item = createSealedItem(keys, storage, "names");
  const names = ((await item.read()) ?? {}) as Record<PublicKeyHex, string>;
  useNameCache.setState({ item, names: new Map(Object.entries(names)) });
}

/** Forgets what was read: when the keyring is locked. */
export function closeNameCache(): void {
  useNameCache.setState({ item: undefined, names: new Map() });
}

/** Takes over names; true when one of them is new. An empty name removes the one that was known. */
export function learnNames(learned: Iterable<readonly [PublicKeyHex, string]>): boolean {
  const { item, names } = useNameCache.getState();
  const changes = [...learned].filter(([key, name]) => (names.get(key) ?? "") !== name);
  if (item === undefined || changes.length === 0) return false;
  const next = new Map(names);
  for (const [key, name] of changes) {
    next.delete(key);
    if (name !== "") next.set(key, name);
  }
  useNameCache.setState({ names: new Map([...next].slice(-MAX_STORED_NAMES)) });
  return true;
}

/** Writes the names down. Does nothing while the cache is closed. */
export async function storeNames(): Promise<void> {
  const { item, names } = useNameCache.getState();
  await item?.write(Object.fromEntries(names));
}
