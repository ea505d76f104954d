// Asks the computer's keychain once when a start is locked, and again only when the person says so.
import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import type { AppKeyring } from "#renderer/lib/keyring/keyring-context.tsx";

/** How it goes with the keychain. */
export interface KeychainTry {
  readonly state: "idle" | "asking" | "failed";
  readonly ask: () => void;
}

/** `isOffered`: the vault has a slot for the keychain, and nothing was locked since the start. */
export function useKeychainUnlock(keyring: AppKeyring, isOffered: boolean): KeychainTry {
  const { mutate, isPending, isError } = useMutation({ mutationFn: () => keyring.unlockWithKeychain() });
  useEffect(() => {
    if (isOffered) mutate();
  }, [isOffered, mutate]);
  const state = isPending ? "asking" : isError && isOffered ? "failed" : "idle";
  return { state, ask: () => mutate() };
}
