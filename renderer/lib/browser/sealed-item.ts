// One item of the browser's storage, encrypted with the key of the message store: readable only while the keyring is open.

import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import { createRecordCipher } from "#shared/messenger/store/record-cipher.ts";
import { toBase64, tryFromBase64 } from "#shared/util/bytes.ts";

export type ItemStorage = Pick<Storage, "getItem" | "setItem">;

/** The item of an opened keyring. */
export interface SealedItem {
  readonly storageKey: string;
  /** Undefined when there is none, or none that can be read. */
  read(): Promise<unknown>;
  /** The same; one that cannot be read is copied aside before it is overwritten. */
  readOrSetAside(): Promise<unknown>;
  write(value: unknown): Promise<void>;
}

/** The item under a key of the storage; `record` names it to the cipher. */
export function createSealedItem(keys: StoreKeys<CryptoKey>, storage: ItemStorage, storageKey: string, record: string): SealedItem {
  const cipher = createRecordCipher(keys);
  const read = async (): Promise<unknown> => {
    const stored = storage.getItem(storageKey);
    return stored === null ? undefined : await cipher.open(record, tryFromBase64(stored) ?? new Uint8Array());
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
    write: async (value): Promise<void> => storage.setItem(storageKey, toBase64(await cipher.seal(record, value))),
  };
}
