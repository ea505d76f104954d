// Deterministic CBOR (RFC 8949 §4.2) for everything that nodes hash or send each other. Decoding accepts nothing else.
import { decode, decodeFirst, encode, rfc8949EncodeOptions } from "cborg";
import { concatBytes, equalBytes } from "#shared/util/bytes.ts";

/** Values that the protocol encodes: integers are safe integers, keys of maps are texts. */
export type CborValue = null | boolean | number | string | Uint8Array | readonly CborValue[] | { readonly [key: string]: CborValue };

/** Major type 4 in the first byte of a head. */
const ARRAY_TYPE = 0x80;

const STRICT = {
  strict: true,
  allowIndefinite: false,
  allowUndefined: false,
  allowInfinity: false,
  allowNaN: false,
  allowBigInt: false,
  rejectDuplicateMapKeys: true,
} as const;

/** Deterministic CBOR of the value. Floats, undefined, unsafe integers and texts with unpaired surrogates are refused by a TypeError. */
export function encodeCbor(value: CborValue): Uint8Array {
  assertEncodable(value);
  return encode(value, rfc8949EncodeOptions);
}

/** Deterministic CBOR of an array whose items are encoded already. */
export function encodeCborList(items: readonly Uint8Array[]): Uint8Array {
  const head = encode(items.length);
  head[0] = (head[0] ?? 0) | ARRAY_TYPE;
  return concatBytes(head, ...items);
}

/**
 * Value of deterministic CBOR bytes.
 * @throws Error when the bytes are malformed, not in deterministic form, or hold a float, a tag or an unsafe integer.
 */
export function decodeCbor(bytes: Uint8Array): CborValue {
  const value = readCbor(bytes);
  if (!equalBytes(encodeCbor(value), bytes)) throw new TypeError("The CBOR is not in deterministic form");
  return value;
}

/**
 * Value of CBOR bytes in any form, for those who encode what they made of it and compare that with the bytes: doing it here too would be
 * done twice.
 * @throws Error when the bytes are malformed.
 */
export function readCbor(bytes: Uint8Array): CborValue {
  return decode(bytes, STRICT) as CborValue;
}

/** The first value of the bytes, in any form, and how many bytes follow it. @throws Error when they do not begin with a whole one. */
export function readFirstCbor(bytes: Uint8Array): { readonly value: CborValue; readonly rest: number } {
  const [value, rest] = decodeFirst(bytes, STRICT);
  return { value: value as CborValue, rest: rest.length };
}

/** The first item of an array, of the front of its bytes; the rest may be cut off. @throws Error when the bytes do not hold it whole. */
export function readFirstOfShortList(front: Uint8Array): CborValue {
  // The head of a list of fewer than 24 items is one byte.
  return readFirstCbor(front.subarray(1)).value;
}

function assertEncodable(value: CborValue): void {
  if (value === null || typeof value === "boolean" || value instanceof Uint8Array) return;
  if (typeof value === "string") {
    if (!value.isWellFormed()) throw new TypeError("A text with an unpaired surrogate cannot be encoded");
    return;
  }
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) throw new TypeError(`${value} is not a safe integer`);
    return;
  }
  if (typeof value !== "object") throw new TypeError(`A ${typeof value} cannot be encoded`);
  for (const item of Array.isArray(value) ? value : Object.values(value)) assertEncodable(item);
}
