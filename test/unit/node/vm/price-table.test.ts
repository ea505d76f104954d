// The prices of docs/contract-host.md, taken from the page and from WebAssembly's own list of instructions, against what running each
// instruction costs. Nothing here comes from the machine's tables.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inspectModule } from "#node/vm/contract-vm.ts";
import { projectRoot } from "#test/support/nodes/run-program.ts";
import { block, brIf, buildModule, type Code, call, i32c, i64c, loop, type ModuleSpec, W, when } from "#test/support/vm/wasm-builder.ts";
import { VmWorld } from "#test/support/worlds/vm-world.ts";

const page = (name: string): string => readFileSync(join(projectRoot, "docs", name), "utf8");
const numberOf = (text: string | undefined): number => Number(text?.replaceAll(",", ""));

/** Rows of the table of instructions: what stands in them, and every number of their price. */
const ROWS = [
  ...(page("contract-host.md").split("| instruction | gas |")[1]?.split("\n\n")[0] ?? "").matchAll(/^\| (.+) \| (.+) \|$/gm),
].map(([, what = "", price = ""]) => ({ what, prices: (price.match(/[\d,]*\d/g) ?? []).map(numberOf) }));
const rowOf = (what: string): readonly number[] => ROWS.find((row) => row.what === what)?.prices ?? [Number.NaN];
const FAR_LOAD = rowOf("loads of any other module")[0] ?? Number.NaN;

/** Price of an instruction by its name in a near module. */
function priceOf(name: string): number {
  const [type = "", verb = ""] = name.split(".");
  const isDivision = /^(div|rem)_[su]$/.test(verb);
  const row = ROWS.find(({ what }) => {
    if (what.includes(`\`${name}\``)) return true;
    if (what === "stores") return verb.startsWith("store");
    if (what === "loads of a near module") return verb.startsWith("load");
    return isDivision && what.endsWith(`division and remainder of ${type}`);
  });
  return (row?.prices ?? rowOf("everything that is not listed"))[0] ?? Number.NaN;
}

/** An instruction of the specification: its operands and its result by letters, and what follows it in the code. */
interface Listed {
  readonly opcode: number;
  readonly name: string;
  readonly operands: string;
  readonly result: string;
  readonly immediate: Code;
}

const COMPARISONS = ["eq", "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u"];
const COUNTS = ["clz", "ctz", "popcnt"];
const ARITHMETIC = "add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr".split(" ");

/** Instructions in the order of their opcodes, from one on. */
function listed(from: number, names: readonly string[], signature: string, immediate: Code = []): readonly Listed[] {
  const [operands = "", result = ""] = signature.split(":");
  return names.map((name, at) => ({ opcode: from + at, name, operands, result, immediate }));
}

function typed(type: "i32" | "i64", from: number): readonly Listed[] {
  const letter = type === "i32" ? "i" : "l";
  const named = (names: readonly string[]): readonly string[] => names.map((verb) => `${type}.${verb}`);
  const [test, counts] = type === "i32" ? [0x45, 0x67] : [0x50, 0x79];
  return [
    ...listed(test, named(["eqz"]), `${letter}:i`),
    ...listed(test + 1, named(COMPARISONS), `${letter}${letter}:i`),
    ...listed(counts, named(COUNTS), `${letter}:${letter}`),
    ...listed(counts + 3, named(ARITHMETIC), `${letter}${letter}:${letter}`),
    ...listed(from, named(["const"]), `:${letter}`, 7),
  ];
}

