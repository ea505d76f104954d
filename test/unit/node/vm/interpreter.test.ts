// The interpreter comes to the same as the runtime's engine: every instruction on the edges of its types, random programs, compiled ones.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Engine, type EngineFunction, engine } from "#node/vm/engine.ts";
import { interpretedEngine } from "#node/vm/interpreter/interpreted-engine.ts";
import { ENTRY_PREFIX, instrumentModule, METERED } from "#node/vm/module/instrument-module.ts";
import { STACK_WORDS } from "#node/vm/module/module-limits.ts";
import { I32, INSTRUCTIONS, type Instruction } from "#node/vm/module/opcodes.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { toHex } from "#shared/util/bytes.ts";
import { projectRoot } from "#test/support/nodes/run-program.ts";
import { randomModule } from "#test/support/vm/random-module.ts";
import {
  block,
  br,
  buildModule,
  type Code,
  call,
  get,
  i32c,
  i64c,
  type ModuleSpec,
  set,
  u32,
  W,
  when,
} from "#test/support/vm/wasm-builder.ts";

const { i32, i64 } = W;
const GAS = 1_000_000;

/** What a run leaves: how it ended, meters, memory. */
function runOn(runtime: Engine, module: Uint8Array, entries: readonly string[] = ["run"], gas = GAS): unknown {
  const { code, imports } = instrumentModule(module);
  const env = Object.fromEntries(imports.map((name) => [name, (() => 5) as EngineFunction]));
  const { exports } = new runtime.Instance(new runtime.Module(code), { env });
  const { [METERED.gas]: meter, [METERED.stack]: stack, [METERED.memory]: memory } = exports;
  if (!(meter instanceof runtime.Global && stack instanceof runtime.Global && memory instanceof runtime.Memory))
    throw new Error("no meters");
  meter.value = gas;
  stack.value = STACK_WORDS;
  const ends = entries.map((entry) => {
    try {
      (exports[`${ENTRY_PREFIX}${entry}`] as () => void)();
      return "done";
    } catch (error) {
      if (!(error instanceof runtime.RuntimeError)) throw error;
      return "trapped";
    }
  });
  return { ends, gas: meter.value, stack: stack.value, memory: toHex(sha256(new Uint8Array(memory.buffer))) };
}

function expectSame(spec: ModuleSpec | Uint8Array, entries?: readonly string[], gas?: number): void {
  const module = spec instanceof Uint8Array ? spec : buildModule(spec);
  expect(runOn(interpretedEngine, module, entries, gas)).toEqual(runOn(engine, module, entries, gas));
}

const EDGES_32 = [0, 1, -1, 2, 7, 31, 32, 33, 0x80, 0xffff, -(2 ** 31), 2 ** 31 - 1, 0x12345678];
const EDGES_64 = [0n, 1n, -1n, 2n, 63n, 64n, 65n, 0x80n, 0x8000n, 0x80000000n, -(1n << 63n), (1n << 63n) - 1n, 0x123456789abcdefn];

const plain = [...INSTRUCTIONS.entries()].filter(
  (entry): entry is [number, Instruction] => entry[1] !== undefined && entry[1].immediate === "none" && entry[1].pushes !== 0,
);

/** Every tuple of edges for some types. */
function tuples(types: readonly number[]): readonly Code[] {
  return types.reduce<readonly Code[]>(
    (all, type) =>
      all.flatMap((before) => (type === i32 ? EDGES_32.map((edge) => [before, i32c(edge)]) : EDGES_64.map((edge) => [before, i64c(edge)]))),
    [[]],
  );
}

describe("numeric instructions", () => {
  it.each(plain.map(([op, instruction]) => [`0x${op.toString(16)}`, op, instruction] as const))(
    "%s gives the same",
    (_name, op, { pops, pushes }) => {
      const functions = tuples(pops).map((operands, index) => ({
        export: `run${index}`,
        code: [i32c(8 * index), operands, op, pushes === I32 ? [0x36, 2, 0] : [0x37, 3, 0]],
      }));
      for (let from = 0; from < functions.length; from += 60) {
        const some = functions.slice(from, from + 60);
        expectSame(
          { functions: some },
          some.map(({ export: name }) => name),
        );
      }
    },
  );
});

