// Which modules can be deployed: everything outside of the allowed language, every limit and every malformation, each with its reason.
import { describe, expect, it } from "vitest";
import { inspectModule } from "#node/vm/contract-vm.ts";
import { MODULE_LIMITS } from "#node/vm/module/module-limits.ts";
import {
  block,
  br,
  brIf,
  buildModule,
  type Code,
  call,
  data,
  type FunctionSpec,
  flat,
  get,
  getGlobal,
  grow,
  i32c,
  i64c,
  load,
  type ModuleSpec,
  name,
  section,
  set,
  setGlobal,
  store,
  u32,
  vector,
  W,
  when,
} from "#test/support/vm/wasm-builder.ts";

const body = (...code: readonly Code[]): ModuleSpec => ({ functions: [{ code, export: "run" }] });
const func = (spec: Partial<FunctionSpec>): ModuleSpec => ({ functions: [{ code: [], ...spec }] });
const reasonOf = (code: Uint8Array): string => {
  const inspection = inspectModule(code);
  return inspection.isValid ? "valid" : inspection.reason;
};
const zeros = (count: number): Code => new Array<number>(count).fill(0);
const repeat = (count: number, code: Code): Code => Array.from({ length: count }, () => code);
const FUNCREF = 0x70;
const i32Global = (init: Code, isMutable = 1): Code => [W.i32, isMutable, init, W.end];

const VALID: readonly (readonly [string, ModuleSpec])[] = [
  ["nothing but a memory", {}],
  ["sign extension", body(i32c(1), 0xc0, 0xc1, W.drop, i64c(1), 0xc2, 0xc3, 0xc4, W.drop)],
  ["memory.copy and memory.fill", body(i32c(0), i32c(0), i32c(0), 0xfc, 10, 0, 0, i32c(0), i32c(0), i32c(0), 0xfc, 11, 0)],
  ["code behind a return", body(W.return, 0x6a, W.drop)],
  ["a branch table in code that is never reached", body(W.unreachable, 0x0e, 1, 0, 0)],
  ["a select of unknown values", body(W.unreachable, W.select, W.drop)],
  ["a table without elements", { ...body(), table: [FUNCREF, 0, 4] }],
  ["a table without places", { ...body(), table: [FUNCREF, 0, 0], elements: [[0, i32c(0), W.end, vector([])]] }],
  [
    "segments of a table that overlap, and one of nothing at its end",
    {
      ...body(),
      table: [FUNCREF, 1, 2, 9],
      elements: [
        [0, i32c(0), W.end, vector([0, 0])],
        [0, i32c(1), W.end, vector([0])],
        [0, i32c(2), W.end, vector([])],
      ],
    },
  ],
  ["a table with functions", { ...body(), table: [FUNCREF, 0, 1], elements: [[0, i32c(0), W.end, vector([0])]] }],
  ["padded integers", body(0x41, 0x80, 0x80, 0x80, 0x80, 0x00, W.drop)],
  ["the smallest integers", body(i32c(-(2 ** 31)), W.drop, i64c(-(1n << 63n)), W.drop)],
  [
    "custom sections anywhere",
    {
      extra: [
        { before: 1, id: 0, content: name("a") },
        { before: 12, id: 0, content: [name("b"), 1, 2] },
      ],
    },
  ],
  ["a count of data segments", { ...body(), extra: [{ before: 10, id: 12, content: 1 }], data: [data(0, "x")] }],
  ["data up to the end of the memory", { data: [data(65_535, "x")] }],
  ["memory without bounds, of which 64 pages remain", { memory: [1, 32, u32(65_536)] }],
];

