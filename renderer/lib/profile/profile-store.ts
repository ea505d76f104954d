// What this device knows of its person besides keys: the chosen name, which becomes public when the keys are published, and the
// name of the device. Kept in localStorage by master key.
import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { PublicKeyHex } from "#shared/protocol/address.ts";

interface ProfileStore {
  readonly names: Readonly<Record<PublicKeyHex, string>>;
  setName(account: PublicKeyHex, name: string): void;
}

/** Chosen names by account. */
export const useProfiles = create<ProfileStore>()(
  persist<ProfileStore>(
    (set) => ({
      names: {},
      setName: (account, name) => set(({ names }) => ({ names: { ...names, [account]: name } })),
    }),
    { name: "parley.profiles", version: 1 },
  ),
);

/** Name chosen for an account on this device, or undefined. */
export function useChosenName(account: PublicKeyHex): string | undefined {
  return useProfiles(({ names }) => names[account]);
}
