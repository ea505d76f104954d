// The Parley host for contracts in AssemblyScript. A contract imports what it needs: import { caller, argU64, storage } from "parley".
// Methods are exported functions without parameters and result; arguments are asked for by their place.

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import {
  envArgBool, envArgCount, envArgLen, envArgRead, envArgType, envArgU64, envBalance, envBlockHeight, envBlockTime, envBurn,
  envCtxRead, envGasLeft, envKeyUsable, envLog, envRet, envRevert, envSha256, envSigVerify, envStateDel, envStateGet,
  envStateNext, envStateSet, envTransfer, envValue,
} from "./parley-host";

export { fromBase64, toBase64 } from "./parley/base64";
export { Args, callContract, CallResult } from "./parley/calls";
export { checkedAdd, checkedCast, checkedMul, checkedPow, checkedSub, mulDiv } from "./parley/checked";
export { pairKey } from "./parley/codec";
export { StorageMap, StorageQueue, StorageSet, StorageValue } from "./parley/collections";
export { JsonReader, JsonWriter } from "./parley/json";
export { Address, emit, isAddress, Json, toAddress } from "./parley/typed";
export { u128 } from "./parley/u128";
export { u256 } from "./parley/u256";

/** Room that an answer of unknown length is given first; a longer one is asked for once more. */
const FIRST_TRY: i32 = 128;

function utf8(text: string): ArrayBuffer {
  return String.UTF8.encode(text);
}

function textOf(buffer: ArrayBuffer): string {
  return String.UTF8.decode(buffer);
}

// Arguments

/** Number of arguments. */
export function argCount(): i32 {
  return envArgCount();
}

/** True when a `json` argument is null. */
export function isNull(index: i32): bool {
  return envArgType(index) == 0;
}

/** A `string` argument; of a `json` argument its JSON text. */
export function argString(index: i32): string {
  const length = envArgLen(index);
  const buffer = new ArrayBuffer(length);
  envArgRead(index, changetype<usize>(buffer), length);
  return textOf(buffer);
}

/** A `u64` argument. */
export function argU64(index: i32): u64 {
  return envArgU64(index);
}

/** A `bool` argument. */
export function argBool(index: i32): bool {
  return envArgBool(index) != 0;
}

/** A `string` argument that is an Ed25519 public key in hex, in lower case; anything else ends the call. */
export function argKey(index: i32, name: string): string {
  const key = lowerCase(argString(index));
  if (!isHexKey(key)) revert(name + " is no public key of 64 hex characters");
  return key;
}

/** True for 64 hex characters in lower case. */
export function isHexKey(text: string): bool {
  return text.length == 64 && isLowerHex(text);
}

/** True for characters of hex in lower case alone. */
export function isLowerHex(text: string): bool {
  const end = changetype<usize>(text) + (<usize>text.length << 1);
  for (let at = changetype<usize>(text); at < end; at += 2) if (hexDigit(load<u16>(at)) < 0) return false;
  return true;
}

// Surroundings

function context(field: i32): string {
  const buffer = new ArrayBuffer(FIRST_TRY);
  const length = envCtxRead(field, changetype<usize>(buffer), FIRST_TRY);
  return textOf(buffer.slice(0, length));
}

/** Who calls: a public key, or the id of the contract that calls this one. */
export function caller(): string {
  return context(0);
}

/** Id of this contract. */
export function self(): string {
  return context(1);
}

/** Key that signed the transaction. */
export function origin(): string {
  return context(2);
}

/** Id of the transaction. */
export function txId(): string {
  return context(3);
}

/** Key that deployed this contract. */
export function owner(): string {
  return context(4);
}

/** Id of the chain: part of whatever a contract lets people sign. */
export function chainId(): string {
  return context(5);
}

/** µT attached to the call; the contract has them already. */
export function value(): u64 {
  return envValue();
}

/** Height of the block. */
export function blockHeight(): u64 {
  return envBlockHeight();
}

