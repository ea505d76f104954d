// One item of the browser's storage, encrypted with the key of the message store: readable only while the keyring is open.

import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import { createRecordCipher } from "#shared/messenger/store/sealing/record-cipher.ts";
import { toBase64, tryFromBase64 } from "#shared/util/bytes.ts";
import { forgetUnstored, storeOrNote, whileRead } from "./unstored.ts";

export type ItemStorage = Pick<Storage, "getItem" | "setItem">;

/** Every item: the beginning of its name in the storage, and its name to the cipher. */
const ITEMS = {
  calls: ["parley.calls", "relay of calls"],
  found: ["parley.found", "found deals and multisigs"],
  labels: ["parley.labels", "transaction labels"],
  names: ["parley.names", "published names"],
  people: ["parley.people", "people notes"],
  watched: ["parley.watched", "watched addresses"],
} as const;
export type ItemKind = keyof typeof ITEMS;

/** The item of an opened keyring. */
export interface SealedItem {
  readonly storageKey: string;
  /** Undefined when there is none, or none that can be read. */
  read(): Promise<unknown>;
  /** The same; one that cannot be read is copied aside before it is overwritten. */
  readOrSetAside(): Promise<unknown>;
  /** What the browser refuses is noted (`unstored.ts`). @throws what the storage says. */
  write(value: unknown): Promise<void>;
}

/**
 * An item in a storage, to be read: where it was open before, as when another tab has written it, what could not be stored of it is forgotten.
 * It is shown no longer, and tried again it would replace what is read now.
 */
export function createSealedItem(keys: StoreKeys<CryptoKey>, storage: ItemStorage, kind: ItemKind): SealedItem {
  const cipher = createRecordCipher(keys);
  const [prefix, record] = ITEMS[kind];
  const storageKey = `${prefix}.${keys.name}`;
  forgetUnstored(storageKey);
  const isRead = whileRead(storageKey);
  const read = async (): Promise<unknown> => {
    const stored = storage.getItem(storageKey);
    if (stored === null) return undefined;
    return cipher.open(record, tryFromBase64(stored) ?? new Uint8Array());
  };
  return {
    storageKey,
    read,
    readOrSetAside: async (): Promise<unknown> => {
      const stored = storage.getItem(storageKey);
      const value = await read();
      if (value === undefined && stored !== null) storage.setItem(`${storageKey}.damaged`, stored);
      return value;
    },
    write: (value): Promise<void> => {
      const write = async (): Promise<void> => storage.setItem(storageKey, toBase64(await cipher.seal(record, value)));
      // Names of others are read again from the node.
      return kind === "names" ? write() : storeOrNote(storageKey, write, isRead);
    },
  };
}

/** Seals again all items that lie under keys of former passwords; true where none did. */
export async function sweepItems(keys: StoreKeys<CryptoKey>, storage: ItemStorage): Promise<boolean> {
  const cipher = createRecordCipher(keys);
  let isClean = true;
  for (const [prefix, record] of Object.values(ITEMS)) {
    const storageKey = `${prefix}.${keys.name}`;
    const stored = storage.getItem(storageKey);
    const resealed = stored === null ? undefined : await cipher.reseal(record, tryFromBase64(stored) ?? new Uint8Array());
    if (resealed === undefined) continue;
    isClean = false;
    // Another tab may have written meanwhile: the next pass looks again.
    if (storage.getItem(storageKey) === stored) storage.setItem(storageKey, toBase64(resealed));
  }
  return isClean;
}
