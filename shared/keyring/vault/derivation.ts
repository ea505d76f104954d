// Which key comes from where.
//
//   recovery phrase ── BIP39 seed ─┬─ SLIP-10 m/44'/28780'/0'/0' → master Ed25519 key: account, payments, devices
//                                  └─ HKDF → key of the vault's phrase slot
//   random wallet key ─ opens the phrase's entropy in the vault
//   random data key, a new one with each password
//                    ├─ HKDF → key of the vault's device section, which holds the data keys before
//                    ├─ HKDF → key of the records of the local message store
//                    └─ HKDF → keys of what is stored of connections of programs
//   first data key of a vault
//                    ├─ HKDF → name of the message store, key of the hashes by which its records are found
//                    └─ HKDF → key of the numbers of orders, which stand on the chain
//   random device key (X25519): one per device and browser profile, never from the phrase, never leaves the keyring
//                    ├─ HKDF → Ed25519 seed of the device: signs its short-lived keys and cards
//                    ├─ HKDF → key by which repeated randomness repeats no key of a content
//                    └─ HKDF → Ed25519 seeds of its mailboxes for one person each, and of what may write to them
//   random card key, renewed daily: opens the secrets of cards, which lie with what the messenger stores
//   random day keys, destroyed when nothing lies under them: HKDF → keys of stored messages that disappear
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8 } from "#shared/util/bytes.ts";
import { slip10Derive } from "./slip10.ts";

/** m/44'/28780'/0'/0': purpose, Parley's coin number ("pl"), account, key. All hardened. */
export const MASTER_KEY_PATH = [44, 28_780, 0, 0] as const;

/** Purposes of keys derived by HKDF-SHA-256. */
export type DerivedKey =
  | "vault phrase slot"
  | "vault device"
  | "device signing"
  | "message hedge"
  | "contact box"
  | "contact box writing"
  | "contact box closing"
  | "store name"
  | "store records"
  | "store index"
  | "store day"
  | "apps file"
  | "apps journal"
  | "apps numbers";

/** Ed25519 seed (32 bytes) of the master key. */
export function masterSeed(bip39Seed: Uint8Array): Uint8Array {
  const node = slip10Derive(bip39Seed, MASTER_KEY_PATH);
  node.chainCode.fill(0);
  return node.key;
}

/** 32 bytes for one purpose. */
export function deriveKey(secret: Uint8Array, purpose: DerivedKey, salt: Uint8Array = new Uint8Array(0)): Uint8Array {
  return hkdf(sha256, secret, salt, utf8(`parley ${purpose}`), 32);
}
