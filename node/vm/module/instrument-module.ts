// Rewrites a checked module with gas and stack metering inside. Everything new is appended (three globals, four functions, their types),
// so that no index of the module changes.
import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import type { Edit, FunctionPlan } from "./function-plan.ts";
import type { Signature } from "./host-signatures.ts";
import { InvalidModule } from "./invalid-module.ts";
import { FREE_TABLE_PLACES, FREE_TYPES, MODULE_LIMITS, NEAR_PAGES, NEAR_WEIGHT, TYPE_WEIGHT } from "./module-limits.ts";
import { FAR_CODE_GAS, I32, LOAD_GAS, MEMORY_GAS, OP, PREFIXED } from "./opcodes.ts";
import { type ParsedModule, parseModule, SECTION } from "./parse-module.ts";
import { planFunction } from "./plan-function.ts";

/** A module that meters itself, and what the host must know of it. */
export interface MeteredModule {
  readonly code: Uint8Array<ArrayBuffer>;
  /** Names of exported functions without parameters and result. */
  readonly entries: ReadonlySet<string>;
  /** Names of the imported host functions. */
  readonly imports: readonly string[];
  readonly initialPages: number;
  /** Bytes at the start of the memory that are not all 0. */
  readonly dataEnd: number;
  /** What loading it costs the engine, in bytes of metered code. */
  readonly weight: number;
}

/** Names of what a metered module exports to the host, beside its own functions with {@link ENTRY_PREFIX}. */
export const METERED = { gas: "g", stack: "s", fatal: "f", reset: "r", memory: "m" } as const;

/** Prefix of the names of the module's own functions. */
export const ENTRY_PREFIX = "x:";

/** What a module's prices depend on. */
interface Prices {
  readonly hasNearMemory: boolean;
  readonly hasNearCode: boolean;
}

interface Indexes {
  readonly gas: number;
  readonly stack: number;
  readonly fatal: number;
  readonly grow: number;
  readonly copy: number;
  readonly fill: number;
  readonly reset: number;
  readonly growType: number;
}

interface PricedIndexes extends Indexes {
  readonly prices: Prices;
}

const HELPER_TYPES: readonly Signature[] = [
  { params: [I32], result: I32 },
  { params: [I32, I32, I32], result: 0 },
  { params: [], result: 0 },
];

/** Checks a module whole and meters it. @throws InvalidModule */
export function instrumentModule(bytes: Uint8Array): MeteredModule {
  const module = parseModule(bytes);
  const offset = module.imports.length;
  const plans = module.bodies.map((body, index) =>
    planFunction(module, new ByteReader(body.bytes, body.at, body.end), module.functions[offset + index] ?? { params: [], result: 0 }),
  );
  const first = module.functions.length;
  const globals = module.globals.length;
  const indexes: Indexes = {
    gas: globals,
    stack: globals + 1,
    fatal: globals + 2,
    grow: first,
    copy: first + 1,
    fill: first + 2,
    reset: first + 3,
    growType: module.types.length,
  };
  const entries = [...module.exports].filter(([, index]) => isEntry(module.functions[index])).map(([name]) => name);
  const written = (prices: Prices): Metered => {
    const code = writeModule(module, plans, { indexes, entries, prices });
    const ofTable = Math.max(0, module.tablePlaces - FREE_TABLE_PLACES);
    const ofTypes = TYPE_WEIGHT * Math.max(0, module.types.length - FREE_TYPES);
    return { code, weight: plans.reduce((sum, plan) => sum + plan.weight, code.length + ofTable + ofTypes) };
  };
  const hasNearMemory = module.memory.most <= NEAR_PAGES;
  const near = written({ hasNearMemory, hasNearCode: true });
  const { code, weight } = near.weight <= NEAR_WEIGHT ? near : written({ hasNearMemory, hasNearCode: false });
  if (weight > MODULE_LIMITS.weight)
    throw new InvalidModule(
      "limit",
      `loading it weighs ${weight}, and ${MODULE_LIMITS.weight} are allowed: too many branches among too many locals`,
    );
  return {
    code,
    entries: new Set(entries),
    imports: module.imports,
    initialPages: module.memory.initial,
    dataEnd: module.dataEnd,
    weight,
  };
}

interface Metered {
  readonly code: Uint8Array<ArrayBuffer>;
  readonly weight: number;
}

function isEntry(signature: Signature | undefined): boolean {
  return signature !== undefined && signature.params.length === 0 && signature.result === 0;
}

interface Additions {
  readonly indexes: Indexes;
  readonly entries: readonly string[];
  readonly prices: Prices;
}

