// The records of the state: how each is keyed, encoded and read. Reading functions are for everyone, writing ones for execution.
import { encode, type TypeOf } from "#shared/codec/codec.ts";
import { array, list, record } from "#shared/codec/composites.ts";
import { bytes, hex, integer, numbered, textUpTo } from "#shared/codec/scalars.ts";
import { type ValidatorSet, validatorSetCodec } from "#shared/protocol/chain/validators.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { ZERO_HASH } from "#shared/protocol/primitives/hash.ts";
import { concatBytes, fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { decodeRecord } from "../record-codec.ts";
import { type RecordForm, readRecord, type StateReader, type StateView, writeRecord } from "../state-view.ts";

/** States of a contact, in the order of their codes 1, 2, 3. */
export const CONTACT_STATUSES = ["pending", "accepted", "blocked"] as const;

/** State of a contact. */
export type ContactStatus = (typeof CONTACT_STATUSES)[number];

/** [balance, history count, history hash]; how the hash is made, see history.ts. */
export const accountCodec = record({ balanceUt: integer(), historyCount: integer(), historyHash: bytes(32) });

/** [x25519 key, nickname or ""] */
const identityCodec = record({ x25519Pub: hex(32), nickname: textUpTo() });
/** [x25519 key, name, unix seconds of the block that linked it] */
const deviceCodec = record({ x25519Pub: hex(32), name: textUpTo(), addedAt: integer() });
const devicesCodec = list(deviceCodec);
const masterCodec = array(hex(32));
const contactCodec = record({
  status: numbered(CONTACT_STATUSES, "status", 1),
  intro: textUpTo(),
  feeUt: integer(),
  /** Transaction that created the record: the last request, or a block of one who never asked. */
  txId: textUpTo(),
  /** Unix seconds of its block. */
  createdAt: integer(),
});
const supplyCodec = array(integer());

/** Balance of a key, and how many entries its history has under which rolling hash. */
export type Account = TypeOf<typeof accountCodec>;

/** What REGISTER_KEY published last. */
export type Identity = TypeOf<typeof identityCodec>;

/** An active device. */
export type Device = { readonly masterPub: PublicKeyHex } & TypeOf<typeof deviceCodec>;

/** The relation of a requester and a recipient. */
export type Contact = { readonly recipientPub: PublicKeyHex; readonly requesterPub: PublicKeyHex } & TypeOf<typeof contactCodec>;

const EMPTY_ACCOUNT: Account = { balanceUt: 0, historyCount: 0, historyHash: ZERO_HASH };
/** By public key: a transfer reads and writes its two accounts seven times. */
const accountForm: RecordForm<Account> = {
  namespace: "account",
  keyOf: fromHex,
  decode: (value) => decodeRecord(accountCodec, value),
  encode: (account) => encode(accountCodec, account),
};
const SUPPLY_KEY = utf8("total");
const VALIDATORS_KEY = utf8("set");

/** Account of a key; an empty one when the key was never touched. */
export function readAccount(reader: StateReader, publicKey: PublicKeyHex): Account {
  return readExistingAccount(reader, publicKey) ?? EMPTY_ACCOUNT;
}

/** Account of a key, or undefined when the key was never touched. */
export function readExistingAccount(reader: StateReader, publicKey: PublicKeyHex): Account | undefined {
  return readRecord(reader, accountForm, publicKey);
}

/** CBOR [balance, history_count, history_hash] under the key. */
export function writeAccount(view: StateView, publicKey: PublicKeyHex, account: Account): void {
  writeRecord(view, accountForm, publicKey, account);
}

/** Identity of a master key, or undefined when it never registered. */
export function readIdentity(reader: StateReader, masterPub: PublicKeyHex): Identity | undefined {
  const value = reader.get("identity", fromHex(masterPub));
  return value === undefined ? undefined : decodeRecord(identityCodec, value);
}

/** CBOR [x25519, nickname] under the master key. */
export function writeIdentity(view: StateView, masterPub: PublicKeyHex, identity: Identity): void {
  view.set("identity", fromHex(masterPub), encode(identityCodec, identity));
}

/** Active devices of a master key in the order in which they were linked. */
export function readDevices(reader: StateReader, masterPub: PublicKeyHex): readonly Device[] {
  const value = reader.get("devices", fromHex(masterPub));
  if (value === undefined) return [];
  return decodeRecord(devicesCodec, value).map((device) => ({ masterPub, ...device }));
}

/** The active device with an X25519 key, or undefined when no identity has it. */
export function readDevice(reader: StateReader, x25519Pub: X25519KeyHex): Device | undefined {
  const value = reader.get("device", fromHex(x25519Pub));
  if (value === undefined) return undefined;
  return readDevices(reader, decodeRecord(masterCodec, value)).find((device) => device.x25519Pub === x25519Pub.toLowerCase());
}

/** Appends a device: CBOR [master] under its key, CBOR [[x25519, name, added_at]…] under the master key. */
export function addDevice(view: StateView, device: Device): void {
  writeDevices(view, device.masterPub, [...readDevices(view, device.masterPub), device]);
  view.set("device", fromHex(device.x25519Pub), encode(masterCodec, device.masterPub));
}

/** Removes a device; a master key without devices has no record. */
export function removeDevice(view: StateView, device: Device): void {
  const rest = readDevices(view, device.masterPub).filter((other) => other.x25519Pub !== device.x25519Pub);
  writeDevices(view, device.masterPub, rest);
  view.delete("device", fromHex(device.x25519Pub));
}

/** Key of a contact record: recipient ‖ requester, so that a recipient's contacts share a prefix. */
export function contactKey(recipientPub: PublicKeyHex, requesterPub: PublicKeyHex): Uint8Array {
  return concatBytes(fromHex(recipientPub), fromHex(requesterPub));
}

/** The relation of two keys, or undefined when there never was one. */
export function readContact(reader: StateReader, recipientPub: PublicKeyHex, requesterPub: PublicKeyHex): Contact | undefined {
  const key = contactKey(recipientPub, requesterPub);
  const value = reader.get("contact", key);
  return value === undefined ? undefined : decodeContact(key, value);
}

/** Contact of a key and value of the namespace `contact`. */
export function decodeContact(key: Uint8Array, value: Uint8Array): Contact {
  const [recipientPub, requesterPub] = [toHex(key.subarray(0, 32)), toHex(key.subarray(32))];
  return { recipientPub, requesterPub, ...decodeRecord(contactCodec, value) };
}

/** CBOR [status code, intro, fee, tx id, created_at] under recipient ‖ requester. */
export function writeContact(view: StateView, contact: Contact): void {
  view.set("contact", contactKey(contact.recipientPub, contact.requesterPub), encode(contactCodec, contact));
}

/** Total supply, µT: all balances and bonds. */
export function readSupply(reader: StateReader): AmountUt {
  const value = reader.get("supply", SUPPLY_KEY);
  return value === undefined ? 0 : decodeRecord(supplyCodec, value);
}

/** CBOR [supply] under `total`. */
export function writeSupply(view: StateView, supplyUt: AmountUt): void {
  view.set("supply", SUPPLY_KEY, encode(supplyCodec, supplyUt));
}

/** The validator set in canonical order. */
export function readValidators(reader: StateReader): ValidatorSet {
  const value = reader.get("validators", VALIDATORS_KEY);
  return value === undefined ? [] : decodeRecord(validatorSetCodec, value);
}

/** CBOR [[key, bond]…] under `set`. */
export function writeValidators(view: StateView, validators: ValidatorSet): void {
  view.set("validators", VALIDATORS_KEY, encode(validatorSetCodec, validators));
}

function writeDevices(view: StateView, masterPub: PublicKeyHex, devices: readonly Device[]): void {
  const key = fromHex(masterPub);
  if (devices.length === 0) view.delete("devices", key);
  else view.set("devices", key, encode(devicesCodec, devices));
}
