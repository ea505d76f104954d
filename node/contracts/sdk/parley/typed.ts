// What the code that `contract build` adds to a typed contract is made of: arguments by their types, results, events.

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import { argString, argU64, demand, fromHex, isLowerHex, lowerCase, revert } from "../parley";
import { envArgLen, envArgRead, envArgType, envLog, envRet } from "../parley-host";
import { JsonReader, JsonWriter } from "./json";
import { u128 } from "./u128";
import { u256 } from "./u256";

/** A public key of 64 hex characters or the id of a contract of 16, in lower case. */
export type Address = string;

/** The text of any JSON value without fractions. */
export type Json = string;

/** Bytes of an indexed value at most. */
const MAX_INDEXED_BYTES: i32 = 96;

/** Writes an event to the log: an object of a class with the decorator `event`, whose encoding is added by `contract build`. */
export function emit<T>(event: T): void {
  const line = event.encodeEvent().toBytes();
  envLog(changetype<usize>(line), line.byteLength);
}

/** True for 64 hex characters (a key) or 16 (a contract), in lower case. */
export function isAddress(text: string): bool {
  return (text.length == 64 || text.length == 16) && isLowerHex(text);
}

export function toAddress(text: string, what: string): Address {
  const address = lowerCase(text);
  if (!isAddress(address)) revert(what + " is no key of 64 hex characters and no contract of 16");
  return address;
}

export function argAddress(index: i32, what: string): Address {
  return toAddress(argString(index), what);
}

/** An unsigned integer of fewer than 64 bits. */
export function argUnsigned<T extends number>(index: i32, what: string): T {
  const integer = argU64(index);
  demand(integer <= <u64>(<T>-1), what + " does not fit");
  return <T>integer;
}

/** Reader of an argument's JSON. The host gives a text without its quotes. */
export function argReader(index: i32, what: string): JsonReader {
  if (envArgType(index) == 3) return new JsonReader(new JsonWriter().string(argString(index)).toBytes(), what);
  const length = envArgLen(index);
  const bytes = new ArrayBuffer(length);
  envArgRead(index, changetype<usize>(bytes), length);
  return new JsonReader(bytes, what);
}

/** Bytes of an argument in hex, of either case. */
export function argBytes(index: i32, what: string): ArrayBuffer {
  const text = lowerCase(argString(index));
  demand(isHex(text), what + " is no hex");
  return fromHex(text);
}

export function argU128(index: i32, what: string): u128 {
  const text = argString(index);
  demand(isDecimal(text), what + " is no u128");
  return u128.parse(text);
}

export function argU256(index: i32, what: string): u256 {
  const text = argString(index);
  demand(isDecimal(text), what + " is no u256");
  return u256.parse(text);
}

function isHex(text: string): bool {
  return (text.length & 1) == 0 && isLowerHex(text);
}

function isDecimal(text: string): bool {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) < 0x30 || text.charCodeAt(at) > 0x39) return false;
  return text.length > 0;
}

export function returnWritten(writer: JsonWriter): void {
  const bytes = writer.toBytes();
  envRet(changetype<usize>(bytes), bytes.byteLength);
}

/** Text of an indexed value. */
export function indexed(text: string): string {
  demand(String.UTF8.byteLength(text) <= MAX_INDEXED_BYTES, "an indexed value has more than 96 bytes");
  return text;
}
