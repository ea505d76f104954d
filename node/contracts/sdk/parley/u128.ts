// Unsigned integers of 128 bits. Every operation that would overflow ends the call.

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import { revert } from "../parley";
import {
  wideAdd, wideCompare, wideDivide, wideFromBytes, wideIsZero, wideMul, wideParse, wideShiftLeft, wideShiftRight, wideSub, wideToBytes,
  wideToString,
} from "./wide";

const WORDS: i32 = 4;

@inline
function at(value: u128): usize {
  return changetype<usize>(value);
}

/** An unsigned integer of 128 bits; it never changes. */
@final
export class u128 {
  private low: u64 = 0;
  private high: u64 = 0;

  /** Of a 64-bit integer. */
  static from(integer: u64): u128 {
    const value = new u128();
    store<u64>(at(value), integer);
    return value;
  }

  /** Of decimal digits; anything else ends the call. */
  static parse(text: string): u128 {
    const value = new u128();
    if (!wideParse(at(value), text, WORDS)) revert("a text is no u128: " + text.slice(0, 90));
    return value;
  }

  /** Of big-endian bytes. */
  static fromBytes(bytes: ArrayBuffer): u128 {
    const value = new u128();
    wideFromBytes(at(value), bytes, WORDS);
    return value;
  }

  static get zero(): u128 {
    return new u128();
  }

  /** The largest one. */
  static get max(): u128 {
    const value = new u128();
    memory.fill(at(value), 0xff, WORDS << 2);
    return value;
  }

  get isZero(): bool {
    return wideIsZero(at(this), WORDS);
  }

  /** As a 64-bit integer; one that does not fit ends the call. */
  toU64(): u64 {
    if (!wideIsZero(at(this) + 8, WORDS - 2)) revert("an integer overflows");
    return load<u64>(at(this));
  }

  toString(): string {
    return wideToString(at(this), WORDS);
  }

  /** Big-endian bytes. */
  toBytes(): ArrayBuffer {
    return wideToBytes(at(this), WORDS);
  }

  @operator("+")
  private static add(a: u128, b: u128): u128 {
    const value = new u128();
    if (wideAdd(at(value), at(a), at(b), WORDS)) revert("an integer overflows");
    return value;
  }

  @operator("-")
  private static sub(a: u128, b: u128): u128 {
    const value = new u128();
    if (wideSub(at(value), at(a), at(b), WORDS)) revert("an integer overflows");
    return value;
  }

  @operator("*")
  private static mul(a: u128, b: u128): u128 {
    const value = new u128();
    if (wideMul(at(value), at(a), at(b), WORDS)) revert("an integer overflows");
    return value;
  }

  @operator("/")
  private static div(a: u128, b: u128): u128 {
    const value = new u128();
    wideDivide(at(value), at(new u128()), at(a), at(b), WORDS);
    return value;
  }

  @operator("%")
  private static rem(a: u128, b: u128): u128 {
    const value = new u128();
    wideDivide(at(new u128()), at(value), at(a), at(b), WORDS);
    return value;
  }

  /** Bits that are shifted out are lost. */
  @operator("<<")
  private static shl(a: u128, bits: i32): u128 {
    const value = new u128();
    if (bits >= 0 && bits < WORDS << 5) wideShiftLeft(at(value), at(a), bits, WORDS);
    return value;
  }

  @operator(">>")
  private static shr(a: u128, bits: i32): u128 {
    const value = new u128();
    if (bits >= 0 && bits < WORDS << 5) wideShiftRight(at(value), at(a), bits, WORDS);
    return value;
  }

  @operator("==")
  private static eq(a: u128, b: u128): bool {
    return wideCompare(at(a), at(b), WORDS) == 0;
  }

  @operator("!=")
  private static ne(a: u128, b: u128): bool {
    return wideCompare(at(a), at(b), WORDS) != 0;
  }

  @operator("<")
  private static lt(a: u128, b: u128): bool {
    return wideCompare(at(a), at(b), WORDS) < 0;
  }

  @operator("<=")
  private static le(a: u128, b: u128): bool {
    return wideCompare(at(a), at(b), WORDS) <= 0;
  }

  @operator(">")
  private static gt(a: u128, b: u128): bool {
    return wideCompare(at(a), at(b), WORDS) > 0;
  }

  @operator(">=")
  private static ge(a: u128, b: u128): bool {
    return wideCompare(at(a), at(b), WORDS) >= 0;
  }

  /** As storage keeps it. */
  storeBytes(): ArrayBuffer {
    return this.toBytes();
  }

  /** Of what storage kept; needs no object. */
  loadBytes(bytes: ArrayBuffer): u128 {
    return u128.fromBytes(bytes);
  }
}
