// Reads the binary format of WebAssembly: bytes, LEB128 integers, names.
import { isUtf8 } from "node:buffer";
import { fromUtf8 } from "#shared/util/bytes.ts";
import { InvalidModule } from "./invalid-module.ts";
import { MODULE_LIMITS } from "./module-limits.ts";

/** A position in the bytes of a module. */
export class ByteReader {
  readonly bytes: Uint8Array;
  /** First byte that is not to be read. */
  readonly end: number;
  at: number;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  get isAtEnd(): boolean {
    return this.at === this.end;
  }

  u8(): number {
    if (this.at >= this.end) throw malformed("it ends too early");
    const byte = this.bytes[this.at] ?? 0;
    this.at += 1;
    return byte;
  }

  /** Unsigned LEB128 of at most 32 bits. */
  u32(): number {
    let result = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.u8();
      if (shift === 28 && byte > 0x0f) throw malformed("an integer has more than 32 bits");
      result += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return result;
    }
    throw malformed("an integer is too long");
  }

  /** Signed LEB128 of at most 32 bits. */
  i32(): number {
    return Number(this.#signed(32));
  }

  /** Signed LEB128 of at most 64 bits. */
  i64(): bigint {
    return this.#signed(64);
  }

  /** Passes a signed integer without computing its value. */
  skipSigned(bits: 32 | 64): void {
    const last = bits === 32 ? 4 : 9;
    for (let index = 0; index <= last; index += 1) {
      const byte = this.u8();
      if (index === last && !isSignOf(byte, bits)) throw malformed(`an integer has more than ${bits} bits`);
      if (byte < 0x80) return;
    }
  }

  /** A number of items, at most so many. */
  count(most: number, what: string): number {
    const count = this.u32();
    if (count > most) throw new InvalidModule("limit", `it has ${count} ${what}, and ${most} are allowed`);
    return count;
  }

  /** A part of the given length, passed over. */
  part(length: number): ByteReader {
    const start = this.at;
    if (length > this.end - start) throw malformed("a part is longer than what is left");
    this.at = start + length;
    return new ByteReader(this.bytes, start, this.at);
  }

  name(): string {
    const length = this.count(MODULE_LIMITS.nameBytes, "bytes in a name");
    const part = this.part(length);
    const bytes = this.bytes.subarray(part.at, part.end);
    if (!isUtf8(bytes)) throw malformed("a name is not UTF-8");
    return fromUtf8(bytes);
  }

  #signed(bits: 32 | 64): bigint {
    const start = this.at;
    this.skipSigned(bits);
    let result = 0n;
    for (let at = start; at < this.at; at += 1) result |= BigInt((this.bytes[at] ?? 0) & 0x7f) << BigInt((at - start) * 7);
    return BigInt.asIntN(Math.min((this.at - start) * 7, bits), result);
  }
}

/** True when the last possible byte of an integer repeats its sign in the bits that do not count. */
function isSignOf(byte: number, bits: 32 | 64): boolean {
  const unused = bits === 32 ? 0x78 : 0x7f;
  return (byte & 0x80) === 0 && ((byte & unused) === 0 || (byte & unused) === unused);
}

/** The bytes are not those of a module. */
export function malformed(message: string): InvalidModule {
  return new InvalidModule("malformed", message);
}