const PLAIN: readonly Listed[] = [
  ...typed("i32", 0x41),
  ...typed("i64", 0x42),
  ...listed(0x28, ["i32.load"], "i:i", [0, 0]),
  ...listed(0x29, ["i64.load"], "i:l", [0, 0]),
  ...listed(0x2c, ["i32.load8_s", "i32.load8_u", "i32.load16_s", "i32.load16_u"], "i:i", [0, 0]),
  ...listed(
    0x30,
    ["8_s", "8_u", "16_s", "16_u", "32_s", "32_u"].map((size) => `i64.load${size}`),
    "i:l",
    [0, 0],
  ),
  ...listed(0x36, ["i32.store"], "ii:", [0, 0]),
  ...listed(0x37, ["i64.store"], "il:", [0, 0]),
  ...listed(0x3a, ["i32.store8", "i32.store16"], "ii:", [0, 0]),
  ...listed(0x3c, ["i64.store8", "i64.store16", "i64.store32"], "il:", [0, 0]),
  ...listed(0x3f, ["memory.size"], ":i", 0),
  ...listed(0xa7, ["i32.wrap_i64"], "l:i"),
  ...listed(0xac, ["i64.extend_i32_s", "i64.extend_i32_u"], "i:l"),
  ...listed(0xc0, ["i32.extend8_s", "i32.extend16_s"], "i:i"),
  ...listed(0xc2, ["i64.extend8_s", "i64.extend16_s", "i64.extend32_s"], "l:l"),
  ...listed(0x01, ["nop"], ":"),
  ...listed(0x0f, ["return"], ":"),
  ...listed(0x1a, ["drop"], "i:"),
  ...listed(0x1b, ["select"], "lli:l"),
  ...listed(0x20, ["local.get"], ":i", 0),
  ...listed(0x21, ["local.set"], "i:", 0),
  ...listed(0x22, ["local.tee"], "i:i", 0),
  ...listed(0x23, ["global.get"], ":i", 0),
  ...listed(0x24, ["global.set"], "i:", 0),
];
/** Opcodes that are tried by themselves, `unreachable` aside: a call that traps pays its whole limit. */
const BY_THEMSELVES = [0x00, 0x02, 0x03, 0x04, 0x05, 0x0b, 0x0c, 0x0d, 0x0e, 0x10, 0x11, 0x40];
/** Of memory.copy and memory.fill. */
const PREFIX = 0xfc;

/** What kind of module pays. */
const KINDS = {
  near: { pages: 8, others: 0, loads: priceOf("i32.load"), times: 1, stretch: 0 },
  "with a large memory": { pages: 9, others: 0, loads: FAR_LOAD, times: 1, stretch: 0 },
  heavy: { pages: 8, others: 42_000, loads: FAR_LOAD, times: 2, stretch: 10 },
} as const;
type Kind = (typeof KINDS)[keyof typeof KINDS];

/** Instructions that are paid together; numbers are gas that costs the same in all modules. */
type Stretch = readonly (string | number)[];
const ENTRY = "entry";
const LOCAL = "a local that is entered with";
const ROUND = "round";

/** Gas of stretches. */
function gasOf({ loads, times, stretch }: Kind, stretches: readonly Stretch[]): number {
  const one = (name: string): number => {
    const row = { [ENTRY]: rowOf("entering a function")[0], [LOCAL]: rowOf("entering a function")[1] }[name];
    return row ?? (name === ROUND ? (rowOf("beginning a round of a loop")[0] ?? Number.NaN) : priceOf(name));
  };
  const sum = (items: readonly number[]): number => items.reduce((total, gas) => total + gas, 0);
  return sum(
    stretches.map((items) => {
      const names = items.filter((item) => typeof item === "string");
      const isLoad = (name: string): boolean => name.includes(".load");
      const plain = sum(names.filter((name) => !isLoad(name)).map(one));
      const same = sum(items.filter((item) => typeof item === "number")) + loads * names.filter(isLoad).length;
      return times * plain + same + (names.length > 0 && plain + same > 0 ? stretch : 0);
    }),
  );
}

/** What each of some pieces of code costs in a module of a kind that has all of them, after loading. */
function paidEach({ pages, others }: Kind, codes: readonly Code[]): readonly number[] {
  const world = new VmWorld();
  const names = codes.map((_, at) => `run${at}`);
  const [first, ...further] = codes.map((code, at) => ({ export: `run${at}`, locals: [[1, W.i32]] as const, code }));
  const functions: NonNullable<ModuleSpec["functions"]> = [
    ...(first === undefined ? [] : [first]),
    { code: [] },
    { code: Array.from({ length: others }, () => W.nop) },
    ...further,
  ];
  const [globals, table, elements] = [[[W.i32, 1, i32c(0), W.end]], [0x70, 0, 1], [[0, i32c(0), W.end, 1, 1]]];
  const id = world.install({ functions, globals, table, elements, memory: [1, 1, pages] }, names);
  return names.map((name) => {
    const outcome = world.call(id, name, { gas: 10_000_000 });
    expect(outcome.failure).toBeUndefined();
    return outcome.gasUsed - world.loadingGas(id) - pageAndArguments();
  });
}