function writeModule(module: ParsedModule, plans: readonly FunctionPlan[], additions: Additions): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(module.bytes.length * 2 + 1_024);
  writer.u8(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00);
  const copy = (id: number): void => {
    const part = module.sections.get(id);
    if (part !== undefined) writeSection(writer, id, new ByteWriter().raw(part.bytes.subarray(part.at, part.end)));
  };
  writeSection(writer, SECTION.type, typeSection(module));
  copy(SECTION.import);
  writeSection(writer, SECTION.function, functionSection(module, additions.indexes));
  copy(SECTION.table);
  writeSection(writer, SECTION.memory, new ByteWriter().u8(1, 1).u32(module.memory.initial).u32(module.memory.most));
  writeSection(writer, SECTION.global, globalSection(module));
  writeSection(writer, SECTION.export, exportSection(module, additions));
  copy(SECTION.element);
  writeSection(writer, SECTION.code, codeSection(module, plans, additions));
  copy(SECTION.data);
  return Uint8Array.from(writer.written());
}

function writeSection(writer: ByteWriter, id: number, content: ByteWriter): void {
  writer.u8(id).sized(content);
}

function typeSection({ types }: ParsedModule): ByteWriter {
  const all = [...types, ...HELPER_TYPES];
  const writer = new ByteWriter().u32(all.length);
  for (const { params, result } of all) {
    writer
      .u8(0x60)
      .u32(params.length)
      .u8(...params);
    if (result === 0) writer.u8(0);
    else writer.u8(1, result);
  }
  return writer;
}

function functionSection({ ownTypes }: ParsedModule, { growType }: Indexes): ByteWriter {
  const all = [...ownTypes, growType, growType + 1, growType + 1, growType + 2];
  const writer = new ByteWriter().u32(all.length);
  for (const type of all) writer.u32(type);
  return writer;
}

function globalSection({ globals }: ParsedModule): ByteWriter {
  const writer = new ByteWriter().u32(globals.length + 3);
  for (const { type, isMutable, initial } of globals) {
    writer.u8(type, isMutable ? 1 : 0, type === I32 ? OP.i32Const : OP.i64Const).signed(initial);
    writer.u8(OP.end);
  }
  for (let index = 0; index < 3; index += 1) writer.u8(I32, 1, OP.i32Const, 0, OP.end);
  return writer;
}

function exportSection({ exports }: ParsedModule, { indexes, entries }: Additions): ByteWriter {
  const writer = new ByteWriter().u32(entries.length + 5);
  for (const name of entries)
    writer
      .name(`${ENTRY_PREFIX}${name}`)
      .u8(0)
      .u32(exports.get(name) ?? 0);
  writer.name(METERED.gas).u8(3).u32(indexes.gas);
  writer.name(METERED.stack).u8(3).u32(indexes.stack);
  writer.name(METERED.fatal).u8(3).u32(indexes.fatal);
  writer.name(METERED.reset).u8(0).u32(indexes.reset);
  return writer.name(METERED.memory).u8(2).u32(0);
}

function codeSection(module: ParsedModule, plans: readonly FunctionPlan[], { indexes, prices }: Additions): ByteWriter {
  const helpers = [growBody(module, indexes), copyBody(indexes), fillBody(indexes), resetBody(module)];
  const writer = new ByteWriter(module.bytes.length * 2).u32(plans.length + helpers.length);
  for (const plan of plans) writer.sized(functionBody(module.bytes, plan, { ...indexes, prices }));
  for (const helper of helpers) writer.sized(helper);
  return writer;
}

/**
 * Takes the frame from the stack, runs the code inside one block, sets the stack back: every way out leads past the end of the block. A
 * function that calls nothing has no frame: it lies on top of the others, once. What a meter has left passes through a local: the engine
 * keeps those in registers, and reads a global from memory each time.
 */
function functionBody(bytes: Uint8Array, plan: FunctionPlan, indexes: PricedIndexes): ByteWriter {
  const { localsStart, codeStart, codeEnd, locals, frameWords, result } = plan;
  const writer = new ByteWriter((codeEnd - localsStart) * 2 + 64);
  const declared = new ByteReader(bytes, localsStart, codeStart);
  writer.u32(declared.u32() + 1).raw(bytes.subarray(declared.at, codeStart));
  writer.u8(frameWords === 0 ? 1 : 2, I32);
  if (frameWords === 0) return writeCode(writer, bytes, plan, indexes);
  const before = locals + 1;
  writer.u8(OP.globalGet).u32(indexes.stack).u8(OP.localTee).u32(before).u8(OP.i32Const).signed(frameWords);
  writeDeduction(writer, indexes.stack, locals);
  writer.u8(OP.block, result === 0 ? 0x40 : result);
  writeCode(writer, bytes, plan, indexes);
  return writer.u8(OP.localGet).u32(before).u8(OP.globalSet).u32(indexes.stack).u8(OP.end);
}