/** Time of the block, unix seconds. */
export function blockTime(): u64 {
  return envBlockTime();
}

/** Gas that is left. */
export function gasLeft(): u64 {
  return envGasLeft();
}

// State

/** The contract's own state: keys and values are texts, 64-bit integers (8 bytes, big-endian) or bytes. */
export namespace storage {
  /** Bytes under a key, or null. */
  export function getBytes(key: string): ArrayBuffer | null {
    const name = utf8(key);
    const first = new ArrayBuffer(FIRST_TRY);
    const length = envStateGet(changetype<usize>(name), name.byteLength, changetype<usize>(first), FIRST_TRY);
    if (length < 0) return null;
    if (length <= FIRST_TRY) return first.slice(0, length);
    const whole = new ArrayBuffer(length);
    envStateGet(changetype<usize>(name), name.byteLength, changetype<usize>(whole), length);
    return whole;
  }

  export function setBytes(key: string, bytes: ArrayBuffer): void {
    const name = utf8(key);
    envStateSet(changetype<usize>(name), name.byteLength, changetype<usize>(bytes), bytes.byteLength);
  }

  /** Text under a key, or null. */
  export function get(key: string): string | null {
    const bytes = getBytes(key);
    return bytes === null ? null : textOf(bytes);
  }

  export function set(key: string, text: string): void {
    setBytes(key, utf8(text));
  }

  /** Integer under a key; 0 when there is none. */
  export function getU64(key: string): u64 {
    const bytes = getBytes(key);
    if (bytes === null || bytes.byteLength != 8) return 0;
    return bswap<u64>(load<u64>(changetype<usize>(bytes)));
  }

  /** Puts an integer; 0 is kept as no entry. */
  export function setU64(key: string, integer: u64): void {
    if (integer == 0) {
      remove(key);
      return;
    }
    const bytes = new ArrayBuffer(8);
    store<u64>(changetype<usize>(bytes), bswap<u64>(integer));
    setBytes(key, bytes);
  }

  export function has(key: string): bool {
    const name = utf8(key);
    return envStateGet(changetype<usize>(name), name.byteLength, 0, 0) >= 0;
  }

  export function remove(key: string): void {
    const name = utf8(key);
    envStateDel(changetype<usize>(name), name.byteLength);
  }

  /** The next key with a prefix after another ("" to begin) in byte order, or null. */
  export function next(prefix: string, after: string = ""): string | null {
    const start = utf8(prefix);
    const last = utf8(after);
    const found = new ArrayBuffer(256);
    const length = envStateNext(changetype<usize>(start), start.byteLength, changetype<usize>(last), last.byteLength, changetype<usize>(found), 256);
    return length < 0 ? null : textOf(found.slice(0, length));
  }
}

// Money

/** Balance of this contract, µT. */
export function balance(): u64 {
  return envBalance();
}

/** Pays a key or a contract from this contract's balance. False when it does not suffice or the recipient is not usable. */
export function transfer(to: string, amount: u64): bool {
  const text = utf8(to);
  return envTransfer(changetype<usize>(text), text.byteLength, amount) == 0;
}

/** Destroys µT of this contract's balance. */
export function burn(amount: u64): bool {
  return envBurn(amount) == 0;
}

/** True when µT can be sent there. */
export function isUsable(key: string): bool {
  const text = utf8(key);
  return envKeyUsable(changetype<usize>(text), text.byteLength) != 0;
}

// Results

/** A line of the log. In a contract with events one that looks like an event ends the call: a caller's words never become one. */
export function log(message: string): void {
  const text = utf8(message);
  // `contract build` defines this for contracts with events; others need not carry the check. The number is {"event" in bytes.
  if (isDefined(PARLEY_HAS_EVENTS)) {
    demand(text.byteLength < 8 || load<u64>(changetype<usize>(text)) != 0x22746e657665227b, "a log line looks like an event");
  }
  envLog(changetype<usize>(text), text.byteLength);
}

