// Deterministic CBOR (RFC 8949 §4.2) for everything that nodes hash or send each other. Decoding accepts nothing else.
// Written by hand because every transaction passes it many times: the size first, then one buffer filled in one go.
import { compareBytes, fromUtf8, utf8, utf8Length } from "#shared/util/bytes.ts";

/** Values that the protocol encodes: integers are safe integers, keys of maps are texts. */
export type CborValue = null | boolean | number | string | Uint8Array | readonly CborValue[] | { readonly [key: string]: CborValue };

const UNSIGNED = 0;
const NEGATIVE = 1;
const BYTES = 2;
const TEXT = 3;
const LIST = 4;
const MAP = 5;
const SIMPLE = 7;
const FALSE = 20;
const TRUE = 21;
const NULL = 22;
const TWO_32 = 2 ** 32;

/** Deterministic CBOR of the value. Floats, undefined and unsafe integers are refused by a TypeError. */
export function encodeCbor(value: CborValue): Uint8Array {
  const out = new Uint8Array(sizeOf(value));
  write(out, 0, value);
  return out;
}

/** Deterministic CBOR of a list whose items are encoded already. */
export function encodeCborList(items: readonly Uint8Array[]): Uint8Array {
  let offset = headSize(items.length);
  const out = new Uint8Array(items.reduce((size, item) => size + item.length, offset));
  writeHead(out, 0, LIST, items.length);
  for (const item of items) {
    out.set(item, offset);
    offset += item.length;
  }
  return out;
}

/**
 * Value of deterministic CBOR bytes.
 * @throws Error when the bytes are malformed, not in deterministic form, or hold a float, a tag or an unsafe integer.
 */
export function decodeCbor(bytes: Uint8Array): CborValue {
  const reader = new Reader(bytes);
  const value = reader.value();
  reader.end();
  return value;
}

function sizeOf(value: CborValue): number {
  if (typeof value === "string") return withHead(utf8Length(value));
  if (typeof value === "number") return headSize(argumentOf(value));
  if (value === null || typeof value === "boolean") return 1;
  if (value instanceof Uint8Array) return withHead(value.length);
  if (typeof value !== "object") throw new TypeError(`A ${typeof value} cannot be encoded`);
  if (isList(value)) {
    let size = headSize(value.length);
    for (const item of value) size += sizeOf(item);
    return size;
  }
  const entries = Object.entries(value);
  return entries.reduce((size, [key, item]) => size + withHead(utf8Length(key)) + sizeOf(item), headSize(entries.length));
}

/** Writes the value at the offset and gives the offset after it. */
function write(out: Uint8Array, offset: number, value: CborValue): number {
  if (typeof value === "string") return writeText(out, offset, value);
  if (typeof value === "number") return writeHead(out, offset, value < 0 ? NEGATIVE : UNSIGNED, argumentOf(value));
  if (value === null) return writeHead(out, offset, SIMPLE, NULL);
  if (typeof value === "boolean") return writeHead(out, offset, SIMPLE, value ? TRUE : FALSE);
  if (value instanceof Uint8Array) {
    const start = writeHead(out, offset, BYTES, value.length);
    out.set(value, start);
    return start + value.length;
  }
  if (!isList(value)) return writeMap(out, offset, value);
  let at = writeHead(out, offset, LIST, value.length);
  for (const item of value) at = write(out, at, item);
  return at;
}

function writeText(out: Uint8Array, offset: number, text: string): number {
  const length = utf8Length(text);
  const start = writeHead(out, offset, TEXT, length);
  if (length === text.length) for (let i = 0; i < length; i += 1) out[start + i] = text.charCodeAt(i);
  else out.set(utf8(text), start);
  return start + length;
}

/** Keys in the order of their encoded bytes. */
function writeMap(out: Uint8Array, offset: number, map: { readonly [key: string]: CborValue }): number {
  const entries = Object.entries(map).map(([key, item]) => ({ key: encodeCbor(key), item }));
  entries.sort((a, b) => compareBytes(a.key, b.key));
  let at = writeHead(out, offset, MAP, entries.length);
  for (const { key, item } of entries) {
    out.set(key, at);
    at = write(out, at + key.length, item);
  }
  return at;
}

