// What the keyring does with secrets that it has just read or is about to store.
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress } from "#shared/protocol/address.ts";
import { masterSeed } from "./derivation.ts";
import type { KeyringAccount } from "./keyring-api.ts";
import { phraseOfEntropy, seedOfPhrase } from "./phrase.ts";
import { type OpenedDevice, type VaultSecrets, wipe } from "./vault.ts";
import type { VaultHeader } from "./vault-format.ts";

/** Shortest password of a vault, characters. The interface shows its strength. */
export const MIN_PASSWORD_CHARS = 8;

/** Public keys of a vault. */
export function accountOf({ masterPub, devicePub }: VaultHeader): KeyringAccount {
  return { masterPub, address: formatAddress(masterPub), devicePub };
}

/** Ed25519 seed of the master key of a phrase's entropy. */
export function seedOfEntropy(entropy: Uint8Array): Uint8Array {
  const bip39Seed = seedOfPhrase(phraseOfEntropy(entropy));
  const seed = masterSeed(bip39Seed);
  wipe(bip39Seed);
  return seed;
}

/** Overwrites what came out of a vault. */
export function wipeSecrets(secrets: VaultSecrets | OpenedDevice["secrets"]): void {
  wipe("entropy" in secrets ? secrets.entropy : undefined, secrets.dataKey, secrets.deviceSecret);
}

/** @throws CodedError BAD_REQUEST for a password that is too short. */
export function requirePassword(password: string): void {
  if ([...password].length < MIN_PASSWORD_CHARS)
    throw new CodedError("BAD_REQUEST", `A password has at least ${MIN_PASSWORD_CHARS} characters`, { details: { field: "password" } });
}
