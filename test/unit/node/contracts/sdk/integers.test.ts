// Integers of the SDK against BigInt: checked operations of every built-in type, u128 and u256, at their borders and at random.
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { TestChain, type TestContract } from "#node/contracts/testing/test-chain.ts";
import { extent, spread } from "#test/support/host/test-extent.ts";
import { abiOf, buildSource } from "#test/support/vm/source-contract.ts";

const WIDE_OPERATIONS = ["+", "-", "*", "/", "%"] as const;
const wide = (type: string): string => `
export function ${type}_of(): void {
  const op = argString(0);
  const a = ${type}.parse(argString(1));
  const b = ${type}.parse(argString(2));
  const order = (a < b ? "<" : "") + (a > b ? ">" : "") + (a == b ? "=" : "") + (a <= b ? "l" : "") + (a >= b ? "g" : "") + (a != b ? "n" : "");
  if (op == "+") returnString((a + b).toString());
  else if (op == "-") returnString((a - b).toString());
  else if (op == "*") returnString((a * b).toString());
  else if (op == "/") returnString((a / b).toString());
  else if (op == "%") returnString((a % b).toString());
  else if (op == "order") returnString(order);
  else if (op == "bytes") returnString(toHex(a.toBytes()) + " " + ${type}.fromBytes(a.toBytes()).toString());
  else if (op == "u64") returnString(a.toU64().toString());
  else if (op == "<<") returnString((a << <i32>b.toU64()).toString());
  else if (op == ">>") returnString((a >> <i32>b.toU64()).toString());
}`;

const SIGNED = ["i8", "i16", "i32", "i64"];
const TYPES = ["u8", "u16", "u32", "u64", ...SIGNED] as const;
const SOURCE = `
import {
  argString, argU64, checkedAdd, checkedCast, checkedMul, checkedPow, checkedSub, JsonReader, mulDiv, returnJson, returnString, toHex, u128, u256,
} from "parley";
${wide("u128")}
${wide("u256")}
function run<T extends number>(op: string, a: T, b: T): T {
  if (op == "+") return checkedAdd<T>(a, b);
  if (op == "-") return checkedSub<T>(a, b);
  if (op == "*") return checkedMul<T>(a, b);
  return checkedPow<T>(a, <u32>b);
}
function on<T extends number>(op: string): void {
  const reader = JsonReader.of(argString(2), "numbers");
  reader.startList();
  reader.hasItem(true);
  const a = reader.integer<T>();
  reader.hasItem(false);
  const b = reader.integer<T>();
  returnJson(run<T>(op, a, b).toString());
}
export function checked(): void {
  const type = argString(0);
  const op = argString(1);
  ${TYPES.map((type) => `if (type == "${type}") on<${type}>(op);`).join("\n  ")}
}
export function cast(): void {
  const reader = JsonReader.of(argString(1), "number");
  const integer = reader.integer<i64>();
  const type = argString(0);
  ${TYPES.map((type) => `if (type == "${type}") returnJson(checkedCast<i64, ${type}>(integer).toString());`).join("\n  ")}
}
export function mul_div(): void {
  returnString(mulDiv(argU64(0), argU64(1), argU64(2)).toString());
}`;

let contract: TestContract;

beforeAll(async () => {
  const three = ["string", "string", "string"];
  const methods = {
    u128_of: three,
    u256_of: three,
    checked: ["string", "string", "json"],
    cast: ["string", "json"],
    mul_div: ["u64", "u64", "u64"],
  };
  const built = await buildSource(SOURCE, abiOf(methods));
  const chain = new TestChain();
  contract = chain.deployBuilt(chain.account("alice", 10 ** 12), built);
}, 60_000);

/** What a method returns, or "refused: …". */
function view(method: string, ...args: readonly (string | bigint | readonly bigint[])[]): unknown {
  try {
    const result = contract.view(method, args);
    return typeof result === "number" ? BigInt(result) : /^-?\d+$/.test(String(result)) ? BigInt(String(result)) : result;
  } catch (error) {
    return `refused: ${reasonOf(error)}`;
  }
}

/** The contract's own words, without the place that the harness names. */
function reasonOf(error: unknown): string {
  return (error as Error).message.replace(/, (?:in|at) .*$/s, "");
}

/** What BigInt says, within 0 to `max`. */
function exact(op: string, a: bigint, b: bigint): bigint | string {
  if (b === 0n && (op === "/" || op === "%")) return "refused: a division by zero";
  switch (op) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    case "%":
      return a % b;
    default:
      return a ** b;
  }
}

/** Every two of them, in both orders. */
function pairsOf(values: readonly bigint[]): readonly (readonly [bigint, bigint])[] {
  return values.flatMap((a) => values.map((b) => [a, b] as const));
}

function bounded(value: bigint | string, min: bigint, max: bigint): bigint | string {
  return typeof value === "bigint" && (value < min || value > max) ? "refused: an integer overflows" : value;
}

