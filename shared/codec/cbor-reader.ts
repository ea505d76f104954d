// Reads deterministic CBOR (RFC 8949 §4.2) item by item, straight from the bytes: nothing is built for what is not asked for.
import { hexOfRange, latin1OfRange, toBase64 } from "#shared/util/bytes.ts";
import { CBOR_ARRAY, CBOR_BYTES, CBOR_FALSE, CBOR_MAP, CBOR_NEGATIVE, CBOR_NULL, CBOR_NUMBER, CBOR_TEXT, CBOR_TRUE } from "./cbor-types.ts";

/** Bounds of items that are passed over, which may nest. */
export interface ShapeLimits {
  /** Lists and maps, not empty, inside each other. */
  readonly maxDepth: number;
  readonly maxItems: number;
}

/** Nothing is built for what is passed over, so its items need no bound but the bytes; a level is a call. */
const DEFAULT_LIMITS: ShapeLimits = { maxDepth: 64, maxItems: Number.POSITIVE_INFINITY };
const LENGTH_BITS = 5;
const LENGTH_MASK = 31;
/** First value of the lower bits that says that the number is in the bytes behind. */
const LONG = 24;
/** Smallest numbers that need 1, 2, 4 and 8 bytes. */
const LEAST = [24, 0x100, 0x1_0000, 0x1_0000_0000] as const;

/** Texts of ASCII up to this length are read without the decoder, which costs more than they do. */
const SHORT_TEXT_BYTES = 128;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A position in encoded bytes that advances as they are read. Every method throws at an item of another kind or form, or cut off. */
export class CborReader {
  readonly #bytes: Uint8Array;
  readonly #limits: ShapeLimits;
  #at = 0;
  #passed = 0;

  /** `limits` bound what {@link CborReader.skip} passes over. */
  constructor(bytes: Uint8Array, limits: ShapeLimits = DEFAULT_LIMITS) {
    // A subclass, which databases and sockets give, copies on no slice.
    this.#bytes = bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#limits = limits;
  }

  /** Where the next item begins. */
  get at(): number {
    return this.#at;
  }

  /** True when nothing is left. */
  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** Moves to another position. */
  goTo(at: number): void {
    this.#at = at;
  }

  /** The bytes from a position to the next item, without a copy. */
  since(start: number): Uint8Array {
    return this.#bytes.subarray(start, this.#at);
  }

