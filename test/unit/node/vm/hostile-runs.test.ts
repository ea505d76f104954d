// Modules that try to run forever, to fill stack or memory, to reach what is not theirs: each ends with the same outcome everywhere.
import { describe, expect, it } from "vitest";
import { GAS } from "#node/ledger/contracts/gas-schedule.ts";
import { MAX_GAS_LIMIT } from "#shared/protocol/primitives/limits.ts";
import {
  add,
  block,
  br,
  brIf,
  type Code,
  call,
  data,
  type FunctionSpec,
  get,
  getGlobal,
  grow,
  i32c,
  i64c,
  load,
  loop,
  type ModuleSpec,
  set,
  setGlobal,
  store,
  sub,
  vector,
  W,
  when,
} from "#test/support/vm/wasm-builder.ts";
import { inShort, VmWorld } from "#test/support/worlds/vm-world.ts";

const [OUT_OF_GAS, STACK, TRAP] = ["CONTRACT_OUT_OF_GAS", "CONTRACT_STACK_OVERFLOW", "CONTRACT_TRAPPED"];
const [i32, i64] = [W.i32, W.i64];
const repeat = (count: number, code: Code): Code => Array.from({ length: count }, () => code);
const body = (...code: readonly Code[]): ModuleSpec => ({ functions: [{ code, export: "run" }] });
const run = (spec: ModuleSpec, gas = 10_000_000): string => {
  const world = new VmWorld();
  return inShort(world.call(world.install(spec), "run", { gas }));
};
const importOf = (name: string, params: readonly number[], ...results: readonly number[]): NonNullable<ModuleSpec["imports"]>[number] => ({
  name,
  params,
  results,
});

describe("time", () => {
  it.each<[string, ModuleSpec]>([
    ["an empty loop", body(loop(W.void, br(0)))],
    ["a loop by br_if", body(loop(W.void, i32c(1), brIf(0)))],
    ["a loop by br_table", body(loop(W.void, i32c(0), 0x0e, 1, 0, 0))],
    ["a loop of nops", body(loop(W.void, repeat(10_000, W.nop), br(0)))],
    ["a loop that drops", body(loop(W.void, repeat(100, [i32c(1), W.drop]), br(0)))],
    ["a loop of overlapping copies", body(loop(W.void, i32c(1), i32c(0), i32c(65_535), 0xfc, 10, 0, 0, br(0)))],
    ["a loop of fills of nothing", body(loop(W.void, i32c(0), i32c(0), i32c(0), 0xfc, 11, 0, br(0)))],
    ["a loop of growing by nothing", body(loop(W.void, i32c(0), grow, W.drop, br(0)))],
    ["a loop of host calls", { imports: [importOf("value", [], i64)], ...body(loop(W.void, call(0), W.drop, br(0))) }],
    [
      "a loop in a function that is called in a loop",
      { functions: [{ code: loop(W.void, call(1), br(0)), export: "run" }, { code: loop(W.void, br(0)) }] },
    ],
  ])("%s ends when its gas does, and has paid for all of it", (_name, spec) => {
    const world = new VmWorld();
    expect(world.call(world.install(spec), "run", { gas: 3_000_000 })).toMatchObject({ failure: OUT_OF_GAS, gasUsed: 3_000_000, logs: [] });
  });

  it("of the largest limit ends too", () => {
    expect(run(body(loop(W.void, br(0))), MAX_GAS_LIMIT)).toBe(OUT_OF_GAS);
  });

  it("that ends before the gas does is no failure", () => {
    const counted = {
      locals: [[1, i32]],
      code: [i32c(1_000), set(0), loop(W.void, get(0), i32c(1), sub, 0x22, 0, brIf(0))],
      export: "run",
    } as const;
    expect(run({ functions: [counted] })).toBe("ok");
  });
});