const FLOATS: readonly (readonly [string, ModuleSpec])[] = [
  ["f32.add", body(0x92)],
  ["f64.add", body(0xa0)],
  ["f32.const", body(0x43, zeros(4), W.drop)],
  ["f64.const", body(0x44, zeros(8), W.drop)],
  ["a parameter", func({ params: [W.f32] })],
  ["a result", func({ results: [W.f64], code: [W.unreachable] })],
  ["a local", func({ locals: [[1, W.f32]] })],
  ["a global", { globals: [[W.f64, 0, 0x44, zeros(8), W.end]] }],
  ["a block type", body(0x02, W.f32, W.unreachable, W.end, W.drop)],
  ["f32.load", body(i32c(0), 0x2a, 2, 0, W.drop)],
  ["f64.store", body(0x39, 3, 0)],
  ["f32.reinterpret_i32", body(i32c(0), 0xbe, W.drop)],
  ["i32.reinterpret_f32", body(0xbc)],
  ["i32.trunc_f32_s", body(0xa8)],
  ["i64.trunc_sat_f64_u", body(0xfc, 7)],
  ["f64.convert_i64_u", body(0xba)],
  ["a comparison", body(0x5b)],
];

const FEATURES: readonly (readonly [string, ModuleSpec])[] = [
  ["SIMD", body(0xfd, 12, zeros(16), W.drop)],
  ["relaxed SIMD", body(0xfd, 0x80, 0x02)],
  ["atomics", body(0xfe, 0x10, 2, 0)],
  ["a shared memory", { memory: [3, 1, 1] }],
  ["a 64-bit memory", { memory: [4, 1] }],
  ["access of a second memory", body(i32c(0), 0x28, 0x42, 0, 0, W.drop)],
  ["memory.size of a second memory", body(0x3f, 1, W.drop)],
  ["memory.copy between memories", body(i32c(0), i32c(0), i32c(0), 0xfc, 10, 1, 0)],
  ["memory.init", body(i32c(0), i32c(0), i32c(0), 0xfc, 8, 0, 0)],
  ["data.drop", body(0xfc, 9, 0)],
  ["table.copy", body(0xfc, 14, 0, 0)],
  ["table.grow", body(0xfc, 15, 0)],
  ["table.get", body(i32c(0), 0x25, 0)],
  ["externref", func({ params: [0x6f] })],
  ["a table of externref", { table: [0x6f, 0, 1] }],
  ["ref.null", body(0xd0, 0x70, W.drop)],
  ["ref.func", body(0xd2, 0, W.drop)],
  ["a typed select", body(i32c(0), i32c(0), i32c(0), 0x1c, 1, W.i32, W.drop)],
  ["a tail call", body(0x12, 0)],
  ["try", body(0x06, W.void, W.end)],
  ["throw", body(0x08, 0)],
  ["a section of tags", { extra: [{ before: 6, id: 13, content: [1, 0, 0] }] }],
  ["a garbage-collected type", { extra: [{ before: 1, id: 1, content: [1, 0x5f, 0] }] }],
  ["a recursive type", { extra: [{ before: 1, id: 1, content: [1, 0x4e, 0] }] }],
  ["a garbage collection instruction", body(0xfb, 0)],
  ["a block with a type index", body(0x02, 0, W.end)],
  ["passive data", { data: [[1, name("x")]] }],
  ["data of a memory that is named", { data: [[2, 0, i32c(0), W.end, name("x")]] }],
  ["passive elements", { table: [FUNCREF, 0, 1], elements: [[1, 0, 0]] }],
  ["elements of a table by its number", { table: [FUNCREF, 0, 1], elements: [[2, 0, i32c(0), W.end, 0, vector([])]] }],
  ["declared elements", { table: [FUNCREF, 0, 1], elements: [[3, 0, vector([])]] }],
  ["elements by expressions", { table: [FUNCREF, 0, 1], elements: [[4, i32c(0), W.end, vector([])]] }],
  ["elements at a variable's place", { table: [FUNCREF, 0, 1], elements: [[0, 0x23, 0, W.end, vector([])]] }],
  ["extended constants", { globals: [[W.i32, 0, i32c(1), i32c(2), 0x6a, W.end]] }],
  ["a global from another", { globals: [i32Global(i32c(1)), [W.i32, 0, 0x23, 0, W.end]] }],
  ["a start section", { ...body(), start: 0 }],
  ["an instruction that does not exist", body(0x27)],
  ["an instruction behind the prefix that does not exist", body(0xfc, 0x40)],
];

