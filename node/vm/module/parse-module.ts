// Reads the sections of a module and checks everything but the code of its functions: order, limits, imports, types of what is declared.
import { isUtf8 } from "node:buffer";
import { ByteReader, malformed } from "./byte-reader.ts";
import { HOST_SIGNATURES, type Signature } from "./host-signatures.ts";
import { floatNotAllowed, InvalidModule } from "./invalid-module.ts";
import { MODULE_LIMITS, PAGE_BYTES } from "./module-limits.ts";
import { I32, I64, OP, type ValueType } from "./opcodes.ts";

export interface GlobalVariable {
  readonly type: ValueType;
  readonly isMutable: boolean;
  /** Bits of its first value, signed. */
  readonly initial: bigint;
}

/** A module as far as it is read before its functions. */
export interface ParsedModule {
  readonly bytes: Uint8Array;
  readonly types: readonly Signature[];
  /** Names of the imported host functions, in order. */
  readonly imports: readonly string[];
  /** Type of every function, imported ones first. */
  readonly functions: readonly Signature[];
  /** Index into the types of every function of the module itself. */
  readonly ownTypes: readonly number[];
  readonly hasTable: boolean;
  /** Places of the table, and elements that are put there, each of them as often as it is. */
  readonly tablePlaces: number;
  /** Pages of memory: at the start, and at most. */
  readonly memory: { readonly initial: number; readonly most: number };
  /** Bytes of memory up to the end of the last data segment: what is behind them is 0 at the start. */
  readonly dataEnd: number;
  readonly globals: readonly GlobalVariable[];
  /** Exported functions by name. */
  readonly exports: ReadonlyMap<string, number>;
  readonly bodies: readonly ByteReader[];
  /** Contents of sections that are copied as they are, by their number. */
  readonly sections: ReadonlyMap<number, ByteReader>;
}

/** Numbers of sections. */
export const SECTION = {
  custom: 0,
  type: 1,
  import: 2,
  function: 3,
  table: 4,
  memory: 5,
  global: 6,
  export: 7,
  start: 8,
  element: 9,
  code: 10,
  data: 11,
  dataCount: 12,
} as const;

/** Sections in the order in which they must stand. */
const ORDER = [
  SECTION.type,
  SECTION.import,
  SECTION.function,
  SECTION.table,
  SECTION.memory,
  SECTION.global,
  SECTION.export,
  SECTION.start,
  SECTION.element,
  SECTION.dataCount,
  SECTION.code,
  SECTION.data,
] as readonly number[];

const MAGIC = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const FUNCTION_TYPE = 0x60;
const FUNCREF = 0x70;
const FLOAT_TYPES: ReadonlySet<number> = new Set([0x7d, 0x7c]);
const KIND = { function: 0, table: 1, memory: 2, global: 3 } as const;

/** @throws InvalidModule */
export function parseModule(bytes: Uint8Array): ParsedModule {
  if (bytes.length > MODULE_LIMITS.codeBytes)
    throw new InvalidModule("limit", `it has ${bytes.length} bytes, and ${MODULE_LIMITS.codeBytes} are allowed`);
  const sections = readSections(bytes);
  if (sections.has(SECTION.start)) throw new InvalidModule("feature", "it has a start section: export the function as _start instead");
  const types = readList(sections, SECTION.type, (part) => many(part, MODULE_LIMITS.types, "types", readType));
  const imports = readList(sections, SECTION.import, (part) =>
    many(part, MODULE_LIMITS.imports, "imports", (item) => readImport(item, types)),
  );
  const ownTypes = readList(sections, SECTION.function, (part) =>
    many(part, MODULE_LIMITS.functions, "functions", (item) => indexBelow(item.u32(), types.length, "type")),
  );
  const functions = [...imports.map(({ signature }) => signature), ...ownTypes.map((index) => itemOf(types, index))];
  const table = readList(sections, SECTION.table, (part) => many(part, 1, "tables", readTable))[0];
  const memory = readMemory(sections);
  const globals = readList(sections, SECTION.global, (part) => many(part, MODULE_LIMITS.globals, "globals", readGlobal));
  const counts: Counts = { functions: functions.length, table: table ?? -1, globals: globals.length };
  const exports = readExports(sections, counts);
  const elements = readElements(sections, counts);
  const dataEnd = readDataEnd(sections, memory.initial * PAGE_BYTES);
  return {
    bytes,
    types,
    imports: imports.map(({ name }) => name),
    functions,
    ownTypes,
    hasTable: table !== undefined,
    tablePlaces: (table ?? 0) + elements,
    memory,
    dataEnd,
    globals,
    exports,
    bodies: readBodies(sections, ownTypes.length),
    sections,
  };
}