  /** Passes these bytes when they come next; false, and no move, when others do. */
  pass(encoded: Uint8Array): boolean {
    const end = this.#at + encoded.length;
    if (end > this.#bytes.length) return false;
    for (let i = 0; i < encoded.length; i += 1) if (encoded[i] !== this.#bytes[this.#at + i]) return false;
    this.#at = end;
    return true;
  }

  /** Number of items of a list, of which each takes at least a byte. */
  array(): number {
    return this.#count(this.#head(CBOR_ARRAY));
  }

  /** Number of entries of a map. */
  map(): number {
    return this.#count(this.#head(CBOR_MAP));
  }

  /** Passes a null; false, and no move, when the next item is another. */
  null(): boolean {
    if (this.#bytes[this.#at] !== CBOR_NULL) return false;
    this.#at += 1;
    return true;
  }

  boolean(): boolean {
    const byte = this.#bytes[this.#at];
    if (byte !== CBOR_TRUE && byte !== CBOR_FALSE) throw wrongForm();
    this.#at += 1;
    return byte === CBOR_TRUE;
  }

  /** A safe integer. */
  integer(): number {
    if ((this.#bytes[this.#at] ?? 0) >> LENGTH_BITS !== CBOR_NEGATIVE) return this.#head(CBOR_NUMBER);
    const value = -1 - this.#head(CBOR_NEGATIVE);
    if (!Number.isSafeInteger(value)) throw wrongForm();
    return value;
  }

  /** A byte string of a length in a range, without a copy. */
  view(min: number, max: number): Uint8Array {
    const end = this.#end(CBOR_BYTES, min, max);
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }

  /** A byte string of a length in a range. */
  bytes(min: number, max: number): Uint8Array {
    const end = this.#end(CBOR_BYTES, min, max);
    const bytes = this.#bytes.slice(this.#at, end);
    this.#at = end;
    return bytes;
  }

  /** Lower-case hex of a byte string of a length in a range. */
  hex(min: number, max: number): string {
    const end = this.#end(CBOR_BYTES, min, max);
    const text = hexOfRange(this.#bytes, this.#at, end);
    this.#at = end;
    return text;
  }

  /** Base64 of a byte string of a length in a range. */
  base64(min: number, max: number): string {
    return toBase64(this.view(min, max));
  }

  /** A text whose UTF-8 has a length in a range. */
  text(min: number, max: number): string {
    const end = this.#end(CBOR_TEXT, min, max);
    const isShort = end - this.#at <= SHORT_TEXT_BYTES && this.#isAscii(end);
    const text = isShort ? latin1OfRange(this.#bytes, this.#at, end) : decoder.decode(this.#bytes.subarray(this.#at, end));
    this.#at = end;
    return text;
  }

  /** A text of ASCII characters. */
  ascii(max: number): string {
    const end = this.#end(CBOR_TEXT, 0, max);
    if (!this.#isAscii(end)) throw wrongForm();
    const text = latin1OfRange(this.#bytes, this.#at, end);
    this.#at = end;
    return text;
  }

  /** Passes over an item of any kind, checking its form and the limits, and builds nothing. */
  skip(depth = 0): void {
    this.#passed += 1;
    if (this.#passed > this.#limits.maxItems) throw wrongForm();
    const first = this.#bytes[this.#at] ?? 0;
    switch (first >> LENGTH_BITS) {
      case CBOR_NUMBER:
      case CBOR_NEGATIVE:
        this.integer();
        return;
      case CBOR_BYTES:
        this.#at = this.#end(CBOR_BYTES, 0, Number.POSITIVE_INFINITY);
        return;
      case CBOR_TEXT:
        this.#skipText();
        return;
      case CBOR_ARRAY:
        this.#skipItems(this.array(), depth);
        return;
      case CBOR_MAP:
        this.#skipEntries(this.map(), depth);
        return;
      default:
        if (first === CBOR_NULL) this.null();
        else this.boolean();
    }
  }

  /** The key of the next entry of a map; `previous` is where the key before began, whose encoding must be smaller. */
  key(previous: number | undefined): string {
    const start = this.#at;
    const key = this.text(0, Number.POSITIVE_INFINITY);
    if (previous !== undefined) this.#assertAscending(previous, start);
    return key;
  }

  #skipText(): void {
    const end = this.#end(CBOR_TEXT, 0, Number.POSITIVE_INFINITY);
    if (!this.#isAscii(end)) decoder.decode(this.#bytes.subarray(this.#at, end));
    this.#at = end;
  }

  #skipItems(count: number, depth: number): void {
    if (count > 0 && depth >= this.#limits.maxDepth) throw wrongForm();
    for (let i = 0; i < count; i += 1) this.skip(depth + 1);
  }

  #skipEntries(count: number, depth: number): void {
    if (count > 0 && depth >= this.#limits.maxDepth) throw wrongForm();
    let previous: number | undefined;
    for (let i = 0; i < count; i += 1) {
      const start = this.#at;
      this.#passed += 1;
      this.#skipText();
      if (previous !== undefined) this.#assertAscending(previous, start);
      previous = start;
      this.skip(depth + 1);
    }
  }

  /** Encoded texts are ordered like their heads and bytes: the end of the first of two is never reached, for the lengths come first. */
  #assertAscending(previous: number, start: number): void {
    for (let i = start; i < this.#at; i += 1) {
      const difference = (this.#bytes[i] as number) - (this.#bytes[previous + i - start] as number);
      if (difference > 0) return;
      if (difference < 0) throw wrongForm();
    }
    throw wrongForm();
  }

  #isAscii(end: number): boolean {
    let all = 0;
    for (let i = this.#at; i < end; i += 1) all |= this.#bytes[i] as number;
    return all < 0x80;
  }

  #count(count: number): number {
    if (count > this.#bytes.length - this.#at) throw wrongForm();
    return count;
  }

  /** Where a string ends whose head comes next and whose length is in a range. */
  #end(type: number, min: number, max: number): number {
    const length = this.#head(type);
    const end = this.#at + length;
    if (length < min || length > max || end > this.#bytes.length) throw wrongForm();
    return end;
  }

  /** The number in the head of the next item, which is of this type: itself, a length or a count. */
  #head(type: number): number {
    const first = this.#bytes[this.#at];
    if (first === undefined || first >> LENGTH_BITS !== type) throw wrongForm();
    this.#at += 1;
    const short = first & LENGTH_MASK;
    return short < LONG ? short : this.#long(short - LONG);
  }

  #long(power: number): number {
    const least = LEAST[power];
    const size = 1 << power;
    if (least === undefined || this.#at + size > this.#bytes.length) throw wrongForm();
    let value = 0;
    for (let i = 0; i < size; i += 1) value = value * 256 + (this.#bytes[this.#at + i] as number);
    if (value < least || !Number.isSafeInteger(value)) throw wrongForm();
    this.#at += size;
    return value;
  }
}

function wrongForm(): TypeError {
  return new TypeError("The CBOR is cut off, out of bounds, of another kind or not in deterministic form");
}
