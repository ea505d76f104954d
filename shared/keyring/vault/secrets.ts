// What the keyring does with secrets that it has just read or is about to store.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { DeviceKeys } from "#shared/protocol/mail/device-certificate.ts";
import { boxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import type { KeyringAccount, StoreKeys } from "../keyring-api.ts";
import { deriveKey, masterSeed } from "./derivation.ts";
import { DeviceCredentials } from "./device-credentials.ts";
import { phraseOfEntropy, seedOfPhrase } from "./phrase.ts";
import type { OpenedDevice } from "./vault.ts";
import type { VaultHeader } from "./vault-format.ts";
import { type DaySecret, type DeviceSection, type FormerKeys, type VaultSecrets, wipe } from "./vault-secrets.ts";

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

/** What the first vault of an identity protects on this device, and its public keys. Takes the entropy over. */
export function newIdentity(
  entropy: Uint8Array,
  phraseConfirmed: boolean,
  random: RandomBytes,
): { readonly secrets: VaultSecrets; readonly keys: Pick<VaultHeader, "masterPub" | "devicePub"> } {
  const deviceSecret = random(32);
  const secrets: VaultSecrets = { entropy, dataKey: random(32), deviceSecret, phraseConfirmed, isPasswordJudged: true };
  const seed = seedOfEntropy(entropy);
  const keys = { masterPub: toHex(ed25519PublicKey(seed)), devicePub: keysOfDevice(deviceSecret).devicePub };
  wipe(seed);
  return { secrets, keys };
}

/** Overwrites what came out of a vault. */
export function wipeSecrets(secrets: VaultSecrets | OpenedDevice["secrets"]): void {
  wipe("entropy" in secrets ? secrets.entropy : undefined, secrets.dataKey);
  wipeSection(secrets);
}

/** Overwrites the device section that came out of a vault. */
export function wipeSection({ deviceSecret, epochs = [], cardKeys = [], dayKeys = [], formerKeys }: DeviceSection): void {
  wipe(deviceSecret, ...cardKeys, ...[...epochs, ...dayKeys].map(({ secret }) => secret));
  wipeFormer(formerKeys);
}

/** Public keys of a device secret. */
export function keysOfDevice(deviceSecret: Uint8Array): DeviceKeys {
  const { publicKey, secretKey } = boxKeyPair(deviceSecret.slice());
  wipe(secretKey);
  const credentials = new DeviceCredentials(deviceSecret, toHex(publicKey));
  const { keys } = credentials;
  credentials.close();
  return keys;
}

/** @throws CodedError PHRASE_INVALID when the entropy, which is then wiped, is not that of a master key. */
export function requireSameIdentity(entropy: Uint8Array, masterPub: PublicKeyHex): void {
  const seed = seedOfEntropy(entropy);
  const isSame = toHex(ed25519PublicKey(seed)) === masterPub;
  wipe(seed);
  if (isSame) return;
  wipe(entropy);
  throw new CodedError("PHRASE_INVALID", "This phrase belongs to a different identity than this vault");
}

/** Overwrites former data keys. */
export function wipeFormer(formerKeys: FormerKeys | undefined): void {
  wipe(formerKeys?.first, ...(formerKeys?.records ?? []), ...(formerKeys?.files ?? []));
}

/** Why a device that was linked without the phrase cannot sign. */
export function phraseMissing(): CodedError {
  return new CodedError("PHRASE_MISSING", "This device was linked without the recovery phrase: add the phrase to sign here");
}

/** Keys of the local store. Its name and the hashes by which records are found stay those of the first data key. */
export function storeKeysOf({ dataKey, formerKeys, dayKeys }: DataKeys): StoreKeys<Uint8Array> {
  const first = formerKeys?.first ?? dataKey;
  return {
    name: toHex(deriveKey(first, "store name").subarray(0, 8)),
    recordKey: deriveKey(dataKey, "store records"),
    indexKey: deriveKey(first, "store index"),
    formerKeys: (formerKeys?.records ?? []).map((key) => deriveKey(key, "store records")),
    dayKeys: dayKeys.map(({ id, until, secret }) => ({ id: toHex(id), until, key: deriveKey(secret, "store day") })),
  };
}

/** The data key, and what is left of those before. */
export interface DataKeys {
  readonly dataKey: Uint8Array;
  readonly formerKeys: FormerKeys | undefined;
  /** Keys of stored messages that disappear, the oldest first. */
  readonly dayKeys: readonly DaySecret[];
}
