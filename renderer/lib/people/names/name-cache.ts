// Names that people published, stored over restarts so that people have names while the node is away. Whom one viewed is private:
// the names are stored encrypted with the key of the message store, readable only while the keyring is open.
import { create } from "zustand";
import { createRecordCipher, type RecordCipher } from "#renderer/messenger/store/record-cipher.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { fromBase64, toBase64 } from "#shared/util/bytes.ts";

/** Names that are stored; the ones learned first go first. */
export const MAX_STORED_NAMES = 5_000;

/** Where the names are stored. */
export interface NamesLocation {
  readonly storage: Pick<Storage, "getItem" | "setItem">;
  readonly storageKey: string;
  readonly cipher: RecordCipher;
}

interface NameCache {
  /** Undefined while the cache is closed. */
  readonly location: NamesLocation | undefined;
  /** Learned last comes last. */
  readonly names: ReadonlyMap<PublicKeyHex, string>;
}

const RECORD = "published names";

/** The names; none while the cache is closed. */
export const useNameCache = create<NameCache>()(() => ({ location: undefined, names: new Map() }));

/** Reads the names of an opened keyring. Ones that cannot be read are forgotten: the chain has them. */
export async function openNameCache(keys: StoreKeys<CryptoKey>, storage: NamesLocation["storage"]): Promise<void> {
  const location = { storage, storageKey: `parley.names.${keys.name}`, cipher: createRecordCipher(keys) };
  const stored = storage.getItem(location.storageKey);
  const names = stored === null ? undefined : await location.cipher.open(RECORD, bytesOf(stored));
  useNameCache.setState({ location, names: new Map(Object.entries((names ?? {}) as Record<PublicKeyHex, string>)) });
}

/** Forgets what was read: when the keyring is locked. */
export function closeNameCache(): void {
  useNameCache.setState({ location: undefined, names: new Map() });
}

/** Takes over names; true when one of them is new. An empty name removes the one that was known. */
export function learnNames(learned: Iterable<readonly [PublicKeyHex, string]>): boolean {
  const { location, names } = useNameCache.getState();
  const changes = [...learned].filter(([key, name]) => (names.get(key) ?? "") !== name);
  if (location === undefined || changes.length === 0) return false;
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
  const { location, names } = useNameCache.getState();
  if (location === undefined) return;
  const sealed = await location.cipher.seal(RECORD, Object.fromEntries(names));
  location.storage.setItem(location.storageKey, toBase64(sealed));
}

function bytesOf(text: string): Uint8Array {
  try {
    return fromBase64(text);
  } catch {
    return new Uint8Array();
  }
}
