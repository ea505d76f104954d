// What the instructions on integers compute, written from the specification: integers of any size, cut to their width. Slow, and nothing
// is shared with the machines that contracts run on.
import { I32, INSTRUCTIONS, type Instruction } from "#node/vm/module/opcodes.ts";

export type PlainValue = number | bigint;

/** Ends a run as the specification says. */
export class PlainTrap extends Error {}

type Operation = (a: bigint, b: bigint, bits: number) => bigint;

const u = (value: bigint, bits: number): bigint => BigInt.asUintN(bits, value);
const flag = (is: boolean): bigint => (is ? 1n : 0n);

/** Signed operands, the result of any size; by the name of the instruction. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  eqz: (a) => flag(a === 0n),
  eq: (a, b) => flag(a === b),
  ne: (a, b) => flag(a !== b),
  lt_s: (a, b) => flag(a < b),
  lt_u: (a, b, bits) => flag(u(a, bits) < u(b, bits)),
  gt_s: (a, b) => flag(a > b),
  gt_u: (a, b, bits) => flag(u(a, bits) > u(b, bits)),
  le_s: (a, b) => flag(a <= b),
  le_u: (a, b, bits) => flag(u(a, bits) <= u(b, bits)),
  ge_s: (a, b) => flag(a >= b),
  ge_u: (a, b, bits) => flag(u(a, bits) >= u(b, bits)),
  clz: (a, _, bits) => BigInt(bits - (a === 0n ? 0 : u(a, bits).toString(2).length)),
  ctz: (a, _, bits) => BigInt(a === 0n ? bits : u(a, bits).toString(2).length - 1 - u(a, bits).toString(2).lastIndexOf("1")),
  popcnt: (a, _, bits) => BigInt(u(a, bits).toString(2).replaceAll("0", "").length),
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div_s: (a, b, bits) => {
    const quotient = a / divisor(b);
    if (BigInt.asIntN(bits, quotient) !== quotient) throw new PlainTrap();
    return quotient;
  },
  div_u: (a, b, bits) => u(a, bits) / u(divisor(b), bits),
  rem_s: (a, b) => a % divisor(b),
  rem_u: (a, b, bits) => u(a, bits) % u(divisor(b), bits),
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  shl: (a, b, bits) => a << shift(b, bits),
  shr_s: (a, b, bits) => a >> shift(b, bits),
  shr_u: (a, b, bits) => u(a, bits) >> shift(b, bits),
  rotl: (a, b, bits) => rotated(a, shift(b, bits), bits),
  rotr: (a, b, bits) => rotated(a, BigInt(bits) - shift(b, bits), bits),
  wrap: (a) => a,
  extend_s: (a) => a,
  extend_u: (a) => u(a, 32),
  extend8: (a) => BigInt.asIntN(8, a),
  extend16: (a) => BigInt.asIntN(16, a),
  extend32: (a) => BigInt.asIntN(32, a),
};

const COMPARISONS = ["eq", "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u"];
const ARITHMETIC = ["clz", "ctz", "popcnt", "add", "sub", "mul", "div_s", "div_u", "rem_s", "rem_u"];
const BITWISE = ["and", "or", "xor", "shl", "shr_s", "shr_u", "rotl", "rotr"];

/** Names of the instructions from an opcode on. */
const NAMES: readonly (readonly [number, readonly string[]])[] = [
  [0x45, ["eqz", ...COMPARISONS]],
  [0x50, ["eqz", ...COMPARISONS]],
  [0x67, [...ARITHMETIC, ...BITWISE]],
  [0x79, [...ARITHMETIC, ...BITWISE]],
  [0xa7, ["wrap"]],
  [0xac, ["extend_s", "extend_u"]],
  [0xc0, ["extend8", "extend16", "extend8", "extend16", "extend32"]],
];

/** An instruction on numbers. */
export interface Numeric {
  readonly operands: number;
  readonly compute: (a: PlainValue, b: PlainValue) => PlainValue;
}

/** By the opcode. */
export const NUMERIC: readonly (Numeric | undefined)[] = table();

function table(): readonly (Numeric | undefined)[] {
  const all = new Array<Numeric | undefined>(256).fill(undefined);
  for (const [first, names] of NAMES)
    for (const [index, name] of names.entries()) all[first + index] = numeric(name, INSTRUCTIONS[first + index]);
  return all;
}

function numeric(name: string, instruction: Instruction | undefined): Numeric {
  const operation = OPERATIONS[name];
  if (operation === undefined || instruction === undefined) throw new TypeError(`There is no instruction ${name}`);
  const bits = instruction.pops[0] === I32 ? 32 : 64;
  const isInt = instruction.pushes === I32;
  return {
    operands: instruction.pops.length,
    compute: (a, b): PlainValue => {
      const result = operation(BigInt(a), BigInt(b), bits);
      return isInt ? Number(BigInt.asIntN(32, result)) : BigInt.asIntN(64, result);
    },
  };
}

function divisor(value: bigint): bigint {
  if (value === 0n) throw new PlainTrap();
  return value;
}

function shift(count: bigint, bits: number): bigint {
  return u(count, bits) % BigInt(bits);
}

function rotated(value: bigint, count: bigint, bits: number): bigint {
  const whole = u(value, bits);
  return (whole << count) | (whole >> (BigInt(bits) - count));
}