/** What code costs in a module of a kind. */
function paid(kind: Kind, code: Code): number {
  return paidEach(kind, [code])[0] ?? Number.NaN;
}

/** A page of memory, and the empty list of arguments. */
function pageAndArguments(): number {
  const gas = (name: string): number => numberOf(new RegExp(`^\\| \`${name}\` \\| ([\\d,]+) \\|`, "m").exec(page("contracts.md"))?.[1]);
  return gas("wasmPage") + gas("callByte") * "[]".length;
}

const operand = (letter: string): Code => (letter === "i" ? i32c(3) : i64c(3));
const operandName = (letter: string): string => (letter === "i" ? "i32.const" : "i64.const");

describe.each(Object.entries(KINDS))("a module that is %s", (_, kind) => {
  const entering = [ENTRY, LOCAL];

  it("pays for every instruction what the page says", () => {
    const codes = PLAIN.map(({ opcode, operands, result, immediate }): Code => {
      return [[...operands].map(operand), opcode, immediate, result === "" ? [] : W.drop];
    });
    const costs = paidEach(kind, codes);
    const prices = PLAIN.map(({ name, operands }) => gasOf(kind, [[...entering, ...[...operands].map(operandName), name]]));
    expect(PLAIN.map(({ name }, at) => [name, costs[at]])).toEqual(PLAIN.map(({ name }, at) => [name, prices[at]]));
  });

  const c = "i32.const";
  it.each<readonly [string, Code, readonly Stretch[]]>([
    ["block, end", block(W.void, W.nop), [entering]],
    ["loop", loop(W.void, i32c(1), W.drop), [entering, [ROUND, c]]],
    ["if", [i32c(1), when(W.void, [i32c(1), W.drop])], [[...entering, c, "if"], [c]]],
    ["if that is not taken", [i32c(0), when(W.void, [i32c(1), W.drop])], [[...entering, c, "if"]]],
    ["else", [i32c(0), when(W.void, W.nop, [i32c(1), W.drop])], [[...entering, c, "if"], [c]]],
    ["br", block(W.void, 0x0c, 0), [[...entering, "br"]]],
    ["br_if", block(W.void, i32c(0), brIf(0), i32c(1), W.drop), [[...entering, c, "br_if"], [c]]],
    ["br_table", block(W.void, i32c(0), 0x0e, 0, 0), [[...entering, c, "br_table"]]],
    ["call", call(1), [[...entering, "call"], [ENTRY]]],
    ["call_indirect", [i32c(0), 0x11, 0, 0], [[...entering, c, "call_indirect"], [ENTRY]]],
    ["memory.grow", [i32c(2), 0x40, 0, W.drop], [[...entering, c, "memory.grow"], [2 * (rowOf("`memory.grow`")[1] ?? 0)]]],
    ["memory.copy", [i32c(0), i32c(8), i32c(17), 0xfc, 10, 0, 0], [[...entering, c, c, c, "memory.copy"], [2]]],
    ["memory.fill", [i32c(0), i32c(8), i32c(17), 0xfc, 11, 0], [[...entering, c, c, c, "memory.fill"], [2]]],
    ["nothing", [], [entering]],
  ])("pays for %s what the page says", (_name, code, stretches) => {
    expect(paid(kind, code)).toBe(gasOf(kind, stretches));
  });
});

it("takes the instructions of the list and no others", () => {
  const isKnown = (code: Code): boolean => {
    const inspection = inspectModule(buildModule({ functions: [{ export: "run", code }] }));
    return inspection.isValid || !/not allowed/.test(inspection.message);
  };
  const found = Array.from({ length: 256 }, (_, opcode) => opcode).filter(
    (opcode) => opcode !== PREFIX && isKnown([opcode, W.void, 0, 0, 0]),
  );
  expect(found).toEqual([...PLAIN.map(({ opcode }) => opcode), ...BY_THEMSELVES].sort((a, b) => a - b));
  const prefixed = Array.from({ length: 32 }, (_, opcode) => opcode).filter((opcode) => isKnown([PREFIX, opcode, 0, 0, 0]));
  expect(prefixed).toEqual([10, 11]);
});
