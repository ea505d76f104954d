// What the code that `contract build` adds to a typed contract is made of: arguments by their types, results, events.

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import { argString, argU64, demand, isHexKey, lowerCase, revert } from "../parley";
import { envArgLen, envArgRead, envLog, envRet } from "../parley-host";
import { JsonReader, JsonWriter } from "./json";

/** A public key of 64 hex characters or the id of a contract of 16, in lower case. */
export type Address = string;

/** The text of any JSON value without fractions. */
export type Json = string;

/** Bytes of an indexed value at most. */
const MAX_INDEXED_BYTES: i32 = 96;

/** A class with the decorator `event`; what it does is added by `contract build`. */
export interface Emitted {
  encodeEvent(): JsonWriter;
}

/** Writes an event to the log. */
export function emit<T extends Emitted>(event: T): void {
  const line = event.encodeEvent().toBytes();
  envLog(changetype<usize>(line), line.byteLength);
}

/** True for 64 hex characters (a key) or 16 (a contract), in lower case. */
export function isAddress(text: string): bool {
  if (text.length == 64) return isHexKey(text);
  return text.length == 16 && isHexKey(text + text + text + text);
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

/** Reader of an argument's JSON. */
export function argReader(index: i32, what: string): JsonReader {
  const length = envArgLen(index);
  const bytes = new ArrayBuffer(length);
  envArgRead(index, changetype<usize>(bytes), length);
  return new JsonReader(bytes, what);
}

/** Reader of a text argument, as if it stood in quotes: none of the types that use it has characters to escape. */
export function argText(index: i32, what: string): JsonReader {
  return JsonReader.of('"' + argString(index) + '"', what);
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
