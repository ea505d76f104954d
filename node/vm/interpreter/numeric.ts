// The numeric instructions by their opcodes: i32 are signed numbers, i64 are signed bigints.
import { Trap } from "./trap.ts";

type Binary32 = (a: number, b: number) => number;
type Binary64 = (a: bigint, b: bigint) => bigint;

const MIN_I32 = -(2 ** 31);
const MIN_I64 = -(1n << 63n);
const unsigned = (value: bigint): bigint => BigInt.asUintN(64, value);
const bit = (value: boolean): number => (value ? 1 : 0);

function divisor<T extends number | bigint>(value: T): T {
  if (Number(value) === 0) throw new Trap("division by zero");
  return value;
}

/** Two i32 to an i32. */
export const BINARY_32: Readonly<Record<number, Binary32>> = {
  70: (a, b) => bit(a === b),
  71: (a, b) => bit(a !== b),
  72: (a, b) => bit(a < b),
  73: (a, b) => bit(a >>> 0 < b >>> 0),
  74: (a, b) => bit(a > b),
  75: (a, b) => bit(a >>> 0 > b >>> 0),
  76: (a, b) => bit(a <= b),
  77: (a, b) => bit(a >>> 0 <= b >>> 0),
  78: (a, b) => bit(a >= b),
  79: (a, b) => bit(a >>> 0 >= b >>> 0),
  106: (a, b) => (a + b) | 0,
  107: (a, b) => (a - b) | 0,
  108: Math.imul,
  109: (a, b) => {
    if (a === MIN_I32 && b === -1) throw new Trap("integer overflow");
    return (a / divisor(b)) | 0;
  },
  110: (a, b) => Math.floor((a >>> 0) / (divisor(b) >>> 0)) | 0,
  111: (a, b) => (a % divisor(b)) | 0,
  112: (a, b) => ((a >>> 0) % (divisor(b) >>> 0)) | 0,
  113: (a, b) => a & b,
  114: (a, b) => a | b,
  115: (a, b) => a ^ b,
  116: (a, b) => a << b,
  117: (a, b) => a >> b,
  118: (a, b) => (a >>> b) | 0,
  119: (a, b) => (a << b) | (a >>> -b),
  120: (a, b) => (a >>> b) | (a << -b),
};

/** An i32 to an i32. */
export const UNARY_32: Readonly<Record<number, (a: number) => number>> = {
  69: (a) => bit(a === 0),
  103: Math.clz32,
  104: (a) => (a === 0 ? 32 : 31 - Math.clz32(a & -a)),
  105: ones32,
  192: (a) => (a << 24) >> 24,
  193: (a) => (a << 16) >> 16,
};

/** Two i64 to an i32. */
export const COMPARE_64: Readonly<Record<number, (a: bigint, b: bigint) => number>> = {
  81: (a, b) => bit(a === b),
  82: (a, b) => bit(a !== b),
  83: (a, b) => bit(a < b),
  84: (a, b) => bit(unsigned(a) < unsigned(b)),
  85: (a, b) => bit(a > b),
  86: (a, b) => bit(unsigned(a) > unsigned(b)),
  87: (a, b) => bit(a <= b),
  88: (a, b) => bit(unsigned(a) <= unsigned(b)),
  89: (a, b) => bit(a >= b),
  90: (a, b) => bit(unsigned(a) >= unsigned(b)),
};

/** Two i64 to an i64, which may have more than 64 bits. */
export const BINARY_64: Readonly<Record<number, Binary64>> = {
  124: (a, b) => a + b,
  125: (a, b) => a - b,
  126: (a, b) => a * b,
  127: (a, b) => {
    if (a === MIN_I64 && b === -1n) throw new Trap("integer overflow");
    return a / divisor(b);
  },
  128: (a, b) => unsigned(a) / unsigned(divisor(b)),
  129: (a, b) => a % divisor(b),
  130: (a, b) => unsigned(a) % unsigned(divisor(b)),
  131: (a, b) => a & b,
  132: (a, b) => a | b,
  133: (a, b) => a ^ b,
  134: (a, b) => a << (b & 63n),
  135: (a, b) => a >> (b & 63n),
  136: (a, b) => unsigned(a) >> (b & 63n),
  137: (a, b) => rotated(a, b & 63n),
  138: (a, b) => rotated(a, -b & 63n),
};

/** An i64 to an i64. */
export const UNARY_64: Readonly<Record<number, (a: bigint) => bigint>> = {
  121: (a) => BigInt(a >> 32n === 0n ? 32 + Math.clz32(low(a)) : Math.clz32(high(a))),
  122: (a) => BigInt(low(a) === 0 ? 32 + trailing(high(a)) : trailing(low(a))),
  123: (a) => BigInt(ones32(low(a)) + ones32(high(a))),
  194: (a) => BigInt.asIntN(8, a),
  195: (a) => BigInt.asIntN(16, a),
  196: (a) => BigInt.asIntN(32, a),
};

/** An i32 to an i64. */
export const EXTEND: Readonly<Record<number, (a: number) => bigint>> = {
  172: BigInt,
  173: (a) => BigInt(a >>> 0),
};

/** An i64 to an i32. */
export const NARROW: Readonly<Record<number, (a: bigint) => number>> = {
  80: (a) => bit(a === 0n),
  167: low,
};

function low(value: bigint): number {
  return Number(BigInt.asIntN(32, value));
}

function high(value: bigint): number {
  return low(value >> 32n);
}

function trailing(value: number): number {
  return value === 0 ? 32 : 31 - Math.clz32(value & -value);
}

function ones32(value: number): number {
  let rest = value;
  let count = 0;
  for (; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

function rotated(value: bigint, count: bigint): bigint {
  return (value << count) | (unsigned(value) >> (64n - count));
}
