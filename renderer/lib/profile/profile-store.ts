// What this device knows of its person besides keys: the chosen name, which becomes public when the keys are published, whether the chain
// has ever listed this device, and when chats were last backed up. Kept in localStorage.
import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

interface ProfileStore {
  readonly names: Readonly<Record<PublicKeyHex, string>>;
  /** Device keys of this profile that the chain has listed: one that is missing now was unlinked, and must not link itself again. */
  readonly listedDevices: readonly X25519KeyHex[];
  /** When the chats of an account were last backed up on this device, milliseconds since 1970. */
  readonly backups: Readonly<Record<PublicKeyHex, number>>;
  setName(account: PublicKeyHex, name: string): void;
  markListed(device: X25519KeyHex): void;
  markBackup(account: PublicKeyHex, atMs: number): void;
}

/** Chosen names by account. */
export const useProfiles = create<ProfileStore>()(
  persist<ProfileStore>(
    (set) => ({
      names: {},
      listedDevices: [],
      backups: {},
      setName: (account, name) => set(({ names }) => ({ names: { ...names, [account]: name } })),
      markListed: (device) =>
        set(({ listedDevices }) => (listedDevices.includes(device) ? {} : { listedDevices: [...listedDevices, device] })),
      markBackup: (account, atMs) => set(({ backups }) => ({ backups: { ...backups, [account]: atMs } })),
    }),
    { name: "parley.profiles", version: 1 },
  ),
);

/** Name chosen for an account on this device, or undefined. */
export function useChosenName(account: PublicKeyHex): string | undefined {
  return useProfiles(({ names }) => names[account]);
}

/** True when the chain has listed this device before: if it does not now, the device was unlinked. */
export function useWasListed(device: X25519KeyHex): boolean {
  return useProfiles(({ listedDevices }) => listedDevices.includes(device));
}

/** When the chats of an account were last backed up on this device, milliseconds since 1970; undefined for never. */
export function useLastBackup(account: PublicKeyHex): number | undefined {
  return useProfiles(({ backups }) => backups[account]);
}