describe("stack", () => {
  const recursive = (spec: Partial<FunctionSpec>, ...code: readonly Code[]): ModuleSpec => ({
    functions: [
      { code: [call(1)], export: "run" },
      { ...spec, code: [...code, call(1)] },
    ],
  });
  const pushed = (type: number, count: number): Code => repeat(count, type === i32 ? i32c(1) : i64c(1));
  const deep: readonly (readonly [string, ModuleSpec])[] = [
    ["direct", recursive({})],
    ["mutual", { functions: [{ code: call(1), export: "run" }, { code: call(2) }, { code: call(1) }] }],
    [
      "indirect",
      { functions: [{ code: [i32c(0), 0x11, 0, 0], export: "run" }], table: [0x70, 0, 1], elements: [[0, i32c(0), W.end, vector([0])]] },
    ],
    ["with 512 locals", recursive({ locals: [[512, i64]] })],
    [
      "with 32 parameters",
      {
        functions: [
          { code: [pushed(i64, 32), call(1)], export: "run" },
          { params: new Array<number>(32).fill(i64), code: [Array.from({ length: 32 }, (_, index) => get(index)), call(1)] },
        ],
      },
    ],
    ["with 900 operands", { functions: [{ code: call(1), export: "run" }, { code: [pushed(i32, 900), call(1), repeat(900, W.drop)] }] }],
    [
      "with a host call in the middle",
      { imports: [importOf("value", [], i64)], functions: [{ code: [call(0), W.drop, call(1)], export: "run" }] },
    ],
  ];

  it.each(deep)("of %s recursion overflows at our limit, never at the engine's", (_name, spec) => {
    expect(run(spec, MAX_GAS_LIMIT)).toBe(STACK);
  });

  it("overflows later than a small amount of gas runs out", () => {
    expect(run(recursive({}), 30_000)).toBe(OUT_OF_GAS);
  });

  it("is given back on every way out of a function", () => {
    const leaver: FunctionSpec = {
      params: [i32],
      results: [i32],
      code: [
        block(
          W.void,
          block(W.void, block(W.void, get(0), 0x0e, 2, 0, 1, 2), i32c(1), W.return),
          loop(W.void, block(W.void, i32c(2), br(3))),
          W.unreachable,
        ),
        get(0),
        i32c(3),
        0x46,
        when(i32, [i32c(4), W.return], i32c(5)),
      ],
    };
    const spec: ModuleSpec = {
      functions: [
        {
          locals: [[1, i32]],
          export: "run",
          code: [i32c(50_000), set(0), loop(W.void, get(0), i32c(3), 0x71, call(1), W.drop, get(0), i32c(1), sub, 0x22, 0, brIf(0))],
        },
        leaver,
      ],
    };
    expect(run(spec, MAX_GAS_LIMIT)).toBe("ok");
  });
});

