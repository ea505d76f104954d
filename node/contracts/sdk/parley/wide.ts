// Arithmetic of unsigned integers of many words: 32-bit words in memory, the lowest first. u128 and u256 are made of it; contracts use
// those. Multiplication by the schoolbook, division by Knuth's algorithm D (The Art of Computer Programming, volume 2, 4.3.1).

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import { revert } from "../parley";

@inline
function word(at: usize, index: i32): u64 {
  return <u64>load<u32>(at + (<usize>index << 2));
}

@inline
function setWord(at: usize, index: i32, value: u64): void {
  store<u32>(at + (<usize>index << 2), <u32>value);
}

/** target = a + b; true when it overflows. */
export function wideAdd(target: usize, a: usize, b: usize, words: i32): bool {
  let carry: u64 = 0;
  for (let at = 0; at < words; at += 1) {
    carry += word(a, at) + word(b, at);
    setWord(target, at, carry);
    carry >>= 32;
  }
  return carry != 0;
}

/** target = a − b; true when it is below zero. */
export function wideSub(target: usize, a: usize, b: usize, words: i32): bool {
  let borrow: u64 = 0;
  for (let at = 0; at < words; at += 1) {
    const difference = word(a, at) - word(b, at) - borrow;
    setWord(target, at, difference);
    borrow = (difference >> 32) & 1;
  }
  return borrow != 0;
}

/** target = a · b, which target must not overlap; true when it overflows. */
export function wideMul(target: usize, a: usize, b: usize, words: i32): bool {
  memory.fill(target, 0, <usize>words << 2);
  let overflows = false;
  for (let i = 0; i < words; i += 1) {
    const factor = word(a, i);
    if (factor == 0) continue;
    let carry: u64 = 0;
    for (let j = 0; i + j < words; j += 1) {
      carry += factor * word(b, j) + word(target, i + j);
      setWord(target, i + j, carry);
      carry >>= 32;
    }
    if (carry != 0) overflows = true;
    for (let j = words - i; j < words && !overflows; j += 1) if (word(b, j) != 0) overflows = true;
  }
  return overflows;
}

/** −1, 0 or 1. */
export function wideCompare(a: usize, b: usize, words: i32): i32 {
  for (let at = words - 1; at >= 0; at -= 1) {
    const left = word(a, at);
    const right = word(b, at);
    if (left != right) return left < right ? -1 : 1;
  }
  return 0;
}

export function wideIsZero(a: usize, words: i32): bool {
  for (let at = 0; at < words; at += 1) if (word(a, at) != 0) return false;
  return true;
}

function usedWords(a: usize, words: i32): i32 {
  let used = words;
  while (used > 0 && word(a, used - 1) == 0) used -= 1;
  return used;
}

/** a = a / divisor in place, returns the remainder. */
function shortDivide(a: usize, words: i32, divisor: u64): u64 {
  let remainder: u64 = 0;
  for (let at = words - 1; at >= 0; at -= 1) {
    const part = (remainder << 32) | word(a, at);
    setWord(a, at, part / divisor);
    remainder = part % divisor;
  }
  return remainder;
}

/** quotient = a / b, remainder = a % b; neither overlaps a or b. Division by zero ends the call. */
export function wideDivide(quotient: usize, remainder: usize, a: usize, b: usize, words: i32): void {
  const size = <usize>words << 2;
  const n = usedWords(b, words);
  const m = usedWords(a, words);
  if (n == 0) revert("a division by zero");
  memory.fill(quotient, 0, size);
  memory.copy(remainder, a, size);
  if (m < n) return;
  if (n == 1) {
    memory.copy(quotient, a, size);
    const rest = shortDivide(quotient, words, word(b, 0));
    memory.fill(remainder, 0, size);
    setWord(remainder, 0, rest);
    return;
  }
  // Both are shifted until the divisor's highest bit is set, the dividend into one word more.
  const shift = <u64>clz<u32>(<u32>word(b, n - 1));
  const u = changetype<usize>(new ArrayBuffer((words + 1) << 2));
  const v = changetype<usize>(new ArrayBuffer(words << 2));
  shiftInto(v, b, n, shift);
  setWord(u, m, shift == 0 ? 0 : word(a, m - 1) >> (32 - shift));
  shiftInto(u, a, m, shift);
  for (let j = m - n; j >= 0; j -= 1) setWord(quotient, j, quotientDigit(u, v, j, n));
  for (let at = 0; at < words; at += 1) {
    const part = at < n ? (word(u, at) >> shift) | (shift == 0 ? 0 : word(u, at + 1) << (32 - shift)) : 0;
    setWord(remainder, at, part);
  }
}

