// Little-endian numbers, varints and byte strings, one after the other.
import { fromUtf8, utf8 } from "#shared/util/bytes.ts";

/** Largest number of 48 bits, and one more. */
const U48_END = 2 ** 48;
const FIRST_BYTES = 512;
/** Values from which on a varint has a further byte. */
const VARINT_END = 0x80;

/** Appends values to bytes that grow. */
export class PackedWriter {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** A copy of what was written. */
  take(): Uint8Array {
    return Uint8Array.prototype.slice.call(this.#bytes, 0, this.#length);
  }

  /** What was written, until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  u8(value: number): void {
    this.#number(value, 1);
  }

  u16(value: number): void {
    this.#number(value, 2);
  }

  u32(value: number): void {
    this.#number(value, 4);
  }

  u48(value: number): void {
    this.#number(value, 6);
  }

  /** A number from 0 up to the largest safe integer: seven bits a byte, the lowest first. */
  varint(value: number): void {
    let rest = value;
    for (; rest >= VARINT_END; rest = Math.floor(rest / VARINT_END)) this.u8((rest % VARINT_END) + VARINT_END);
    this.u8(rest);
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  /** Bytes behind their length. */
  sized(value: Uint8Array): void {
    this.varint(value.length);
    this.bytes(value);
  }

  text(value: string): void {
    this.sized(utf8(value));
  }

  #number(value: number, size: number): void {
    this.#reserve(size);
    this.#bytes.writeUIntLE(value, this.#length, size);
    this.#length += size;
  }

  #reserve(length: number): void {
    const needed = this.#length + length;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** Reads what {@link PackedWriter} wrote. Everything throws a RangeError or TypeError at bytes that are cut off or of another form. */
export class PackedReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  u8(): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) throw new RangeError("The bytes are cut off");
    this.#at += 1;
    return value;
  }

  u16(): number {
    return this.#number(2);
  }

  u32(): number {
    return this.#number(4);
  }

  u48(): number {
    return this.#number(6);
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= VARINT_END) {
      const byte = this.u8();
      value += (byte % VARINT_END) * factor;
      if (!Number.isSafeInteger(value)) throw new RangeError("A number is too large");
      if (byte < VARINT_END) return value;
    }
  }

  /** So many bytes, without a copy. */
  bytes(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError("The bytes are cut off");
    const { buffer, byteOffset } = this.#bytes;
    const view = new Uint8Array(buffer, byteOffset + this.#at, length);
    this.#at = end;
    return view;
  }

  /** Lower-case hex of so many bytes. */
  hex(length: number): string {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError("The bytes are cut off");
    const text = this.#bytes.toString("hex", this.#at, end);
    this.#at = end;
    return text;
  }

  sized(): Uint8Array {
    return this.bytes(this.varint());
  }

  text(): string {
    return fromUtf8(this.sized());
  }

  /** All that is left. */
  rest(): Uint8Array {
    return this.bytes(this.#bytes.length - this.#at);
  }

  #number(size: number): number {
    const value = this.#bytes.readUIntLE(this.#at, size);
    this.#at += size;
    return value;
  }
}

/** True for what 48 bits hold. */
export function isU48(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value < U48_END;
}

/** True when these bytes come at a place of others: for scans, where a call of the runtime costs more than most comparisons. */
export function beginsWith(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let i = 0; i < wanted.length; i += 1) if (bytes[at + i] !== wanted[i]) return false;
  return true;
}
