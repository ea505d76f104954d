// Reads deterministic CBOR item by item, for what comes so often that the general decoder would cost more than all else: it makes every value
// first and takes any form, so that whoever uses it encodes the value again to see that the form was the one.
import { equalBytes, toLatin1 } from "#shared/util/bytes.ts";
import { type CborValue, encodeCbor, readFirstCbor } from "./cbor.ts";

/** Types of items by their number in the first three bits of a head. */
export const CBOR_NUMBER = 0;
export const CBOR_BYTES = 2;
export const CBOR_TEXT = 3;
export const CBOR_ARRAY = 4;

const LENGTH_BITS = 5;
const LENGTH_MASK = 31;
/** First value of the lower bits that says that the number stands in the bytes behind. */
const LONG = 24;
/** Smallest numbers that need 1, 2, 4 and 8 bytes. */
const LEAST = [24, 0x100, 0x1_0000, 0x1_0000_0000] as const;

/** A place in encoded bytes that moves on with what is read. Everything throws at an item of another kind, in another form or cut off. */
export class CborCursor {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** Where the next item begins. */
  get at(): number {
    return this.#at;
  }

  /** True when nothing is left. */
  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** Goes to another place. */
  goTo(at: number): void {
    this.#at = at;
  }

  /** The number in the head of the next item, which is of this type: itself, a length or a count. @throws TypeError on anything else. */
  head(type: number): number {
    const first = this.#bytes[this.#at];
    if (first === undefined || first >> LENGTH_BITS !== type) throw wrongForm();
    this.#at += 1;
    const short = first & LENGTH_MASK;
    return short < LONG ? short : this.#long(short - LONG);
  }

  /** The next `length` bytes, without a copy. @throws TypeError when there are fewer. */
  take(length: number): Uint8Array {
    const start = this.#at;
    if (start + length > this.#bytes.length) throw wrongForm();
    this.#at = start + length;
    return this.#bytes.subarray(start, this.#at);
  }

  /** A byte string, without a copy. */
  bytes(): Uint8Array {
    return this.take(this.head(CBOR_BYTES));
  }

  /** A text of ASCII characters. */
  ascii(): string {
    return asciiOf(this.take(this.head(CBOR_TEXT)));
  }

  /** The next item, of any kind, by the general decoder: its form is not checked. */
  value(): CborValue {
    const { value, rest } = readFirstCbor(this.#bytes.subarray(this.#at));
    this.#at = this.#bytes.length - rest;
    return value;
  }

  /** The next item, of any kind. @throws Error when it is not in deterministic form. */
  deterministicValue(): CborValue {
    const start = this.#at;
    const value = this.value();
    if (!equalBytes(encodeCbor(value), this.#bytes.subarray(start, this.#at))) throw wrongForm();
    return value;
  }

  #long(power: number): number {
    const least = LEAST[power];
    const size = 1 << power;
    if (least === undefined || this.#at + size > this.#bytes.length) throw wrongForm();
    let value = 0;
    for (let i = 0; i < size; i += 1) value = value * 256 + (this.#bytes[this.#at + i] ?? 0);
    if (value < least || !Number.isSafeInteger(value)) throw wrongForm();
    this.#at += size;
    return value;
  }
}

function asciiOf(bytes: Uint8Array): string {
  let all = 0;
  for (let i = 0; i < bytes.length; i += 1) all |= bytes[i] as number;
  if (all > 127) throw wrongForm();
  return toLatin1(bytes);
}

function wrongForm(): TypeError {
  return new TypeError("The CBOR is cut off, of another kind or not in deterministic form");
}