describe("memory", () => {
  const accesses = [...INSTRUCTIONS.entries()].filter(([, instruction]) => instruction?.immediate === "memory");

  it.each(accesses.map(([op, instruction]) => [`0x${op.toString(16)}`, op, instruction] as const))(
    "0x%s reads and writes the same",
    (_name, op, instruction) => {
      const isLoad = instruction?.pushes !== 0;
      const isLong = (isLoad ? instruction?.pushes : instruction?.pops[1]) !== I32;
      const at = (address: number, offset: number): Code => {
        const target: Code = isLoad ? [i32c(256), i32c(address)] : i32c(address);
        const value = isLong ? i64c(-0x123456789abcdefn) : i32c(-0x1234567);
        return isLoad ? [target, op, 0, u32(offset), isLong ? [0x37, 3, 0] : [0x36, 2, 0]] : [target, value, op, 0, u32(offset)];
      };
      const places = [
        [0, 0],
        [3, 5],
        [65_528, 0],
        [65_535, 0],
        [65_536, 0],
        [-1, 0],
        [-8, 16],
        [0, 65_535],
        [0, 2 ** 32 - 1],
      ] as const;
      const functions = places.map(([address, offset], index) => ({ export: `run${index}`, code: at(address, offset) }));
      const data = [0, i32c(0), W.end, [16], Array.from({ length: 16 }, (_, index) => 0x81 + 7 * index)];
      expectSame(
        { functions, data: [data] },
        functions.map(({ export: name }) => name),
      );
    },
  );

  it("grows, copies and fills the same, and traps at its end", () => {
    const bulk = (kind: number, ...numbers: readonly number[]): Code => [numbers.map(i32c), 0xfc, kind, 0, kind === 10 ? 0 : []];
    const bodies: readonly Code[] = [
      [i32c(0), [0x3f, 0], [0x36, 2, 0]],
      [i32c(4), i32c(1), [0x40, 0], [0x36, 2, 0]],
      [i32c(8), i32c(1_000), [0x40, 0], [0x36, 2, 0]],
      [i32c(12), i32c(-1), [0x40, 0], [0x36, 2, 0]],
      [i32c(16), [0x3f, 0], [0x36, 2, 0]],
      bulk(11, 20, 0x1ff, 30),
      bulk(10, 25, 20, 20),
      bulk(10, 15, 20, 20),
      bulk(10, 131_070, 0, 5),
      bulk(11, 131_072, 0, 0),
      bulk(11, 131_073, 0, 0),
    ];
    const functions = bodies.map((code, index) => ({ export: `run${index}`, code }));
    expectSame(
      { functions, memory: [1, 1, 3] },
      functions.map(({ export: name }) => name),
    );
  });
});

describe("programs", () => {
  it("branch, call and return the same", () => {
    const store = (at: number, code: Code): Code => [i32c(at), code, [0x36, 2, 0]];
    const table = (index: number): Code =>
      block(i32, block(W.void, block(W.void, i32c(index), [0x0e, 1, 0, 1]), i32c(10), br(1)), i32c(20));
    const carried = (index: number): Code => block(i32, i32c(3), block(i32, i32c(4), i32c(index), [0x0e, 1, 0, 1]), 0x6a);
    const indirect = (index: number): Code => [i32c(9), i32c(index), 0x11, 0, 0];
    const bodies: readonly Code[] = [
      ...[0, 1, 2, -1].flatMap((index) => [store(0, table(index)), store(4, carried(index))]),
      ...[0, 1, 2, 3, -1].map((index) => store(8, indirect(index))),
      [i32c(1), when(W.void, [i32c(12), i32c(1), [0x36, 2, 0], W.return, W.unreachable, [0x04, W.void, i64c(1), W.drop, W.else, W.end]])],
      store(16, [i32c(0), when(i32, [i32c(1), W.return], i32c(2))]),
      store(20, block(i32, i32c(1), i32c(2), i32c(0), [0x0d, 0], W.drop, i32c(5), br(0), i32c(6))),
      store(24, [
        [0x03, i32, i32c(7), W.end],
        [i64c(1), W.drop],
      ]),
      store(28, [i32c(1), i32c(2), i32c(0), W.select]),
    ];
    const functions = [
      { params: [i32], results: [i32], code: [get(0), i32c(1), 0x6a] },
      { params: [i32], results: [i64], locals: [[2, i64]] as const, code: [get(0), 0xac, set(1), get(1), get(2), 0x7c] },
      { params: [i32], results: [i32], code: [get(0), [0x04, i32, get(0), i32c(1), 0x6b, call(2), W.else, i32c(77), W.end]] },
      ...bodies.map((code, index) => ({ export: `run${index}`, code })),
    ];
    const elements = [[0, i32c(0), W.end, [3, 0, 1, 2]]];
    expectSame(
      { functions, table: [0x70, 0, 4], elements },
      bodies.map((_, index) => `run${index}`),
    );
  });

  it("with segments of a table over each other come to the same: the last one stays", () => {
    const functions = [
      ...[1, 2, 3].map((value) => ({ results: [i32], code: [i32c(value)] })),
      ...[0, 1, 2, 3].map((place) => ({ export: `run${place}`, code: [i32c(0), i32c(place), [0x11, 0, 0], [0x36, 2, 0]] })),
    ];
    const segment = (at: number, ...indexes: number[]): Code => [0, i32c(at), W.end, [indexes.length, indexes]];
    const elements = [segment(0, 0, 0, 0), segment(1, 1, 1), segment(3), segment(2, 2)];
    expectSame({ functions, table: [0x70, 1, 4, 9], elements }, ["run0", "run1", "run2", "run3"]);
  });

  it.each(Array.from({ length: 100 }, (_, index) => index + 1_000))(
    "of random seed %i come to the same, with all gas and with some",
    (seed) => {
      const module = buildModule(randomModule(seed));
      expectSame(module);
      expectSame(module, ["run"], 300 + seed);
    },
  );

  it.each(["fib", "sieve", "matmul", "hashing", "parsing", "quicksort"])("that a compiler made come to the same: %s", (kernel) => {
    expectSame(readFileSync(join(projectRoot, "test/vectors/contracts/kernels.wasm")), [kernel]);
  });

  it("that go down without an end take no native stack", () => {
    expectSame({ functions: [{ export: "run", code: call(0) }] });
    expectSame({
      functions: [
        { export: "run", code: call(1) },
        { locals: [[500, i64]], code: call(1) },
      ],
    });
  });
});
