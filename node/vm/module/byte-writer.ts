// Writes the binary format of WebAssembly.
import { utf8 } from "#shared/util/bytes.ts";

/** A growing list of bytes. */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** What was written; shares its memory with the writer. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  u8(...values: readonly number[]): this {
    this.#reserve(values.length);
    for (const value of values) {
      this.#bytes[this.#length] = value;
      this.#length += 1;
    }
    return this;
  }

  raw(bytes: Uint8Array): this {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  /** Unsigned LEB128. */
  u32(value: number): this {
    let rest = value;
    while (rest >= 0x80) {
      this.u8((rest & 0x7f) | 0x80);
      rest = Math.floor(rest / 128);
    }
    return this.u8(rest);
  }

  /** Signed LEB128 of an integer of at most 64 bits. */
  signed(value: number | bigint): this {
    let rest = BigInt(value);
    for (;;) {
      const byte = Number(rest & 0x7fn);
      rest >>= 7n;
      const isLast = (rest === 0n && byte < 0x40) || (rest === -1n && byte >= 0x40);
      this.u8(isLast ? byte : byte | 0x80);
      if (isLast) return this;
    }
  }

  name(text: string): this {
    const bytes = utf8(text);
    return this.u32(bytes.length).raw(bytes);
  }

  /** The other writer's bytes behind their length. */
  sized(part: ByteWriter): this {
    return this.u32(part.length).raw(part.written());
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.written());
    this.#bytes = grown;
  }
}
