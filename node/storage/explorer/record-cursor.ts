// Fields of a stored record in their order, by the runtime's own conversions: lists read tens of them, and the reader of what others send
// checks far more than a node's own tables need. What is cut off or of another kind throws.
import { CBOR_ARRAY, CBOR_BYTES, CBOR_FALSE, CBOR_NUMBER, CBOR_TEXT, CBOR_TRUE } from "#shared/codec/cbor-types.ts";

const TYPE_SHIFT = 5;
const LENGTH_MASK = 31;
/** First of the four values that say in how many bytes the number is. */
const LONG = 24;
const MAX_POWER = 3;

/** A position in a record. */
export class RecordCursor {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(record: Uint8Array) {
    this.#bytes = Buffer.from(record.buffer, record.byteOffset, record.length);
  }

  /** Number of items of the list that comes next. */
  array(): number {
    return this.#head(CBOR_ARRAY);
  }

  integer(): number {
    return this.#head(CBOR_NUMBER);
  }

  boolean(): boolean {
    const byte = this.#bytes[this.#at];
    if (byte !== CBOR_TRUE && byte !== CBOR_FALSE) throw damaged();
    this.#at += 1;
    return byte === CBOR_TRUE;
  }

  /** A text of ASCII characters alone. */
  ascii(): string {
    return this.#string(CBOR_TEXT, "latin1");
  }

  text(): string {
    return this.#string(CBOR_TEXT, "utf8");
  }

  hex(): string {
    return this.#string(CBOR_BYTES, "hex");
  }

  base64(): string {
    return this.#string(CBOR_BYTES, "base64");
  }

  /** Passes over a byte string. */
  skipBytes(): void {
    this.#at = this.#end(CBOR_BYTES);
  }

  #string(type: number, encoding: "latin1" | "utf8" | "hex" | "base64"): string {
    const end = this.#end(type);
    const text = this.#bytes.toString(encoding, this.#at, end);
    this.#at = end;
    return text;
  }

  #end(type: number): number {
    const length = this.#head(type);
    const end = this.#at + length;
    if (end > this.#bytes.length) throw damaged();
    return end;
  }

  #head(type: number): number {
    const first = this.#bytes[this.#at];
    if (first === undefined || first >> TYPE_SHIFT !== type) throw damaged();
    this.#at += 1;
    const short = first & LENGTH_MASK;
    return short < LONG ? short : this.#long(short - LONG);
  }

  #long(power: number): number {
    const end = this.#at + (1 << power);
    if (power > MAX_POWER || end > this.#bytes.length) throw damaged();
    let value = 0;
    for (; this.#at < end; this.#at += 1) value = value * 256 + (this.#bytes[this.#at] as number);
    return value;
  }
}

function damaged(): TypeError {
  return new TypeError("A stored record is cut off or has another form");
}