const IMPORTS: readonly (readonly [string, ModuleSpec])[] = [
  ["an unknown function", { imports: [{ name: "print" }] }],
  ["WASI", { imports: [{ module: "wasi_snapshot_preview1", name: "fd_write" }] }],
  ["a function of another module", { imports: [{ module: "host", name: "value", results: [W.i64] }] }],
  ["another parameter", { imports: [{ name: "log", params: [W.i32, W.i64] }] }],
  ["a parameter too few", { imports: [{ name: "log", params: [W.i32] }] }],
  ["another result", { imports: [{ name: "value", results: [W.i32] }] }],
  ["a result too many", { imports: [{ name: "log", params: [W.i32, W.i32], results: [W.i32] }] }],
  ["__proto__", { imports: [{ name: "__proto__" }] }],
  ["constructor", { imports: [{ name: "constructor" }] }],
  ["a memory", { extra: [{ before: 2, id: 2, content: [1, name("env"), name("memory"), 2, 0, 1] }] }],
  ["a table", { extra: [{ before: 2, id: 2, content: [1, name("env"), name("table"), 1, FUNCREF, 0, 1] }] }],
  ["a global", { extra: [{ before: 2, id: 2, content: [1, name("env"), name("g"), 3, W.i32, 0] }] }],
];

const TYPES: readonly (readonly [string, ModuleSpec])[] = [
  ["a missing operand", body(W.drop)],
  ["an operand from outside of the block", body(i32c(1), block(W.void, W.drop))],
  ["another type", body(i32c(1), i64c(1), 0x6a, W.drop)],
  ["a value left over", body(i32c(1))],
  ["a missing result", func({ results: [W.i32] })],
  ["a result of another type", func({ results: [W.i32], code: i64c(1) })],
  ["a block without its result", body(block(W.i32), W.drop)],
  ["an if with a result and no else", body(i32c(1), 0x04, W.i32, i32c(1), W.end, W.drop)],
  ["branches that differ", body(i32c(1), when(W.i32, i32c(1), i64c(1)), W.drop)],
  ["a branch without the value", body(block(W.i32, br(0)), W.drop)],
  ["a branch table of different labels", body(block(W.i32, block(W.void, i32c(1), i32c(1), 0x0e, 1, 0, 1), i32c(1)), W.drop)],
  ["a constant that is set", { ...body(i32c(1), setGlobal(0)), globals: [i32Global(i32c(1), 0)] }],
  ["a global of another type", { globals: [[W.i32, 0, i64c(1), W.end]] }],
  ["a local of another type", func({ locals: [[1, W.i64]], code: [i32c(1), set(0)] })],
  ["a select of two types", body(i32c(1), i64c(1), i32c(1), W.select, W.drop)],
  ["an alignment beyond the natural one", body(i32c(0), 0x28, 3, 0, W.drop)],
  ["a condition that is i64", body(i64c(1), when(W.void, []))],
];

const LIMITS: readonly (readonly [string, ModuleSpec])[] = [
  ["bodies", body(repeat(MODULE_LIMITS.bodyBytes, W.nop))],
  ["four billion locals", func({ locals: [[4_294_967_295, W.i32]] })],
  [
    "locals in many groups",
    func({
      locals: [
        [600, W.i32],
        [425, W.i64],
      ],
    }),
  ],
  ["locals and parameters", func({ params: [W.i32], locals: [[512, W.i32]] })],
  ["parameters", func({ params: new Array<number>(33).fill(W.i32) })],
  ["a thousand parameters", func({ params: new Array<number>(1_000).fill(W.i32) })],
  ["results", func({ results: [W.i32, W.i32], code: [i32c(1), i32c(1)] })],
  ["functions", { functions: Array.from({ length: 4_097 }, () => ({ code: [] })) }],
  ["nesting", body(repeat(5_000, [0x02, W.void]), repeat(5_000, W.end))],
  ["operands", body(repeat(5_000, i32c(1)), repeat(5_000, W.drop))],
  ["branch targets", body(i32c(0), 0x0e, u32(60_000), repeat(60_001, 0))],
  ["tables", { extra: [{ before: 4, id: 4, content: [2, FUNCREF, 0, 1, FUNCREF, 0, 1] }] }],
  ["elements of a table", { table: [FUNCREF, 0, u32(10_000_000)] }],
  ["pages of memory", { memory: [0, 33] }],
  ["memories", { memory: null, extra: [{ before: 5, id: 5, content: [2, 0, 1, 0, 1] }] }],
  ["globals", { globals: Array.from({ length: 257 }, () => i32Global(i32c(0))) }],
  ["exports", { ...body(), exports: Array.from({ length: 257 }, (_, index) => [name(`e${index}`), 0, 0]) }],
  ["imports", { imports: Array.from({ length: 65 }, () => ({ name: "value", results: [W.i64] })) }],
  ["data segments", { data: Array.from({ length: 1_025 }, () => data(0, "")) }],
  ["element segments", { table: [FUNCREF, 0, 1], elements: Array.from({ length: 65 }, () => [0, i32c(0), W.end, 0]) }],
  ["names", { ...body(), exports: [[name("n".repeat(129)), 0, 0]] }],
];

