// Loading: modules that the compiler takes long for, by what they pay. The code is left before it begins, and compiled all the same.
import { MODULE_LIMITS } from "#node/vm/module/module-limits.ts";
import { block, brIf, type Code, call, i32c, i64c, loop, type ModuleSpec, set, u32, W, when } from "../../support/vm/wasm-builder.ts";
import { type HostileCase, many } from "./hostile-case.ts";

const { i32, i64 } = W;
type Functions = NonNullable<ModuleSpec["functions"]>;

/** Modules of one round: small ones are too quick for a clock. */
const LARGE_MODULES = 4;
const SMALL_MODULES = 200;
const TARGETS = 120;

let seeds = 0;

/** Modules that are dear to compile, each another one. */
export function loadingCases(): readonly HostileCase[] {
  const ofFunctions = Object.entries(shapes()).map(([what, functions]): readonly [string, ModuleSpec] => [what, { functions }]);
  return [...ofFunctions, ...Object.entries(furnishings())].map(([what, spec]) => ({
    what: `loading: ${what}`,
    cacheBytes: 1,
    isFirstOnly: true,
    prepare: (world): (() => number) => {
      const count = what.startsWith("small") ? SMALL_MODULES : LARGE_MODULES;
      const ids = Array.from({ length: count }, () => {
        seeds += 1;
        return world.install({ ...spec, globals: [[i32, 0, i32c(seeds), W.end]] });
      });
      return () => ids.reduce((sum, id) => sum + world.call(id, "run", { gas: 100_000_000 }).gasUsed, 0);
    },
  }));
}

/** A module that is slow to load for its size, each another one. */
export function slowToLoad(): ModuleSpec {
  seeds += 1;
  return { functions: tables(500, (at) => at), globals: [[i32, 0, i32c(seeds), W.end]] };
}

function shapes(): Readonly<Record<string, Functions>> {
  const branch = block(W.void, i32c(0), brIf(0));
  const emptyIf = [i32c(0), when(W.void, [])];
  return {
    "small: an empty function": [{ export: "run", code: [] }],
    "tables of 120 equal targets, 500 locals": tables(500, () => 0),
    "tables of 120 equal targets, 10 locals": tables(10, () => 0),
    "tables of 120 targets, 500 locals": tables(500, (at) => at),
    "tables of 120 targets, 10 locals": tables(10, (at) => at),
    "2,000 loops, 500 locals": skipped(500, many(2_000, loop(W.void, i32c(0), brIf(0)))),
    "2,000 blocks, 500 locals": skipped(500, many(2_000, branch)),
    "1,500 ifs, 500 locals": skipped(500, many(1_500, emptyIf)),
    "2,000 branches, 500 locals": skipped(500, many(2_000, [i32c(0), brIf(0)])),
    "8,000 loops, 10 locals": skipped(10, many(8_000, loop(W.void, i32c(0), brIf(0)))),
    "8,000 blocks, 10 locals": skipped(10, many(8_000, branch)),
    "8,000 ifs, 10 locals": skipped(10, many(8_000, emptyIf)),
    "4,000 functions of 500 locals": functionsOf(500),
    "4,000 empty functions": functionsOf(0),
    calls: skipped(0, many(30_000, call(0))),
    "calls of 32 parameters": [
      ...skipped(0, many(600, [many(32, i32c(0)), call(1)])),
      { params: Array.from({ length: 32 }, () => i32), code: [] },
    ],
    "straight lines": skipped(0, many(9_000, [i32c(1), i32c(2), 0x6a, W.drop])),
    operands: skipped(0, many(20, [many(1_000, i64c(1)), many(1_000, W.drop)])),
    "operands over calls": skipped(0, [many(1_000, i64c(1)), many(8_000, call(0)), many(1_000, W.drop)]),
    "operands over branches": skipped(0, [many(500, i64c(1)), many(2_000, branch), many(500, W.drop)]),
    stores: skipped(0, many(9_000, [i32c(0), i32c(0), 0x36, 2, 0])),
    divisions: skipped(0, many(8_000, [i64c(1), i64c(1), 0x7f, W.drop])),
  };
}

/** Modules that are dear by what they have beside code. */
function furnishings(): Readonly<Record<string, ModuleSpec>> {
  const run = { export: "run", code: [] };
  const table = [0x70, 0, u32(MODULE_LIMITS.tableElements)];
  const elements = [[0, i32c(0), W.end, u32(MODULE_LIMITS.tableElements), many(MODULE_LIMITS.tableElements, 0)]];
  const imports = Array.from({ length: MODULE_LIMITS.imports }, () => ({ name: "gas_left", results: [i64] }));
  const typed = Array.from({ length: 1_000 }, (_, at) => ({
    params: Array.from({ length: MODULE_LIMITS.parameters }, (__, bit) => ((at >> (bit % 10)) & 1 ? i64 : i32)),
    code: [],
  }));
  return {
    "small: a table": { functions: [run], table },
    "small: a table that is filled": { functions: [run], table, elements },
    "small: imports": { functions: [run], imports },
    "1,000 functions of as many types": { functions: [run, ...typed] },
  };
}

/** A function that is left at its first branch. */
function skipped(locals: number, code: Code): Functions {
  return [{ export: "run", locals: [[locals, i64]], code: [i32c(1), brIf(0), code] }];
}

/** Branch tables inside loops, with every local set to a constant that the compiler must put somewhere at each target. */
function tables(locals: number, targetOf: (at: number) => number): Functions {
  const table = block(
    W.void,
    i32c(0),
    0x0e,
    u32(TARGETS - 1),
    Array.from({ length: TARGETS }, (_, at) => u32(targetOf(at))),
  );
  const constants = Array.from({ length: locals }, (_, at) => [i64c(7), set(at)]);
  return skipped(locals, [many(TARGETS - 1, [0x03, W.void]), constants, many(400, table), many(TARGETS - 1, W.end)]);
}

function functionsOf(locals: number): Functions {
  return Array.from({ length: 4_000 }, (_, at) => ({ locals: [[locals, i64]] as const, code: [], ...(at === 0 ? { export: "run" } : {}) }));
}
