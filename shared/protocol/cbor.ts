// Deterministic CBOR (RFC 8949 §4.2) for everything that nodes hash or send each other. Decoding accepts nothing else.
import { decode, encode, rfc8949EncodeOptions } from "cborg";
import { concatBytes, equalBytes } from "#shared/util/bytes.ts";

/** Values that the protocol encodes: integers are safe integers, keys of maps are texts. */
export type CborValue = null | boolean | number | string | Uint8Array | readonly CborValue[] | { readonly [key: string]: CborValue };

/** Major types 2, 3 and 4 in the first byte of a head. */
const BYTES_TYPE = 0x40;
const TEXT_TYPE = 0x60;
const ARRAY_TYPE = 0x80;
/** Arguments below this stand in the first byte of a head; from it on, in the bytes after it. */
const ONE_BYTE = 24;
/** Arguments up to this are written here. */
const LARGEST_USUAL = 0xffff_ffff;

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

/** What {@link encodeCborScalars} encodes. */
export type CborScalar = number | string | Uint8Array;

/**
 * The bytes of {@link encodeCbor} for a list of whole numbers, texts and byte strings, several times faster: every transaction is such a
 * list. Anything unusual is left to the general encoder.
 */
export function encodeCborScalars(items: readonly CborScalar[]): Uint8Array {
  if (items.length >= ONE_BYTE || !items.every(isUsual)) return encodeCbor(items);
  const bytes = new Uint8Array(items.reduce<number>((sum, item) => sum + scalarSize(item), 1));
  bytes[0] = ARRAY_TYPE + items.length;
  let at = 1;
  for (const item of items) at = writeScalar(bytes, at, item);
  return bytes;
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

/** A whole number of up to 32 bits, an ASCII text or a byte string. */
function isUsual(item: CborScalar): boolean {
  if (typeof item === "string") return !/[^\0-\x7f]/.test(item);
  return typeof item !== "number" || (Number.isInteger(item) && item >= 0 && item <= LARGEST_USUAL && !Object.is(item, -0));
}

/** Writes an item and gives the place after it. */
function writeScalar(bytes: Uint8Array, at: number, item: CborScalar): number {
  if (typeof item === "number") return writeHead(bytes, at, 0, item);
  const start = writeHead(bytes, at, typeof item === "string" ? TEXT_TYPE : BYTES_TYPE, item.length);
  if (typeof item === "string") for (let i = 0; i < item.length; i += 1) bytes[start + i] = item.charCodeAt(i);
  else bytes.set(item, start);
  return start + item.length;
}

function scalarSize(item: CborScalar): number {
  return typeof item === "number" ? headSize(item) : headSize(item.length) + item.length;
}

function headSize(argument: number): number {
  if (argument < ONE_BYTE) return 1;
  return argument < 0x100 ? 2 : argument < 0x1_0000 ? 3 : 5;
}

/** Writes a head and gives the place after it. */
function writeHead(bytes: Uint8Array, at: number, type: number, argument: number): number {
  const size = headSize(argument);
  if (size === 1) bytes[at] = type + argument;
  else {
    bytes[at] = type + ONE_BYTE + (size === 5 ? 2 : size - 2);
    for (let i = 1; i < size; i += 1) bytes[at + i] = argument >>> (8 * (size - 1 - i));
  }
  return at + size;
}
