// Opens the labels of transactions while the keyring is open.
import { useEffect } from "react";
import { useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { closeLabels, openLabels } from "#renderer/lib/transactions/label-store.ts";

/** Keeps the labels open. The wallet's commands call it once. */
export function useOpenLabels(): void {
  const { keyring, status } = useKeyringValue();
  const isOpen = status?.state === "unlocked" || status?.state === "walletLocked";
  useEffect(() => {
    if (!isOpen) return undefined;
    let isCurrent = true;
    keyring
      .storeKeys()
      .then((keys) => (isCurrent ? openLabels(keys, localStorage) : undefined))
      .then(() => (isCurrent ? undefined : closeLabels()))
      .catch(closeLabels);
    return (): void => {
      isCurrent = false;
      closeLabels();
    };
  }, [keyring, isOpen]);
}
