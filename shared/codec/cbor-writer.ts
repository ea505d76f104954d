// Writes deterministic CBOR (RFC 8949 §4.2) item by item into one growing buffer.
import { fromBase64, utf8, utf8Length, writeHex } from "#shared/util/bytes.ts";
import { CBOR_ARRAY, CBOR_BYTES, CBOR_FALSE, CBOR_MAP, CBOR_NEGATIVE, CBOR_NULL, CBOR_NUMBER, CBOR_TEXT, CBOR_TRUE } from "./cbor-types.ts";

const FIRST_BYTES = 1_024;
/** Buffers larger than this are not used again. */
const MAX_REUSED_BYTES = 65_536;
const MAX_HEAD_BYTES = 9;
const WORD = 0x1_0000_0000;

const idle: CborWriter[] = [];

/** A buffer that items are appended to. Everything throws at a value that has no deterministic form. */
export class CborWriter {
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;

  /** The bytes that `write` wrote to a writer. Writers are used again, and hold nothing in between. */
  static encode(write: (writer: CborWriter) => void): Uint8Array {
    const writer = idle.pop() ?? new CborWriter();
    try {
      write(writer);
      return writer.#bytes.slice(0, writer.#length);
    } finally {
      writer.#recycle();
    }
  }

  /** The head of an array of so many items, which follow. */
  array(count: number): void {
    this.#head(CBOR_ARRAY, count);
  }

  /** The head of a map of so many entries; keys and values follow, in ascending order of the encoded keys. */
  map(count: number): void {
    this.#head(CBOR_MAP, count);
  }

  null(): void {
    this.#byte(CBOR_NULL);
  }

  boolean(value: boolean): void {
    this.#byte(value ? CBOR_TRUE : CBOR_FALSE);
  }

  /** @throws TypeError for anything but a safe integer. */
  integer(value: number): void {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) throw new TypeError(`${value} is not a safe integer`);
    if (value < 0) this.#head(CBOR_NEGATIVE, -1 - value);
    else this.#head(CBOR_NUMBER, value);
  }

  bytes(value: Uint8Array): void {
    this.#head(CBOR_BYTES, value.length);
    this.encoded(value);
  }

  /** The bytes that a hex text stands for. @throws RangeError when it is none. */
  hex(text: string): void {
    const length = text.length / 2;
    if (!Number.isInteger(length)) throw new RangeError(`Hex of ${text.length} characters: expected an even number`);
    this.#head(CBOR_BYTES, length);
    this.#reserve(length);
    writeHex(text, this.#bytes, this.#length);
    this.#length += length;
  }

  /** The bytes that a canonical, padded base64 text stands for. @throws RangeError when it is none. */
  base64(text: string): void {
    this.bytes(fromBase64(text));
  }

  /** @throws TypeError for a text with an unpaired surrogate, RangeError for one whose UTF-8 is out of bounds. */
  text(value: string, min = 0, max = Number.POSITIVE_INFINITY): void {
    const length = utf8Length(value);
    if (length < min || length > max) throw new RangeError(`A text has ${min} to ${max} bytes, not ${length}`);
    if (length !== value.length && !value.isWellFormed()) throw new TypeError("A text with an unpaired surrogate cannot be encoded");
    this.#head(CBOR_TEXT, length);
    if (length === value.length) this.#ascii(value);
    else this.encoded(utf8(value));
  }

  /** Items that are encoded already. */
  encoded(items: Uint8Array): void {
    this.#reserve(items.length);
    this.#bytes.set(items, this.#length);
    this.#length += items.length;
  }

  #ascii(text: string): void {
    this.#reserve(text.length);
    for (let i = 0; i < text.length; i += 1) this.#bytes[this.#length + i] = text.charCodeAt(i);
    this.#length += text.length;
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length] = value;
    this.#length += 1;
  }

  #head(type: number, value: number): void {
    this.#reserve(MAX_HEAD_BYTES);
    const first = type << 5;
    if (value < 24) this.#bytes[this.#length++] = first | value;
    else if (value < 0x100) this.#number(first | 24, value, 1);
    else if (value < 0x1_0000) this.#number(first | 25, value, 2);
    else if (value < WORD) this.#number(first | 26, value, 4);
    else {
      this.#number(first | 27, Math.floor(value / WORD), 4);
      this.#number(undefined, value % WORD, 4);
    }
  }

  /** A first byte, if any, and a number of so many bytes. */
  #number(first: number | undefined, value: number, size: number): void {
    const bytes = this.#bytes;
    if (first !== undefined) bytes[this.#length++] = first;
    for (let shift = (size - 1) * 8; shift >= 0; shift -= 8) bytes[this.#length++] = value >>> shift;
  }

  #reserve(length: number): void {
    const needed = this.#length + length;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes.fill(0, 0, this.#length);
    this.#bytes = larger;
  }

  /** What was written may be secret. */
  #recycle(): void {
    this.#bytes.fill(0, 0, this.#length);
    this.#length = 0;
    if (this.#bytes.length <= MAX_REUSED_BYTES) idle.push(this);
  }
}
