// What a vault protects, and the part of it that changes while it is open: sealed under the data key.
import { decode, encode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { concatBytes, utf8 } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import type { SpendingState } from "../intents/spending/spending-state.ts";
import type { AutoLockSettings } from "../keyring-api.ts";
import { deriveKey } from "./derivation.ts";
import { openPart, sealPart } from "./vault-cipher.ts";
import {
  deviceSectionCodec,
  encodeVaultHeader,
  MAX_FORMER_KEYS,
  MAX_UNSWEPT_CHANGES,
  type VaultFile,
  type VaultHeader,
} from "./vault-format.ts";

/** What a vault protects. */
export interface VaultSecrets {
  /** 32 bytes: the recovery phrase; absent on a device that was linked without it. */
  readonly entropy?: Uint8Array;
  /** 32 bytes: root of the local store's keys. */
  readonly dataKey: Uint8Array;
  /** 32 bytes: X25519 secret of this device. */
  readonly deviceSecret: Uint8Array;
  readonly phraseConfirmed: boolean;
  /** Short-lived keys of this device. */
  readonly epochs?: readonly EpochSecret[];
  /** Keys under which secrets of cards lie, 32 bytes each, the newest first: two while they are sealed again, else one. */
  readonly cardKeys?: readonly Uint8Array[];
  /** Keys of stored messages that disappear, the oldest first; none goes before nothing lies under it. */
  readonly dayKeys?: readonly DaySecret[];
  /** The master key's word for this device, by network. */
  readonly certificates?: readonly DeviceCertificate[];
  /** Linked by another device: the phrase is not here. */
  readonly isLinked?: boolean;
  /** Idle times that the person chose. */
  readonly autoLock?: AutoLockSettings;
  /** The password was found hard enough to guess. Older vaults do not say so, whatever their password. */
  readonly isPasswordJudged?: boolean;
  /** Generation of the file of connections of programs: an older file was put back. */
  readonly appsGeneration?: number;
  /** Number of a write of the local store that is durable: an older store was put back. */
  readonly storeCounter?: number;
  /** Spending rules with what was counted by them; absent without rules. */
  readonly spending?: SpendingState;
  /** Data keys of former passwords; absent before the first change of password. */
  readonly formerKeys?: FormerKeys;
}

/** What is left of data keys that a new password has replaced. What lies under one of them is sealed again under the newest. */
export interface FormerKeys {
  /** How many there were. */
  readonly count: number;
  /** The first of all, 32 bytes: names and hashes by which records are found again come from it. */
  readonly first: Uint8Array;
  /** Those under which records of the local store may still lie, the newest first: at most {@link MAX_FORMER_KEYS}, 32 bytes each. */
  readonly records: readonly Uint8Array[];
  /** The same for files of connections of programs; where a host has none, no one says so, and the oldest keys go. */
  readonly files: readonly Uint8Array[];
}

/** The master key's word for a device on a network. */
export interface DeviceCertificate {
  readonly chainId: string;
  /** 64 bytes. */
  readonly signature: Uint8Array;
}

/** A short-lived X25519 secret and until when others may seal to it, unix seconds. */
export interface EpochSecret {
  readonly secret: Uint8Array;
  readonly notAfter: number;
}

/** The secret of a key under which stored messages lie that disappear up to a time. */
export interface DaySecret {
  /** 8 random bytes. */
  readonly id: Uint8Array;
  /** Milliseconds since 1970; 0: of those whose time has not begun. */
  readonly until: number;
  /** 32 bytes. */
  readonly secret: Uint8Array;
}

/** What can change of a device while it is open: all but the keys. */
export type DeviceSection = Omit<VaultSecrets, "entropy" | "dataKey">;

export type VaultPart = "password slot" | "phrase slot" | "keychain slot" | "wallet" | "device";

/** Whose part it is and which: associated data of what is sealed. */
export function associatedData(header: VaultHeader, part: VaultPart): Uint8Array {
  return concatBytes(encodeVaultHeader(header), utf8(part));
}

/** Seals the device section of a vault. */
export function sealDeviceSection(header: VaultHeader, section: DeviceSection, dataKey: Uint8Array, random: RandomBytes): Uint8Array {
  const { deviceSecret, phraseConfirmed, epochs = [], cardKeys = [], dayKeys = [], certificates = [], isLinked = false } = section;
  const { autoLock, isPasswordJudged = false, appsGeneration, storeCounter, spending, formerKeys } = section;
  const plaintext = encode(deviceSectionCodec, {
    deviceSecret,
    phraseConfirmed,
    ...(epochs.length > 0 && { epochs }),
    ...(cardKeys.length > 0 && { cardKeys }),
    ...(dayKeys.length > 0 && { dayKeys }),
    ...(certificates.length > 0 && { certificates }),
    ...(isLinked && { isLinked }),
    ...(autoLock !== undefined && { autoLock }),
    ...(isPasswordJudged && { isPasswordJudged }),
    ...(appsGeneration !== undefined && { appsGeneration }),
    ...(storeCounter !== undefined && { storeCounter }),
    ...(spending !== undefined && { spending }),
    ...(formerKeys !== undefined && { formerKeys }),
  });
  const key = deriveKey(dataKey, "vault device");
  const sealed = sealPart(key, plaintext, associatedData(header, "device"), random);
  wipe(plaintext, key);
  return sealed;
}

/** The device section of a vault, or undefined when it is not sealed under this data key. */
export function openDeviceSection({ header, body }: VaultFile, dataKey: Uint8Array): DeviceSection | undefined {
  const key = deriveKey(dataKey, "vault device");
  const device = openPart(key, body.device, associatedData(header, "device"));
  wipe(key);
  return device && decode(deviceSectionCodec, device);
}

/** Secrets that are written under a new password, with what another window has stored since they were read. */
export function withStored(secrets: VaultSecrets, stored: DeviceSection): VaultSecrets {
  const { epochs = [], cardKeys, dayKeys, certificates = [], autoLock, appsGeneration, storeCounter, spending } = stored;
  const { spending: _, dayKeys: _gone, ...read } = secrets;
  const phraseConfirmed = secrets.phraseConfirmed || stored.phraseConfirmed;
  const others = {
    ...(cardKeys !== undefined && { cardKeys }),
    ...(dayKeys !== undefined && { dayKeys }),
    ...(autoLock !== undefined && { autoLock }),
    ...(appsGeneration !== undefined && { appsGeneration }),
    ...(storeCounter !== undefined && { storeCounter }),
    ...(spending !== undefined && { spending }),
  };
  return { ...read, epochs, certificates, phraseConfirmed, ...others };
}

/**
 * The section without former keys of one kind: nothing lies under them any more, so nothing that does is believed. Undefined when another
 * password came meanwhile, or there are none.
 */
export function withoutFormerKeys(section: DeviceSection, kind: "records" | "files", count: number): DeviceSection | undefined {
  const { formerKeys } = section;
  if (formerKeys?.count !== count || formerKeys[kind].length === 0) return undefined;
  return { ...section, formerKeys: { ...formerKeys, [kind]: [] } };
}

/**
 * The same secrets under another data key, which opens what is stored from now on; the one before still opens what was. So who knows a
 * former password and has a copy of that vault can read nothing that comes later.
 * @throws CodedError PASSWORD_CHANGES_PENDING rather than that a key goes under which records may still lie.
 */
export function withNewDataKey(secrets: VaultSecrets, random: RandomBytes): VaultSecrets {
  const { dataKey } = secrets;
  const { count = 0, first = dataKey, records = [], files = [] } = secrets.formerKeys ?? {};
  if (records.length >= MAX_FORMER_KEYS) throw changesPending();
  const formerKeys: FormerKeys = {
    count: count + 1,
    first,
    records: [dataKey, ...records],
    files: [dataKey, ...files].slice(0, MAX_FORMER_KEYS),
  };
  return { ...secrets, dataKey: random(32), formerKeys };
}

/** @throws CodedError PASSWORD_CHANGES_PENDING while records may lie under keys of too many former passwords. */
export function requireSwept({ formerKeys }: Pick<VaultSecrets, "formerKeys">): void {
  if ((formerKeys?.records.length ?? 0) >= MAX_UNSWEPT_CHANGES) throw changesPending();
}

function changesPending(): CodedError {
  return new CodedError("PASSWORD_CHANGES_PENDING", "Stored messages are still being sealed again after earlier changes of the password");
}

/** Overwrites secrets, as far as a garbage-collected runtime allows. */
export function wipe(...secrets: readonly (Uint8Array | undefined)[]): void {
  for (const secret of secrets) secret?.fill(0);
}