/** How much there is of what can be named by an index. */
interface Counts {
  readonly functions: number;
  /** Elements of the table, -1 for none. */
  readonly table: number;
  readonly globals: number;
}

/** A value type; floats and references have none here. */
export function readValueType(reader: ByteReader): ValueType {
  const byte = reader.u8();
  if (byte === I32 || byte === I64) return byte;
  if (FLOAT_TYPES.has(byte)) throw floatNotAllowed();
  throw new InvalidModule("feature", `the value type 0x${byte.toString(16)} is not allowed`);
}

function readSections(bytes: Uint8Array): ReadonlyMap<number, ByteReader> {
  const reader = new ByteReader(bytes);
  for (const byte of MAGIC) if (reader.u8() !== byte) throw malformed("it is not a module of version 1");
  const sections = new Map<number, ByteReader>();
  let position = -1;
  while (!reader.isAtEnd) {
    const id = reader.u8();
    const part = reader.part(reader.u32());
    if (id === SECTION.custom) {
      readCustomName(part);
      continue;
    }
    const next = ORDER.indexOf(id);
    if (next < 0) throw new InvalidModule("feature", `the section ${id} is not allowed`);
    if (next <= position) throw malformed(`the section ${id} is repeated or out of order`);
    position = next;
    sections.set(id, part);
  }
  return sections;
}

/** The name must be one; what follows belongs to tools. */
function readCustomName(part: ByteReader): void {
  const name = part.part(part.u32());
  if (!isUtf8(name.bytes.subarray(name.at, name.end))) throw malformed("the name of a custom section is not UTF-8");
}

/** Reads the whole content of a section with a copy of its reader; an absent section has no items. */
function readList<T>(sections: ReadonlyMap<number, ByteReader>, id: number, read: (part: ByteReader) => readonly T[]): readonly T[] {
  const section = sections.get(id);
  if (section === undefined) return [];
  const part = new ByteReader(section.bytes, section.at, section.end);
  const items = read(part);
  if (!part.isAtEnd) throw malformed(`the section ${id} has more bytes than items`);
  return items;
}

function many<T>(part: ByteReader, most: number, what: string, read: (part: ByteReader) => T): readonly T[] {
  return Array.from({ length: part.count(most, what) }, () => read(part));
}

function readType(part: ByteReader): Signature {
  if (part.u8() !== FUNCTION_TYPE) throw new InvalidModule("feature", "only types of functions are allowed");
  const params = many(part, MODULE_LIMITS.parameters, "parameters", readValueType);
  const results = many(part, MODULE_LIMITS.results, "results", readValueType);
  return { params, result: results[0] ?? 0 };
}

function readImport(part: ByteReader, types: readonly Signature[]): { readonly name: string; readonly signature: Signature } {
  const module = part.name();
  const name = part.name();
  if (part.u8() !== KIND.function) throw new InvalidModule("import", `${module}.${name} is no function, and only functions are imported`);
  const signature = itemOf(types, indexBelow(part.u32(), types.length, "type"));
  const expected = module === "env" ? HOST_SIGNATURES.get(name) : undefined;
  if (expected === undefined) throw new InvalidModule("import", `the host has no function ${module}.${name}`);
  if (!isSameSignature(signature, expected)) throw new InvalidModule("import", `${module}.${name} has other parameters or another result`);
  return { name, signature };
}

function isSameSignature(a: Signature, b: Signature): boolean {
  return a.result === b.result && a.params.length === b.params.length && a.params.every((type, index) => type === b.params[index]);
}

/** Elements at the start. */
function readTable(part: ByteReader): number {
  if (part.u8() !== FUNCREF) throw new InvalidModule("feature", "only tables of functions are allowed");
  return readLimits(part, MODULE_LIMITS.tableElements, "table").initial;
}

function readMemory(sections: ReadonlyMap<number, ByteReader>): ParsedModule["memory"] {
  const [memory] = readList(sections, SECTION.memory, (part) =>
    many(part, 1, "memories", (item) => readLimits(item, MODULE_LIMITS.initialPages, "memory")),
  );
  if (memory === undefined) throw new InvalidModule("memory", "it has no memory");
  return { initial: memory.initial, most: Math.min(memory.most ?? MODULE_LIMITS.pages, MODULE_LIMITS.pages) };
}