describe("memory", () => {
  const sized = (code: Code, expected: number): ModuleSpec => ({
    ...body(code, i32c(expected), 0x47, when(W.void, W.unreachable)),
    memory: [0, 1],
  });

  it.each<[string, ModuleSpec, string]>([
    [
      "growing forever stops at 64 pages",
      {
        functions: [
          {
            export: "run",
            code: [loop(W.void, i32c(1), grow, i32c(-1), 0x47, brIf(0)), 0x3f, 0, i32c(64), 0x47, when(W.void, W.unreachable)],
          },
        ],
      },
      "ok",
    ],
    ["growing by 65,535 pages is -1", sized([i32c(65_535), grow], -1), "ok"],
    ["growing by minus one is -1", sized([i32c(-1), grow], -1), "ok"],
    ["growing to exactly 64 pages gives the old size", sized([i32c(63), grow], 1), "ok"],
    ["growing by one page too many is -1", sized([i32c(64), grow], -1), "ok"],
    ["a declared maximum counts", { ...sized([i32c(2), grow], -1), memory: [1, 1, 2] }, "ok"],
    ["filling four gigabytes runs out of gas", body(i32c(0), i32c(1), i32c(-1), 0xfc, 11, 0), OUT_OF_GAS],
    ["filling beyond the end traps", body(i32c(65_000), i32c(1), i32c(1_000), 0xfc, 11, 0), TRAP],
    ["copying beyond the end traps", body(i32c(0), i32c(65_000), i32c(1_000), 0xfc, 10, 0, 0), TRAP],
    ["loading beyond the end traps", body(i32c(65_533), load(), W.drop), TRAP],
    ["loading at the largest offset traps", body(i32c(-1), load(0xffff_ffff), W.drop), TRAP],
    ["storing beyond the end traps", body(i32c(65_533), i32c(1), store()), TRAP],
    ["memory that was grown can be used", body(i32c(1), grow, W.drop, i32c(70_000), i32c(1), store()), "ok"],
  ])("%s", (_name, spec, expected) => expect(run(spec)).toBe(expected));

  it("costs gas by the page", () => {
    const world = new VmWorld();
    const used = (pages: number): number => world.call(world.install(body(i32c(pages), grow, W.drop))).gasUsed;
    expect(used(10) - used(0)).toBe(240_000);
  });

  it.each<[string, Code, string]>([
    ["a pointer behind the end", [i32c(65_536), i32c(1)], TRAP ?? ""],
    ["a length behind the end", [i32c(65_530), i32c(7)], TRAP ?? ""],
    ["a pointer that wraps around", [i32c(-1), i32c(2)], TRAP ?? ""],
    ["a negative length", [i32c(0), i32c(-1)], "CONTRACT_ABORTED a line of the log is longer than 1024 bytes"],
    ["the last bytes", [i32c(65_530), i32c(6)], "ok"],
    ["nothing at the very end", [i32c(65_536), i32c(0)], "ok"],
  ])("the host takes %s for what it is", (_name, code, expected) => {
    expect(run({ imports: [importOf("log", [i32, i32])], ...body(code, call(0)) })).toBe(expected);
  });

  it("is seen by the host at its new address after it grew", () => {
    const world = new VmWorld();
    const imports = [importOf("block_height", [], i64), importOf("ctx_read", [i32, i32, i32], i32), importOf("ret", [i32, i32])];
    const id = world.install({
      imports,
      ...body(call(0), W.drop, i32c(3), grow, W.drop, i32c(0), i32c(200_000), i32c(64), call(1), W.drop, i32c(200_000), i32c(64), call(2)),
    });
    expect(world.text(id)).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("traps", () => {
  const indirect = (index: number, table: number): ModuleSpec => ({
    functions: [
      { code: [i32c(index), 0x11, 0, 0], export: "run" },
      { params: [i32], code: [] },
    ],
    table: [0x70, 0, 4],
    elements: [[0, i32c(0), W.end, vector([table])]],
  });
  it.each<[string, ModuleSpec]>([
    ["unreachable", body(W.unreachable)],
    ["a division by zero", body(i32c(1), i32c(0), 0x6d, W.drop)],
    ["a remainder by zero", body(i64c(1), i64c(0), 0x82, W.drop)],
    ["a quotient too large", body(i32c(-(2 ** 31)), i32c(-1), 0x6d, W.drop)],
    ["an indirect call of another type", indirect(0, 1)],
    ["an indirect call of nothing", indirect(2, 0)],
    ["an indirect call outside of the table", indirect(9, 0)],
  ])("%s ends the call and costs its whole limit", (_name, spec) => {
    const world = new VmWorld();
    expect(world.call(world.install(spec), "run", { gas: 400_000 })).toMatchObject({ failure: TRAP, gasUsed: 400_000, logs: [] });
  });
});

describe("gas", () => {
  const spec: ModuleSpec = {
    imports: [importOf("log", [i32, i32])],
    functions: [
      {
        export: "run",
        locals: [[1, i32]],
        code: [
          i32c(0),
          i32c(2),
          call(0),
          i32c(7),
          set(0),
          loop(W.void, get(0), i32c(1), sub, 0x22, 0, brIf(0)),
          block(W.void, i32c(0), brIf(0), i32c(1), W.drop),
        ],
      },
    ],
    data: [data(0, "hi")],
  };

  it("is what the schedule says, to the unit", () => {
    const world = new VmWorld();
    const id = world.install(spec);
    const { gasUsed } = world.call(id);
    const entry = 4 + 1;
    const host = GAS.host + GAS.hostWord + GAS.log + GAS.logByte * 2;
    const before = 1 + 1 + 4 + 1 + 1;
    const rounds = 7 * (1 + 1 + 1 + 1 + 1 + 1);
    const after = 1 + 1 + 1;
    const loading = world.loadingGas(id) + GAS.wasmPage;
    expect(gasUsed).toBe(loading + GAS.callByte * 2 + entry + before + host + rounds + after);
  });

  it("suffices at exactly what is used; one less is not enough", () => {
    const world = new VmWorld();
    const id = world.install(spec);
    const { gasUsed } = world.call(id);
    expect(inShort(world.call(id, "run", { gas: gasUsed }))).toBe("ok");
    expect(world.call(id, "run", { gas: gasUsed - 1 })).toMatchObject({ failure: OUT_OF_GAS, gasUsed: gasUsed - 1 });
  });

  it("that is left is what the module sees, and never more than what it was given", () => {
    const world = new VmWorld();
    const imports = [importOf("gas_left", [], i64), importOf("ret", [i32, i32])];
    const id = world.install({ imports, ...body(i32c(0), call(0), 0x37, 3, 0, i32c(0), i32c(8), call(1)) });
    const { result, gasUsed } = world.call(id, "run", { gas: 500_000 });
    const seen = Number(new DataView(result.buffer, result.byteOffset).getBigUint64(0, true));
    expect(500_000 - seen).toBeLessThan(gasUsed);
    expect(gasUsed - (500_000 - seen)).toBe(GAS.host + GAS.hostWord);
  });
});

describe("what a call leaves behind", () => {
  const dirty: ModuleSpec = {
    imports: [importOf("ret", [i32, i32])],
    globals: [[i32, 1, i32c(5), W.end]],
    data: [data(16, "abcd")],
    functions: [
      { export: "spoil", code: [i32c(99), setGlobal(0), i32c(16), i32c(0), store(), i32c(60_000), i32c(1), store()] },
      { export: "spoilAndTrap", code: [i32c(99), setGlobal(0), i32c(16), i32c(0), store(), i32c(60_000), i32c(1), store(), W.unreachable] },
      { export: "spoilAndLoop", code: [i32c(99), setGlobal(0), i32c(60_000), i32c(1), store(), loop(W.void, br(0))] },
      { export: "growAndSpoil", code: [i32c(1), grow, W.drop, i32c(99), setGlobal(0), i32c(16), i32c(0), store()] },
      {
        export: "look",
        code: [
          i32c(0),
          getGlobal(0),
          store(),
          i32c(4),
          i32c(16),
          load(),
          store(),
          i32c(8),
          i32c(60_000),
          load(),
          store(),
          i32c(12),
          0x3f,
          0,
          store(),
          i32c(0),
          i32c(20),
          call(0),
        ],
      },
    ],
  };
  const methods = ["spoil", "spoilAndTrap", "spoilAndLoop", "growAndSpoil", "look"];
  const clean = [5, 0x64636261, 0, 1, 0x64636261];
  const read = (world: VmWorld, id: string): readonly number[] => {
    const { result } = world.call(id, "look");
    const view = new DataView(result.buffer, result.byteOffset);
    return [0, 4, 8, 12, 16].map((at) => view.getInt32(at, true));
  };

  it.each([32, 0])("is nothing: memory and globals are fresh (%i instances kept)", (idleInstances) => {
    const world = new VmWorld({ idleInstances });
    const id = world.install(dirty, methods);
    for (let round = 0; round < 20; round += 1) {
      expect(read(world, id)).toEqual(clean);
      world.call(id, methods[round % 4]);
    }
    expect(read(world, id)).toEqual(clean);
  });
});

describe("names", () => {
  it.each(["__proto__", "constructor", "toString", "gas", "g", "r", "x:run", "_start", "hidden", "typed"])(
    "a call of %s finds no method",
    (method) => {
      const world = new VmWorld();
      const spec: ModuleSpec = {
        functions: [
          { code: [], export: "run" },
          { code: [], export: "hidden" },
          { code: [], params: [i32], export: "typed" },
          { code: [], export: "_start" },
        ],
      };
      expect(inShort(world.call(world.install(spec), method))).toBe("CONTRACT_METHOD_UNKNOWN");
    },
  );

  it("of starting functions run before the method, each time", () => {
    const world = new VmWorld();
    const imports = [importOf("ret", [i32, i32])];
    const spec: ModuleSpec = {
      imports,
      functions: [
        { export: "_start", code: [i32c(0), i32c(0), load(), i32c(1), add, store()] },
        { export: "run", code: [i32c(0), i32c(4), call(0)] },
      ],
    };
    const id = world.install(spec);
    for (let round = 0; round < 3; round += 1) expect(world.call(id).result).toEqual(Uint8Array.of(1, 0, 0, 0));
  });
});
