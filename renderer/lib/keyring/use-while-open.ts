// What is stored encrypted is read while the keyring is open, and forgotten when it is locked.
import { useEffect } from "react";
import type { ItemStorage } from "#renderer/lib/browser/sealed/sealed-item.ts";
import { forgetUnstored } from "#renderer/lib/browser/sealed/unstored.ts";
import type { KeyringStatus, StoreKeys } from "#shared/keyring/keyring-api.ts";
import { useKeyringValue } from "./keyring-context.tsx";

/** A store of sealed items; the same object every time. */
export interface SealedStore {
  /** Reads it. */
  readonly open: (keys: StoreKeys<CryptoKey>, storage: ItemStorage) => Promise<void>;
  /** Forgets what was read. */
  readonly close: () => void;
  /** Where it is stored, while it is open: what another tab writes there is taken over. */
  readonly storageKey: () => string | undefined;
}

/** Which keys are open: with another password come other ones. Undefined while the keyring is locked. */
export function openedKeys(status: KeyringStatus | undefined): number | undefined {
  const isOpen = status?.state === "unlocked" || status?.state === "walletLocked";
  return isOpen ? (status.formerDataKeys ?? 0) : undefined;
}

/** Keeps a store open while the keyring is. */
export function useWhileOpen({ open, close, storageKey }: SealedStore): void {
  const { keyring, status } = useKeyringValue();
  const opened = openedKeys(status);
  useEffect(() => {
    if (opened === undefined) return undefined;
    let isCurrent = true;
    const read = (): void => {
      keyring
        .storeKeys()
        .then((keys) => (isCurrent ? open(keys, localStorage) : undefined))
        .then(() => (isCurrent ? undefined : close()))
        .catch(close);
    };
    const onStorage = ({ key }: StorageEvent): void => {
      if (key !== null && key === storageKey()) read();
    };
    read();
    window.addEventListener("storage", onStorage);
    return (): void => {
      isCurrent = false;
      window.removeEventListener("storage", onStorage);
      const place = storageKey();
      if (place !== undefined) forgetUnstored(place);
      close();
    };
  }, [keyring, opened, open, close, storageKey]);
}
