// How typed storage writes keys and values. Texts stay texts and 64-bit integers 8 bytes, so that the API shows them as they are.

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import { revert } from "../parley";
import { u128 } from "./u128";
import { u256 } from "./u256";

@lazy
const HEX: string = "0123456789abcdef";

/**
 * Text of a key: texts as they are, integers as hex of a fixed length, so that the order of keys is the order of integers. Signed ones
 * are moved by half of their range.
 */
export function encodeKey<K>(key: K): string {
  if (isString<K>()) return <string>key;
  if (isBoolean<K>()) return key ? "1" : "0";
  if (isInteger<K>()) {
    const bits = <u64>sizeof<K>() * 8;
    const integer = isSigned<K>() ? <u64>key ^ (<u64>1 << (bits - 1)) : <u64>key;
    let text = "";
    for (let shift = <i32>bits - 4; shift >= 0; shift -= 4) text += HEX.charAt(<i32>(integer >> <u64>shift) & 15);
    return text;
  }
  if (idof<K>() == idof<u128>()) return hexOf(changetype<u128>(key).toBytes());
  if (idof<K>() == idof<u256>()) return hexOf(changetype<u256>(key).toBytes());
  return ERROR("keys are texts, bools, integers, u128 and u256");
}

/** The key of its text. */
export function decodeKey<K>(text: string): K {
  if (isString<K>()) return changetype<K>(text);
  if (isBoolean<K>()) return <K>(text == "1");
  if (isInteger<K>()) {
    let integer: u64 = 0;
    for (let at = 0; at < text.length; at += 1) integer = (integer << 4) | <u64>digitOf(text, at);
    return isSigned<K>() ? <K>(integer ^ (<u64>1 << (<u64>sizeof<K>() * 8 - 1))) : <K>integer;
  }
  const bytes = new ArrayBuffer(text.length >> 1);
  for (let at = 0; at < bytes.byteLength; at += 1)
    store<u8>(changetype<usize>(bytes) + at, <u8>((digitOf(text, 2 * at) << 4) | digitOf(text, 2 * at + 1)));
  if (idof<K>() == idof<u128>()) return changetype<K>(u128.fromBytes(bytes));
  if (idof<K>() == idof<u256>()) return changetype<K>(u256.fromBytes(bytes));
  return ERROR("keys are texts, bools, integers, u128 and u256");
}

/** Bytes of a value: texts in UTF-8, integers big-endian, bytes as they are, structs as JSON. */
export function encodeValue<V>(value: V): ArrayBuffer {
  if (isString<V>()) return String.UTF8.encode(<string>value);
  if (isInteger<V>()) {
    const bytes = new ArrayBuffer(<i32>sizeof<V>());
    store<V>(changetype<usize>(bytes), sizeof<V>() == 1 ? value : bswap<V>(value));
    return bytes;
  }
  if (idof<V>() == idof<ArrayBuffer>()) return changetype<ArrayBuffer>(value);
  return value.storeBytes();
}

/** The value of its bytes. */
export function decodeValue<V>(bytes: ArrayBuffer): V {
  if (isString<V>()) return changetype<V>(String.UTF8.decode(bytes));
  if (isInteger<V>()) {
    if (bytes.byteLength != <i32>sizeof<V>()) revert("a stored value has another type");
    const value = load<V>(changetype<usize>(bytes));
    return sizeof<V>() == 1 ? value : bswap<V>(value);
  }
  if (idof<V>() == idof<ArrayBuffer>()) return changetype<V>(bytes);
  // A method of the class that needs no object: type parameters have no static ones.
  return changetype<V>(0).loadBytes(bytes);
}

/** What a value is that was never set: 0, false, an empty text, no bytes, u128 and u256 zero. Of a struct there is none. */
export function missingValue<V>(what: string): V {
  if (isString<V>()) return changetype<V>("");
  if (isInteger<V>()) return <V>0;
  if (idof<V>() == idof<ArrayBuffer>()) return changetype<V>(new ArrayBuffer(0));
  if (idof<V>() == idof<u128>()) return changetype<V>(u128.zero);
  if (idof<V>() == idof<u256>()) return changetype<V>(u256.zero);
  revert(what + " has no such entry");
  return changetype<V>(0);
}

/** A key of two parts that no other two parts have: the first one's length stands before it. */
export function pairKey(first: string, second: string): string {
  return encodeKey<u16>(<u16>first.length) + first + second;
}

function hexOf(bytes: ArrayBuffer): string {
  let text = "";
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const byte = <i32>load<u8>(changetype<usize>(bytes) + at);
    text += HEX.charAt(byte >> 4) + HEX.charAt(byte & 15);
  }
  return text;
}

function digitOf(text: string, at: i32): i32 {
  const code = text.charCodeAt(at);
  return code < 0x3a ? code - 0x30 : code - 0x57;
}
