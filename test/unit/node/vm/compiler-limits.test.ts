// Modules at their limits: the baseline compiler must not give up on any, since in a process that has no other one it would end the process.
import { beforeAll, describe, expect, it } from "vitest";
import { instrumentModule } from "#node/vm/module/instrument-module.ts";
import { INSTRUCTIONS } from "#node/vm/module/opcodes.ts";
import { prepareThread } from "#node/vm/prepare-thread.ts";
import { compareRuns } from "#test/support/vm/fuzz/compare-runs.ts";
import { buildModule, type Code, call, get, i32c, i64c, type ModuleSpec, name, set, u32, W } from "#test/support/vm/wasm-builder.ts";

const { i32, i64 } = W;
const GAS = 400_000;
const repeat = (count: number, code: Code): Code => Array.from({ length: count }, () => code);
const constant = (type: number): Code => (type === i32 ? i32c(3) : i64c(5));
const each = (count: number, code: (index: number) => Code): Code => Array.from({ length: count }, (_, index) => code(index));

function differenceOf(spec: ModuleSpec): string | undefined {
  const module = buildModule({ imports: [{ name: "gas_left", results: [i64] }], exports: [[name("m"), 2, 0]], ...spec });
  const entries = [{ name: "run", gas: GAS }];
  return compareRuns({ code: module, isValid: true, run: { entries, argsJson: "[]" } }, instrumentModule(module)).difference;
}

const run = (code: Code, more: object = {}): ModuleSpec => ({ functions: [{ export: "run", code, ...more }] });

beforeAll(prepareThread);

describe("the baseline compiler compiles", () => {
  const opcodes = INSTRUCTIONS.flatMap((item, opcode) =>
    item === undefined || item.immediate === "special" || item.immediate.startsWith("i") ? [] : [{ ...item, opcode }],
  );

  it.each(opcodes)("instruction $opcode in the longest body, among the most locals, above the most operands", (item) => {
    const access = item.immediate === "memory" ? [0, 0] : [];
    const once: Code = [item.pops.map(constant), item.opcode, access, item.pushes === 0 ? [] : W.drop];
    const length = 2 * item.pops.length + 2 + access.length;
    const locals = [
      [256, i32],
      [256, i64],
    ] as const;
    const touch = each(8, (index) => [get(64 * index), set(64 * index)]);
    const found = [
      run(repeat(Math.floor(65_000 / length), once)),
      run(repeat(200, [touch, once]), { locals }),
      run([repeat(500, i32c(1)), repeat(500, i64c(1)), once, repeat(1_000, W.drop)]),
    ].map(differenceOf);
    expect(found).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    ["i32", i32],
    ["i64", i64],
  ])("the most parameters, blocks and values of %s", (_name, type) => {
    const params = Array.from({ length: 32 }, () => type);
    const values = params.map(constant);
    const inner: Code = [
      each(480, (index) => [i64c(index), set(32 + index)]),
      repeat(990, i32c(1)),
      each(32, get),
      call(3),
      repeat(990, W.drop),
    ];
    const specs: readonly ModuleSpec[] = [
      {
        functions: [
          { export: "run", code: [values, call(2)] },
          { params, locals: [[480, i64]], code: inner },
          { params, code: [] },
        ],
      },
      run([repeat(254, [0x02, type]), constant(type), i32c(1), 0x0d, u32(253), repeat(254, W.end), W.drop]),
      run([repeat(254, [0x03, type]), constant(type), repeat(254, W.end), W.drop]),
      run([repeat(250, [i32c(1), 0x04, type]), constant(type), repeat(250, [W.else, constant(type), W.end]), W.drop]),
    ];
    expect(specs.map(differenceOf)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it("the largest branch tables, the most functions and globals, the farthest branches", () => {
    const targets: Code = [0x0e, u32(1_024), each(1_025, (index) => u32(index % 250))];
    const globals = Array.from({ length: 256 }, (_, index): Code => [i64, 1, i64c(index), W.end]);
    const specs: readonly ModuleSpec[] = [
      run([repeat(250, [0x02, i64]), repeat(500, i32c(3)), i64c(1), i32c(7), targets, repeat(250, W.end), W.drop], {
        locals: [[512, i64]],
      }),
      { functions: [{ export: "run", code: repeat(4_000, call(2)) }, ...Array.from({ length: 4_094 }, () => ({ code: [] }))] },
      run([0x02, W.void, repeat(16_000, [i32c(0), 0x0d, 0]), W.end]),
      run(repeat(6_000, [i32c(0), i32c(1), i32c(9), 0xfc, 10, 0, 0])),
      { ...run(repeat(10_000, [0x23, u32(129), 0x24, u32(131)])), globals },
    ];
    expect(specs.map(differenceOf)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });
});
