// Opens the notes about people while the keyring is open, and takes over what another tab has written.
import { useEffect } from "react";
import { useKeyringValue } from "../../keyring/keyring-context.tsx";
import { closePeopleNotes, openPeopleNotes, usePeopleNotes } from "./people-notes.ts";

/** Keeps the notes open. The shell calls it once. */
export function useOpenNotes(): void {
  const { keyring, status } = useKeyringValue();
  const isOpen = status?.state === "unlocked" || status?.state === "walletLocked";
  useEffect(() => {
    if (!isOpen) return undefined;
    const open = (): void => {
      keyring
        .storeKeys()
        .then((keys) => openPeopleNotes(keys, localStorage))
        .catch(() => closePeopleNotes());
    };
    const onStorage = ({ key }: StorageEvent): void => {
      if (key === usePeopleNotes.getState().item?.storageKey) open();
    };
    open();
    window.addEventListener("storage", onStorage);
    return (): void => {
      window.removeEventListener("storage", onStorage);
      closePeopleNotes();
    };
  }, [keyring, isOpen]);
}