function readLimits(part: ByteReader, mostInitial: number, what: string): { readonly initial: number; readonly most: number | undefined } {
  const flags = part.u8();
  if (flags > 1) throw new InvalidModule("feature", `a shared or 64-bit ${what} is not allowed`);
  const initial = part.u32();
  const most = flags === 1 ? part.u32() : undefined;
  if (initial > mostInitial) throw new InvalidModule("limit", `its ${what} begins with ${initial}, and ${mostInitial} are allowed`);
  if (most !== undefined && most < initial) throw malformed(`its ${what} begins above its maximum`);
  return { initial, most };
}

function readGlobal(part: ByteReader): GlobalVariable {
  const type = readValueType(part);
  const mutability = part.u8();
  if (mutability > 1) throw malformed("a global is neither constant nor variable");
  return { type, isMutable: mutability === 1, initial: readConstant(part, type) };
}

/** An initial value: one constant and an end. */
function readConstant(part: ByteReader, type: ValueType): bigint {
  const opcode = part.u8();
  if (opcode !== OP.i32Const && opcode !== OP.i64Const) {
    const isFloat = opcode === 0x43 || opcode === 0x44;
    throw new InvalidModule(isFloat ? "float" : "feature", "an initial value is an integer constant");
  }
  if ((opcode === OP.i32Const) !== (type === I32)) throw new InvalidModule("type", "an initial value has another type");
  const value = type === I32 ? BigInt(part.i32()) : part.i64();
  if (part.u8() !== OP.end) throw new InvalidModule("feature", "an initial value is one constant");
  return value;
}

function readExports(sections: ReadonlyMap<number, ByteReader>, counts: Counts): ReadonlyMap<string, number> {
  const names = new Set<string>();
  const functions = new Map<string, number>();
  const mostOf = [counts.functions, counts.table < 0 ? 0 : 1, 1, counts.globals];
  readList(sections, SECTION.export, (part) =>
    many(part, MODULE_LIMITS.exports, "exports", (item) => {
      const name = item.name();
      const kind = item.u8();
      const index = indexBelow(item.u32(), mostOf[kind] ?? 0, "export");
      if (names.has(name)) throw malformed(`the export ${name} is repeated`);
      names.add(name);
      if (kind === KIND.function) functions.set(name, index);
    }),
  );
  return functions;
}

/** @returns elements of all segments */
function readElements(sections: ReadonlyMap<number, ByteReader>, counts: Counts): number {
  const segments = readList(sections, SECTION.element, (part) =>
    many(part, MODULE_LIMITS.elementSegments, "element segments", (item) => {
      if (item.u32() !== 0) throw new InvalidModule("feature", "only active element segments of functions are allowed");
      const offset = Number(BigInt.asUintN(32, readConstant(item, I32)));
      const count = item.count(MODULE_LIMITS.tableElements, "elements");
      if (offset + count > counts.table) throw new InvalidModule("segment", "an element segment lies outside of the table");
      for (let at = 0; at < count; at += 1) indexBelow(item.u32(), counts.functions, "function");
      return count;
    }),
  );
  return segments.reduce((sum, count) => sum + count, 0);
}

function readDataEnd(sections: ReadonlyMap<number, ByteReader>, memoryBytes: number): number {
  const counted = readList(sections, SECTION.dataCount, (part) => [part.u32()])[0];
  const segments = readList(sections, SECTION.data, (part) =>
    many(part, MODULE_LIMITS.dataSegments, "data segments", (item) => {
      if (item.u32() !== 0) throw new InvalidModule("feature", "only active data segments are allowed");
      const offset = Number(BigInt.asUintN(32, readConstant(item, I32)));
      const length = item.u32();
      item.part(length);
      if (offset + length > memoryBytes) throw new InvalidModule("segment", "a data segment lies outside of the memory");
      return offset + length;
    }),
  );
  if (counted !== undefined && counted !== segments.length) throw malformed("the number of data segments is another");
  return segments.reduce((last, end) => Math.max(last, end), 0);
}

function readBodies(sections: ReadonlyMap<number, ByteReader>, functions: number): readonly ByteReader[] {
  const bodies = readList(sections, SECTION.code, (part) =>
    many(part, MODULE_LIMITS.functions, "functions", (item) => {
      const length = item.u32();
      if (length > MODULE_LIMITS.bodyBytes)
        throw new InvalidModule("limit", `a function has ${length} bytes, and ${MODULE_LIMITS.bodyBytes} are allowed`);
      return item.part(length);
    }),
  );
  if (bodies.length !== functions) throw malformed("there are not as many bodies as functions");
  return bodies;
}

function indexBelow(index: number, count: number, what: string): number {
  if (index >= count) throw malformed(`there is no ${what} ${index}`);
  return index;
}

function itemOf<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw malformed(`there is no item ${index}`);
  return item;
}
