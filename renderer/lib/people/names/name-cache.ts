// Names that people published, kept over restarts so that nobody is nameless while the node is away. Whom one looked at is nobody's
// business: the names are kept encrypted with the key of the message store, readable only while the keyring is open.
import { create } from "zustand";
import { createRecordCipher, type RecordCipher } from "#renderer/messenger/store/record-cipher.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { fromBase64, toBase64 } from "#shared/util/bytes.ts";

/** Names that are kept; the ones learned first go first. */
export const MAX_KEPT_NAMES = 5_000;

/** Where the names are kept. */
export interface NamesPlace {
  readonly storage: Pick<Storage, "getItem" | "setItem">;
  readonly storageKey: string;
  readonly cipher: RecordCipher;
}

interface NameCache {
  /** Undefined while the cache is closed. */
  readonly place: NamesPlace | undefined;
  /** Learned last stands last. */
  readonly names: ReadonlyMap<PublicKeyHex, string>;
}

const RECORD = "published names";

/** The names; none while the cache is closed. */
export const useNameCache = create<NameCache>()(() => ({ place: undefined, names: new Map() }));

/** Reads the names of an opened keyring. Ones that cannot be read are forgotten: the chain has them. */
export async function openNameCache(keys: StoreKeys<CryptoKey>, storage: NamesPlace["storage"]): Promise<void> {
  const place = { storage, storageKey: `parley.names.${keys.name}`, cipher: createRecordCipher(keys) };
  const kept = storage.getItem(place.storageKey);
  const names = kept === null ? undefined : await place.cipher.open(RECORD, bytesOf(kept));
  useNameCache.setState({ place, names: new Map(Object.entries((names ?? {}) as Record<PublicKeyHex, string>)) });
}

/** Forgets what was read: when the keyring is locked. */
export function closeNameCache(): void {
  useNameCache.setState({ place: undefined, names: new Map() });
}

/** Takes over names; true when one of them is new. An empty name removes the one that was known. */
export function learnNames(learned: Iterable<readonly [PublicKeyHex, string]>): boolean {
  const { place, names } = useNameCache.getState();
  const changes = [...learned].filter(([key, name]) => (names.get(key) ?? "") !== name);
  if (place === undefined || changes.length === 0) return false;
  const next = new Map(names);
  for (const [key, name] of changes) {
    next.delete(key);
    if (name !== "") next.set(key, name);
  }
  useNameCache.setState({ names: new Map([...next].slice(-MAX_KEPT_NAMES)) });
  return true;
}

/** Writes the names down. Does nothing while the cache is closed. */
export async function keepNames(): Promise<void> {
  const { place, names } = useNameCache.getState();
  if (place === undefined) return;
  const sealed = await place.cipher.seal(RECORD, Object.fromEntries(names));
  place.storage.setItem(place.storageKey, toBase64(sealed));
}

function bytesOf(text: string): Uint8Array {
  try {
    return fromBase64(text);
  } catch {
    return new Uint8Array();
  }
}