function shiftInto(target: usize, a: usize, words: i32, shift: u64): void {
  for (let at = words - 1; at >= 0; at -= 1) {
    const low = at == 0 || shift == 0 ? 0 : word(a, at - 1) >> (32 - shift);
    setWord(target, at, (word(a, at) << shift) | low);
  }
}

/** One digit of the quotient (steps D3 to D6); takes its multiple of v from u. */
function quotientDigit(u: usize, v: usize, j: i32, n: i32): u64 {
  const base: u64 = 0x100000000;
  const high = (word(u, j + n) << 32) | word(u, j + n - 1);
  const first = word(v, n - 1);
  let digit = high / first;
  let rest = high % first;
  while (digit >= base || digit * word(v, n - 2) > ((rest << 32) | word(u, j + n - 2))) {
    digit -= 1;
    rest += first;
    if (rest >= base) break;
  }
  let borrow: u64 = 0;
  let carry: u64 = 0;
  for (let at = 0; at < n; at += 1) {
    carry += digit * word(v, at);
    const difference = word(u, at + j) - (carry & 0xffffffff) - borrow;
    setWord(u, at + j, difference);
    borrow = (difference >> 32) & 1;
    carry >>= 32;
  }
  const last = word(u, j + n) - carry - borrow;
  setWord(u, j + n, last);
  if ((last >> 32) & 1) {
    digit -= 1;
    let back: u64 = 0;
    for (let at = 0; at < n; at += 1) {
      back += word(u, at + j) + word(v, at);
      setWord(u, at + j, back);
      back >>= 32;
    }
    setWord(u, j + n, word(u, j + n) + back);
  }
  return digit;
}

/** Decimal digits. */
export function wideToString(a: usize, words: i32): string {
  const copy = changetype<usize>(new ArrayBuffer(words << 2));
  memory.copy(copy, a, <usize>words << 2);
  let text = "";
  while (true) {
    const part = shortDivide(copy, words, 1_000_000_000);
    if (wideIsZero(copy, words)) return part.toString() + text;
    text = part.toString().padStart(9, "0") + text;
  }
}

/** Reads decimal digits into target; false for anything else, leading zeros included, and for what does not fit. */
export function wideParse(target: usize, text: string, words: i32): bool {
  const length = text.length;
  if (length == 0 || length > words * 10 || (length > 1 && text.charCodeAt(0) == 0x30)) return false;
  memory.fill(target, 0, <usize>words << 2);
  for (let at = 0; at < length; at += 1) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return false;
    let carry = <u64>digit;
    for (let index = 0; index < words; index += 1) {
      carry += word(target, index) * 10;
      setWord(target, index, carry);
      carry >>= 32;
    }
    if (carry != 0) return false;
  }
  return true;
}

/** Big-endian bytes, so that byte order is the order of the integers. */
export function wideToBytes(a: usize, words: i32): ArrayBuffer {
  const bytes = new ArrayBuffer(words << 2);
  for (let at = 0; at < words; at += 1)
    store<u32>(changetype<usize>(bytes) + (<usize>at << 2), bswap<u32>(<u32>word(a, words - 1 - at)));
  return bytes;
}

/** The integer of big-endian bytes; another length ends the call. */
export function wideFromBytes(target: usize, bytes: ArrayBuffer, words: i32): void {
  if (bytes.byteLength != words << 2) revert("an integer has another length");
  for (let at = 0; at < words; at += 1)
    setWord(target, at, <u64>bswap<u32>(load<u32>(changetype<usize>(bytes) + (<usize>(words - 1 - at) << 2))));
}

/** target = a << bits; what is shifted out is lost. */
export function wideShiftLeft(target: usize, a: usize, bits: i32, words: i32): void {
  const skipped = bits >> 5;
  const shift = <u64>(bits & 31);
  for (let at = words - 1; at >= 0; at -= 1) {
    const from = at - skipped;
    const high = from >= 0 ? word(a, from) << shift : 0;
    const low = from > 0 && shift != 0 ? word(a, from - 1) >> (32 - shift) : 0;
    setWord(target, at, high | low);
  }
}

/** target = a >> bits. */
export function wideShiftRight(target: usize, a: usize, bits: i32, words: i32): void {
  const skipped = bits >> 5;
  const shift = <u64>(bits & 31);
  for (let at = 0; at < words; at += 1) {
    const from = at + skipped;
    const low = from < words ? word(a, from) >> shift : 0;
    const high = from + 1 < words && shift != 0 ? word(a, from + 1) << (32 - shift) : 0;
    setWord(target, at, low | high);
  }
}