const MALFORMED: readonly (readonly [string, ModuleSpec])[] = [
  ["a memory whose maximum is below its minimum", { memory: [1, 2, 1] }],
  ["an overlong integer", body(0x41, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00, W.drop)],
  ["an integer with bits beyond 32", body(0x41, 0xff, 0xff, 0xff, 0xff, 0x4f, W.drop)],
  ["an index with bits beyond 32", body(0x20, 0xff, 0xff, 0xff, 0xff, 0x1f, W.drop)],
  ["a function that continues behind its end", body(W.end, W.nop)],
  ["a branch out of the function", body(br(2))],
  ["a missing local", body(get(0), W.drop)],
  ["a missing global", body(getGlobal(0), W.drop)],
  ["a missing function", body(call(7))],
  ["a missing type", body(i32c(0), 0x11, 9, 0)],
  ["an indirect call without a table", body(i32c(0), 0x11, 0, 0)],
  ["an else outside of an if", body(W.else)],
  [
    "an export twice",
    {
      ...body(),
      exports: [
        [name("a"), 0, 0],
        [name("a"), 0, 0],
      ],
    },
  ],
  ["an export of nothing", { exports: [[name("a"), 0, 0]] }],
  ["an export of an unknown kind", { exports: [[name("a"), 9, 0]] }],
  ["a name that is not UTF-8", { ...body(), exports: [[1, 0xff, 0, 0]] }],
  ["a custom section whose name is not UTF-8", { extra: [{ before: 1, id: 0, content: [1, 0xff] }] }],
  ["a section twice", { extra: [{ before: 6, id: 5, content: [1, 0, 1] }] }],
  ["sections out of order", { extra: [{ before: 1, id: 7, content: [0] }] }],
  ["bytes behind the items of a section", { memory: [0, 1, 0] }],
  [
    "functions without bodies",
    {
      memory: [0, 1],
      extra: [
        { before: 1, id: 1, content: [1, 0x60, 0, 0] },
        { before: 3, id: 3, content: [1, 0] },
      ],
    },
  ],
  ["another number of data segments", { ...body(), extra: [{ before: 10, id: 12, content: 2 }], data: [data(0, "x")] }],
  ["a mutability that is neither", { globals: [[W.i32, 2, i32c(1), W.end]] }],
];

const SEGMENTS: readonly (readonly [string, ModuleSpec])[] = [
  ["data behind the memory", { data: [data(65_536, "x")] }],
  ["data at a negative offset", { data: [data(-1, "x")] }],
  ["elements behind the table", { ...body(), table: [FUNCREF, 0, 1], elements: [[0, i32c(1), W.end, vector([0])]] }],
  ["elements at a negative offset", { ...body(), table: [FUNCREF, 0, 1], elements: [[0, i32c(-1), W.end, vector([0])]] }],
  ["elements without a table", { ...body(), elements: [[0, i32c(0), W.end, vector([0])]] }],
  ["no elements without a table", { ...body(), elements: [[0, i32c(0), W.end, vector([])]] }],
  ["no elements behind the table", { ...body(), table: [FUNCREF, 0, 1], elements: [[0, i32c(2), W.end, vector([])]] }],
  ["no elements at a negative offset", { ...body(), table: [FUNCREF, 0, 1], elements: [[0, i32c(-1), W.end, vector([])]] }],
];