/** Ends the call: nothing remains but its price and this reason. */
export function revert(reason: string): void {
  const text = utf8(reason);
  envRevert(changetype<usize>(text), text.byteLength);
}

/** Ends the call unless the condition holds. */
export function demand(condition: bool, reason: string): void {
  if (!condition) revert(reason);
}

/** Returns a JSON text. */
export function returnJson(json: string): void {
  const text = utf8(json);
  envRet(changetype<usize>(text), text.byteLength);
}

/** Returns a text. */
export function returnString(text: string): void {
  returnJson(quote(text));
}

/** Returns an integer. */
export function returnU64(integer: u64): void {
  returnJson(integer.toString());
}

/** Returns true or false. */
export function returnBool(flag: bool): void {
  returnJson(flag ? "true" : "false");
}

/** JSON of a text. */
export function quote(text: string): string {
  let json = '"';
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code == 0x22 || code == 0x5c) json += "\\" + text.charAt(at);
    else if (code < 0x20) json += "\\u00" + HEX.charAt(code >> 4) + HEX.charAt(code & 15);
    else json += text.charAt(at);
  }
  return json + '"';
}

// Bytes

@lazy
const HEX: string = "0123456789abcdef";

/** Lower case of ASCII letters: the tables of all of Unicode would be half of a contract. */
export function lowerCase(text: string): string {
  const size = <usize>text.length << 1;
  const lower = __new(size, idof<string>());
  for (let at: usize = 0; at < size; at += 2) {
    const code = <u32>load<u16>(changetype<usize>(text) + at);
    store<u16>(lower + at, <u16>(code - 0x41 < 26 ? code | 0x20 : code));
  }
  return changetype<string>(lower);
}

function hexDigit(code: u32): i32 {
  if (code - 0x30 < 10) return code - 0x30;
  return code - 0x61 < 6 ? code - 0x57 : -1;
}

/** Lower-case hex of bytes. */
export function toHex(bytes: ArrayBuffer): string {
  const text = __new(<usize>bytes.byteLength << 2, idof<string>());
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const byte = <u32>load<u8>(changetype<usize>(bytes) + at);
    store<u32>(text + (<usize>at << 2), hexCharacter(byte >> 4) | (hexCharacter(byte & 15) << 16));
  }
  return changetype<string>(text);
}

function hexCharacter(digit: u32): u32 {
  return digit + (digit < 10 ? 0x30 : 0x57);
}

/** Bytes of hex in lower case; anything else ends the call. */
export function fromHex(text: string): ArrayBuffer {
  demand((text.length & 1) == 0, "hex has an odd length");
  const bytes = new ArrayBuffer(text.length >> 1);
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const high = hexDigit(text.charCodeAt(2 * at));
    const low = hexDigit(text.charCodeAt(2 * at + 1));
    demand(high >= 0 && low >= 0, "a text is no hex");
    store<u8>(changetype<usize>(bytes) + at, <u8>((high << 4) | low));
  }
  return bytes;
}

/** Bytes of a text. */
export function bytesOf(text: string): ArrayBuffer {
  return utf8(text);
}

/** SHA-256, 32 bytes. */
export function sha256(bytes: ArrayBuffer): ArrayBuffer {
  const hash = new ArrayBuffer(32);
  envSha256(changetype<usize>(bytes), bytes.byteLength, changetype<usize>(hash));
  return hash;
}

/** True when an Ed25519 signature (64 bytes) over the message is one of the key (32 bytes). */
export function verify(message: ArrayBuffer, signature: ArrayBuffer, key: ArrayBuffer): bool {
  demand(signature.byteLength == 64 && key.byteLength == 32, "a signature has 64 bytes and a key 32");
  return envSigVerify(changetype<usize>(message), message.byteLength, changetype<usize>(signature), changetype<usize>(key)) != 0;
}