function writeHead(out: Uint8Array, offset: number, major: number, argument: number): number {
  const type = major << 5;
  const size = headSize(argument);
  if (size === 1) {
    out[offset] = type | argument;
    return offset + 1;
  }
  out[offset] = type | (size === 2 ? 24 : size === 3 ? 25 : size === 5 ? 26 : 27);
  let rest = argument;
  for (let at = offset + size - 1; at > offset; at -= 1) {
    out[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return offset + size;
}

function headSize(argument: number): number {
  if (argument < 24) return 1;
  if (argument < 0x100) return 2;
  if (argument < 0x10000) return 3;
  return argument < TWO_32 ? 5 : 9;
}

function withHead(length: number): number {
  return headSize(length) + length;
}

function argumentOf(value: number): number {
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) throw new TypeError(`${value} is not a safe integer`);
  return value < 0 ? -1 - value : value;
}

function isList(value: CborValue): value is readonly CborValue[] {
  return Array.isArray(value);
}

/** Reads one value after the other and refuses every form but the deterministic one. */
class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  value(): CborValue {
    const first = this.#byte();
    const major = first >> 5;
    if (major === SIMPLE) return simpleValue(first & 31);
    const argument = this.#argument(first & 31);
    switch (major) {
      case UNSIGNED:
        return argument;
      case NEGATIVE:
        return negative(argument);
      case BYTES:
        return new Uint8Array(this.#take(argument));
      case TEXT:
        return fromUtf8(this.#take(argument));
      case LIST:
        return this.#list(argument);
      case MAP:
        return this.#map(argument);
      default:
        throw new TypeError("The CBOR holds a tag");
    }
  }

  /** @throws TypeError when bytes are left. */
  end(): void {
    if (this.#at !== this.#bytes.length) throw new TypeError("Bytes follow the CBOR value");
  }

  #list(length: number): CborValue[] {
    const items: CborValue[] = [];
    for (let i = 0; i < length; i += 1) items.push(this.value());
    return items;
  }

  #map(length: number): { [key: string]: CborValue } {
    const map: { [key: string]: CborValue } = {};
    let previous: Uint8Array | undefined;
    for (let i = 0; i < length; i += 1) {
      const start = this.#at;
      const key = this.value();
      const encodedKey = this.#bytes.subarray(start, this.#at);
      if (typeof key !== "string") throw new TypeError("A key of a CBOR map is no text");
      if (previous !== undefined && compareBytes(previous, encodedKey) >= 0) throw new TypeError("The keys of a CBOR map are out of order");
      previous = encodedKey;
      // A plain assignment would take a key named __proto__ for the object's prototype.
      Object.defineProperty(map, key, { value: this.value(), writable: true, enumerable: true, configurable: true });
    }
    return map;
  }

  #argument(info: number): number {
    if (info < 24) return info;
    if (info > 27) throw new TypeError("The CBOR has a length of no known form");
    const size = 1 << (info - 24);
    let argument = 0;
    for (let i = 0; i < size; i += 1) argument = argument * 256 + this.#byte();
    if (!Number.isSafeInteger(argument)) throw new TypeError("The CBOR holds an unsafe integer");
    if (headSize(argument) !== size + 1) throw new TypeError("The CBOR is not in deterministic form");
    return argument;
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new TypeError("The CBOR ends too early");
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new TypeError("The CBOR ends too early");
    this.#at += 1;
    return byte;
  }
}

function simpleValue(info: number): CborValue {
  if (info === NULL) return null;
  if (info === TRUE || info === FALSE) return info === TRUE;
  throw new TypeError("The CBOR holds a float or another simple value");
}

function negative(argument: number): number {
  const value = -1 - argument;
  if (!Number.isSafeInteger(value)) throw new TypeError("The CBOR holds an unsafe integer");
  return value;
}