describe("a module with", () => {
  it.each(VALID)("%s is valid", (_name, spec) => expect(reasonOf(buildModule(spec))).toBe("valid"));
  it.each(FLOATS)("floats in %s is refused", (_name, spec) => expect(reasonOf(buildModule(spec))).toBe("float"));
  it.each(FEATURES)("%s is refused", (_name, spec) => expect(reasonOf(buildModule(spec))).toBe("feature"));
  it.each(IMPORTS)("an import of %s is refused", (_name, spec) => expect(reasonOf(buildModule(spec))).toBe("import"));
  it.each(TYPES)("%s is refused", (_name, spec) => expect(reasonOf(buildModule(spec))).toBe("type"));
  it.each(LIMITS)("too many or too large %s is refused", (_name, spec) => expect(reasonOf(buildModule(spec))).toBe("limit"));
  it.each(MALFORMED)("%s is refused", (_name, spec) => expect(reasonOf(buildModule(spec))).toBe("malformed"));
  it.each(SEGMENTS)("%s is refused", (_name, spec) => expect(reasonOf(buildModule(spec))).toBe("segment"));
});

describe("bytes that are no module", () => {
  const module = buildModule({
    ...body(i32c(0), load(), W.drop, i32c(0), i32c(0), store(), i32c(1), grow, W.drop),
    data: [data(8, "abc")],
  });

  it.each([
    ["nothing", []],
    ["half a magic number", [0, 0x61, 0x73]],
    ["another magic number", [0, 0x61, 0x73, 0x6e, 1, 0, 0, 0]],
    ["a component", [0, 0x61, 0x73, 0x6d, 13, 0, 1, 0]],
  ])("%s is malformed", (_name, bytes) => expect(reasonOf(Uint8Array.from(bytes))).toBe("malformed"));

  it("is refused wherever it is cut, unless all that is missing is its last section", () => {
    const lengths = Array.from({ length: module.length + 1 }, (_, length) => length);
    const dataBytes = flat(section(11, vector([data(8, "abc")]))).length;
    expect(lengths.filter((length) => reasonOf(module.subarray(0, length)) === "valid")).toEqual([
      module.length - dataBytes,
      module.length,
    ]);
  });

  it("is refused without a memory, and beyond the largest size", () => {
    expect(reasonOf(buildModule({ memory: null }))).toBe("memory");
    const padding = section(0, [name("x"), zeros(MODULE_LIMITS.codeBytes)]);
    expect(reasonOf(Uint8Array.from([...module, ...flat(padding)]))).toBe("limit");
  });
});

describe("modules that are dear to compile", () => {
  const branchy = (blocks: number): ModuleSpec =>
    func({ locals: [[511, W.i64]], code: [i32c(1), brIf(0), repeat(blocks, block(W.void, i32c(0), brIf(0)))] });

  it("are refused where loading them would weigh too much", () => {
    expect(reasonOf(buildModule(branchy(100)))).toBe("valid");
    expect(reasonOf(buildModule(branchy(8_000)))).toBe("limit");
  });
});

describe("modules at the limits", () => {
  it.each<[string, ModuleSpec]>([
    ["locals", func({ params: [W.i32], locals: [[511, W.i64]] })],
    ["parameters", func({ params: new Array<number>(32).fill(W.i64) })],
    ["nesting", body(repeat(256, [0x02, W.void]), repeat(256, W.end))],
    ["operands", body(repeat(1_024, i32c(1)), repeat(1_024, W.drop))],
    ["branch targets", body(i32c(0), 0x0e, u32(1_024), repeat(1_025, 0))],
    ["functions", { functions: Array.from({ length: 4_096 }, () => ({ code: [] })) }],
    ["pages", { memory: [1, 32, 32] }],
    ["a table", { table: [FUNCREF, 0, u32(4_096)] }],
    ["a body", body(repeat(MODULE_LIMITS.bodyBytes - 2, W.nop))],
    ["branches", body(block(W.void, i32c(0), brIf(0), br(0)))],
  ])("are valid: %s", (_name, spec) => expect(reasonOf(buildModule(spec))).toBe("valid"));
});