describe.each([
  ["u128", 128n],
  ["u256", 256n],
] as const)("%s", (type, bits) => {
  const max = (1n << bits) - 1n;
  const half = bits / 2n;
  const borders = [0n, 1n, 2n, 9n, 10n ** 9n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 64n - 1n, 2n ** 64n, (1n << half) - 1n];
  const values = [...borders, 1n << half, (1n << half) + 1n, 1n << (bits - 1n), (1n << (bits - 1n)) - 1n, max - 1n, max];
  const agrees = (a: bigint, b: bigint): void => {
    for (const op of WIDE_OPERATIONS)
      expect([op, a, b, view(`${type}_of`, op, `${a}`, `${b}`)]).toEqual([op, a, b, bounded(exact(op, a, b), 0n, max)]);
    const order = (a < b ? "<" : a > b ? ">" : "=") + (a <= b ? "l" : "") + (a >= b ? "g" : "") + (a !== b ? "n" : "");
    expect(view(`${type}_of`, "order", `${a}`, `${b}`)).toBe(order);
  };

  it("agrees with BigInt at the borders", () => {
    for (const [a, b] of spread(pairsOf(values), 80)) agrees(a, b);
  });

  it("agrees with BigInt at random", () => {
    // Few bits set in a row, and digits that division guesses wrongly first, as well as any others.
    const runs = fc
      .tuple(fc.nat(Number(bits)), fc.nat(Number(bits)))
      .map(([a, b]) => ((1n << BigInt(a)) - (1n << BigInt(b)) + max + 1n) & max);
    const any = fc.oneof(fc.bigInt({ min: 0n, max }), fc.bigInt({ min: 0n, max: 1n << half }), runs);
    fc.assert(
      fc.property(any, any, (a, b) => {
        agrees(a, b);
        // Dividends just below a multiple are where a digit of the quotient has to be put right.
        const product = b === 0n ? 0n : (a / b) * b;
        if (product > 0n) agrees(product - 1n, b);
      }),
      { numRuns: extent(40, 150) },
    );
  });

  it("is written in decimal and in big-endian bytes, and shifted", () => {
    for (const value of values) {
      const hex = value.toString(16).padStart(Number(bits) / 4, "0");
      expect(view(`${type}_of`, "bytes", `${value}`, "0")).toBe(`${hex} ${value}`);
      for (const by of [0n, 1n, 31n, 32n, 33n, 64n, bits - 1n, bits, 1_000n]) {
        expect(view(`${type}_of`, "<<", `${value}`, `${by}`)).toBe((value << by) & max);
        expect(view(`${type}_of`, ">>", `${value}`, `${by}`)).toBe(value >> by);
      }
    }
    expect(view(`${type}_of`, "u64", `${2n ** 64n - 1n}`, "0")).toBe(2n ** 64n - 1n);
    expect(view(`${type}_of`, "u64", `${2n ** 64n}`, "0")).toBe("refused: an integer overflows");
  });

  it.each(["", "-1", "+1", "01", "0x1", "1.0", " 1", "1e3", `${max + 1n}`, `${max}0`, "9".repeat(200)])("is not %j", (text) => {
    expect(view(`${type}_of`, "+", text, "0")).toMatch(new RegExp(`^refused: a text is no ${type}`));
  });
});

describe.each(TYPES)("checked %s", (type) => {
  const bits = BigInt(type.slice(1));
  const isSigned = SIGNED.includes(type);
  const min = isSigned ? -(1n << (bits - 1n)) : 0n;
  const max = (1n << (isSigned ? bits - 1n : bits)) - 1n;
  const values = [
    ...new Set([min, min + 1n, min / 2n, isSigned ? -2n : 2n, isSigned ? -1n : 1n, 0n, 1n, 2n, 3n, max / 2n, max / 2n + 1n, max - 1n, max]),
  ];

  it("agrees with BigInt", () => {
    for (const [a, b] of spread(pairsOf(values), 60))
      for (const op of ["+", "-", "*"])
        expect([op, a, b, view("checked", type, op, [a, b])]).toEqual([op, a, b, bounded(exact(op, a, b), min, max)]);
    for (const a of values)
      for (const b of [0n, 1n, 2n, 3n, 7n, 63n])
        expect([a, b, view("checked", type, "**", [a, b])]).toEqual([a, b, bounded(exact("**", a, b), min, max)]);
  });

  it("is cast to only what fits", () => {
    for (const value of [-(2n ** 63n), -129n, -128n, -1n, 0n, 127n, 128n, 255n, 256n, 2n ** 31n, 2n ** 32n, 2n ** 63n - 1n])
      expect([value, viewCast(value)]).toEqual([value, bounded(value, min, max)]);
  });

  function viewCast(value: bigint): unknown {
    try {
      return BigInt(String(contract.view("cast", [type, value])));
    } catch (error) {
      return `refused: ${reasonOf(error)}`;
    }
  }
});

describe("mulDiv", () => {
  it("has no limit on the product", () => {
    const max = 2n ** 64n - 1n;
    for (const [a, b, c] of [
      [max, max, max],
      [max, 3n, 7n],
      [10n ** 18n, 10n ** 18n, 10n ** 19n],
      [0n, 5n, 1n],
      [1n, 1n, 2n],
    ] as const)
      expect(view("mul_div", a, b, c)).toBe((a * b) / c);
    expect(view("mul_div", max, 2n, 1n)).toBe("refused: an integer overflows");
    expect(view("mul_div", 1n, 1n, 0n)).toBe("refused: a division by zero");
  });
});