/** The code with everything that was planned, its last end included. */
function writeCode(writer: ByteWriter, bytes: Uint8Array, plan: FunctionPlan, { gas, prices, ...indexes }: PricedIndexes): ByteWriter {
  const { codeStart, codeEnd, edits, locals } = plan;
  let at = codeStart;
  for (const edit of edits) {
    const { at: start, length, kind, value } = edit;
    writer.raw(bytes.subarray(at, start));
    at = start + length;
    if (kind === "charge") {
      const price = chargeGas(edit, prices);
      if (price === 0) continue;
      writer.u8(OP.globalGet).u32(gas).u8(OP.i32Const).signed(price);
      writeDeduction(writer, gas, locals);
    } else if (kind === "return") writer.u8(OP.br).u32(value);
    else writer.u8(OP.call).u32(indexes[kind]);
  }
  return writer.raw(bytes.subarray(at, codeEnd));
}

/** What a charge takes; nothing where nothing is paid for. */
function chargeGas({ value, loads }: Edit, { hasNearMemory, hasNearCode }: Prices): number {
  const loading = loads * (hasNearMemory && hasNearCode ? LOAD_GAS.near : LOAD_GAS.far);
  if (hasNearCode || value + loads === 0) return value + loading;
  return FAR_CODE_GAS.times * value + loading + FAR_CODE_GAS.charge;
}

/** Subtracts the operand on top from the one below, sets the global to it by way of a local, and ends everything when it is negative. */
function writeDeduction(writer: ByteWriter, global: number, local: number): void {
  writer.u8(OP.i32Sub, OP.localTee).u32(local).u8(OP.globalSet).u32(global).u8(OP.localGet).u32(local);
  writer.u8(OP.i32Const, 0, OP.i32LtS, OP.if, 0x40, OP.unreachable, OP.end);
}

/** Beyond the limit −1, as the specification has it; below it, a machine without memory must not decide what a contract sees. */
function growBody({ memory }: ParsedModule, { gas, fatal }: Indexes): ByteWriter {
  const writer = new ByteWriter().u8(1, 1, I32);
  writer.u8(OP.localGet, 0, OP.i32Const).signed(memory.most).u8(OP.memorySize, 0, OP.i32Sub, OP.i32GtU, OP.if, 0x40);
  writer.u8(OP.i32Const).signed(-1).u8(OP.return, OP.end);
  writer.u8(OP.globalGet).u32(gas).u8(OP.localGet, 0, OP.i32Const).signed(MEMORY_GAS.page).u8(OP.i32Mul);
  writeDeduction(writer, gas, 1);
  writer.u8(OP.localGet, 0, OP.memoryGrow, 0, OP.localSet, 0);
  writer.u8(OP.localGet, 0, OP.i32Const).signed(-1).u8(OP.i32Eq, OP.if, 0x40);
  writer.u8(OP.i32Const, 1, OP.globalSet).u32(fatal).u8(OP.unreachable, OP.end);
  return writer.u8(OP.localGet, 0, OP.end);
}

function copyBody(indexes: Indexes): ByteWriter {
  return bulkBody(indexes).u8(OP.prefix, PREFIXED.memoryCopy, 0, 0, OP.end);
}

function fillBody(indexes: Indexes): ByteWriter {
  return bulkBody(indexes).u8(OP.prefix, PREFIXED.memoryFill, 0, OP.end);
}

/** Charges an eighth of the third parameter and puts all three back. */
function bulkBody({ gas }: Indexes): ByteWriter {
  const writer = new ByteWriter().u8(1, 1, I32);
  writer.u8(OP.globalGet).u32(gas).u8(OP.localGet, 2, OP.i32Const, 3, OP.i32ShrU);
  writeDeduction(writer, gas, 3);
  return writer.u8(OP.localGet, 0, OP.localGet, 1, OP.localGet, 2);
}

/** Sets every variable to its first value. */
function resetBody({ globals }: ParsedModule): ByteWriter {
  const writer = new ByteWriter().u8(0);
  for (const [index, { type, isMutable, initial }] of globals.entries()) {
    if (!isMutable) continue;
    writer.u8(type === I32 ? OP.i32Const : OP.i64Const).signed(initial);
    writer.u8(OP.globalSet).u32(index);
  }
  return writer.u8(OP.end);
}
