// A module without floats out of one that has them: f32 becomes i32 and f64 becomes i64, each operation on floats becomes one on integers of
// the same width. It imports the host; other functions that were imported become ones of its own. Structure and types stay what they were.
import { HOST_SIGNATURES, type HostFunctionName, type Signature } from "#node/vm/module/host-signatures.ts";
import { I32, I64, OP, type ValueType } from "#node/vm/module/opcodes.ts";
import { type Code, flat, i32c, i64c, u32, vector, W } from "../wasm-builder.ts";

/** An instruction; its immediates as they are encoded. Functions have their numbers behind those of the host. */
export interface Instruction {
  readonly opcode: number;
  readonly immediates: readonly number[];
}

export interface FunctionBody {
  readonly type: number;
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
  /** Types of all locals behind the parameters. */
  readonly locals: readonly ValueType[];
  readonly code: readonly Instruction[];
}

/** A module as its code, and everything else as it is written. */
export interface IntegerModule {
  readonly types: readonly Signature[];
  /** What it imported from elsewhere than the host comes first. */
  readonly functions: readonly FunctionBody[];
  readonly ownFunctions: number;
  /** Functions that it exports, by their number among its own. */
  readonly exported: readonly { readonly name: string; readonly index: number }[];
  /** Types of globals that can change, by their index. */
  readonly variables: ReadonlyMap<number, ValueType>;
  /** Global with which the generator ends loops and recursion: it traps when that is used up. */
  readonly hangLimit: number | undefined;
  /** Functions of the table, by their place. */
  readonly table: readonly number[];
  /** Pages of memory that it needs. */
  readonly pages: number;
  /** Table, globals, elements, data: sections by their number. */
  readonly sections: ReadonlyMap<number, Uint8Array>;
}

/** Functions of the host in the order in which modules import them: all of them do. */
export const HOST_NAMES = [...HOST_SIGNATURES.keys()] as readonly HostFunctionName[];

const CODE_SECTION = 10;
const [CUSTOM, TYPES, IMPORTS, FUNCTIONS, TABLE, GLOBALS] = [0, 1, 2, 3, 4, 6];
const [EXPORTS, START, ELEMENTS, DATA, DATA_COUNT] = [7, 8, 9, 11, 12];
const DROPPED: readonly number[] = [CUSTOM, START, DATA_COUNT];
const PAGE_BYTES = 65_536;
const FLOAT_TYPES: Readonly<Record<number, number>> = { [W.f32]: I32, [W.f64]: I64 };

/** Operations on floats, from first to last opcode, and what stands for them: the list is gone through again and again. */
const REPLACED: readonly (readonly [number, number, readonly number[]])[] = [
  [0x2a, 0x2b, [0x28, 0x29]],
  [0x38, 0x39, [0x36, 0x37]],
  [0x43, 0x44, [0x41, 0x42]],
  [0x5b, 0x60, [0x46, 0x47, 0x48, 0x4b, 0x4c, 0x4f]],
  [0x61, 0x66, [0x51, 0x52, 0x53, 0x56, 0x57, 0x5a]],
  [0x8b, 0x91, [0x67, 0x68, 0x69, 0xc0, 0xc1, 0x67, 0x45]],
  [0x92, 0x98, [0x6a, 0x6b, 0x6c, 0x6d, 0x70, 0x77, 0x78]],
  [0x99, 0x9f, [0x79, 0x7a, 0x7b, 0xc2, 0xc3, 0xc4, 0x79]],
  [0xa0, 0xa6, [0x7c, 0x7d, 0x7e, 0x7f, 0x82, 0x89, 0x8a]],
  // Conversions, by the widths of both sides.
  [0xa8, 0xa9, [0x67, 0x68]],
  [0xaa, 0xab, [0xa7, 0x50]],
  [0xae, 0xaf, [0xac, 0xad]],
  [0xb0, 0xb1, [0x79, 0x7a]],
  [0xb2, 0xb3, [0xc0, 0xc1]],
  [0xb4, 0xb6, [0xa7, 0x50, 0xa7]],
  [0xb7, 0xb8, [0xac, 0xad]],
  [0xb9, 0xba, [0xc2, 0xc3]],
  [0xbb, 0xbb, [0xac]],
  [0xbc, 0xbc, [0x45]],
  [0xbd, 0xbd, [0x7b]],
  [0xbe, 0xbe, [0x69]],
  [0xbf, 0xbf, [0xc4]],
];
const INTEGER_OPCODES = new Map(
  REPLACED.flatMap(([first, last, list]) =>
    Array.from({ length: last - first + 1 }, (_, index) => [first + index, list[index % list.length] ?? 0] as const),
  ),
);

/** Reads a module of WebAssembly 1.0 with sign extension, memory.copy and memory.fill. */
export function integerModule(bytes: Uint8Array, leastPages = 1): IntegerModule {
  const contents = sectionsOf(bytes);
  const types = list(contents.get(TYPES), readType);
  const imported = list(contents.get(IMPORTS), readImport);
  const bodyTypes = list(contents.get(FUNCTIONS), (reader) => reader.u32());
  const numbers = imported.map(({ name: imports }, index) => {
    const host = HOST_NAMES.indexOf(imports as HostFunctionName);
    return host < 0 ? HOST_NAMES.length + index : host;
  });
  const numberOf = (index: number): number => numbers[index] ?? HOST_NAMES.length + index;
  const bodies = list(contents.get(CODE_SECTION), (reader) => readBody(reader, numberOf));
  const globals = list(contents.get(GLOBALS), readGlobal);
  const elements = list(contents.get(ELEMENTS), (reader) => readElements(reader, numberOf));
  const shapeOf = (type: number): Pick<FunctionBody, "type" | "params" | "results"> => {
    const { params, result } = types[type] ?? { params: [], result: 0 };
    return { type, params, results: result === 0 ? [] : [result] };
  };
  const data = list(contents.get(DATA), readData);
  const pages = Math.max(leastPages, ...data.map((end) => Math.ceil(end / PAGE_BYTES)));
  return {
    variables: new Map(globals.flatMap(({ type, isMutable }, index) => (isMutable ? [[index, type] as const] : []))),
    hangLimit: bodies.map(hangLimitIn).find((index) => index !== undefined),
    types,
    functions: [
      ...imported.map(({ type }) => ({ ...shapeOf(type), locals: [], code: shapeOf(type).results.map(zero) })),
      ...bodyTypes.map((type, index) => ({ ...shapeOf(type), ...(bodies[index] ?? { locals: [], code: [] }) })),
    ],
    ownFunctions: bodyTypes.length,
    exported: list(contents.get(EXPORTS), readExport).filter(({ index }) => index >= 0),
    table: tableOf(elements),
    pages,
    sections: new Map([
      ...[TABLE, DATA].flatMap((id) => {
        const content = contents.get(id);
        return content === undefined ? [] : [[id, content] as const];
      }),
      [GLOBALS, Uint8Array.from(flat(vector(globals.map(({ code }) => code))))],
      [
        ELEMENTS,
        Uint8Array.from(
          flat(vector(elements.map(({ offset, functions }) => [0, i32c(offset), W.end, vector(functions.map((index) => u32(index)))]))),
        ),
      ],
    ]),
  };
}

/** The global whose end a body looks for: `global.get`, `i32.eqz`, `if`. */
function hangLimitIn({ code }: Pick<FunctionBody, "code">): number | undefined {
  const at = code.findIndex(({ opcode }, index) => opcode === 0x23 && code[index + 1]?.opcode === 0x45 && code[index + 2]?.opcode === 0x04);
  const [index] = code[at]?.immediates ?? [];
  return index;
}

/** A constant of a type. */
export function constantOf(type: number, value: bigint): Instruction {
  const [opcode = 0, ...immediates] = flat(type === I32 ? i32c(Number(BigInt.asIntN(32, value))) : i64c(BigInt.asIntN(64, value)));
  return { opcode, immediates };
}

const zero = (type: ValueType): Instruction => constantOf(type, 0n);

function sectionsOf(bytes: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const reader = new Reader(bytes, 8);
  const contents = new Map<number, Uint8Array>();
  while (!reader.isAtEnd) {
    const id = reader.u8();
    const content = reader.bytes(reader.u32());
    if (!DROPPED.includes(id)) contents.set(id, content);
  }
  return contents;
}

function list<T>(content: Uint8Array | undefined, read: (reader: Reader) => T): readonly T[] {
  if (content === undefined) return [];
  const reader = new Reader(content, 0);
  return Array.from({ length: reader.u32() }, () => read(reader));
}

function readType(reader: Reader): Signature {
  if (reader.u8() !== 0x60) throw new TypeError("A type that is none of a function");
  const types = (): readonly ValueType[] => Array.from({ length: reader.u32() }, () => integerType(reader.u8()) as ValueType);
  const params = types();
  return { params, result: types()[0] ?? 0 };
}

function readImport(reader: Reader): { readonly name: string; readonly type: number } {
  const module = Buffer.from(reader.bytes(reader.u32())).toString();
  const name = Buffer.from(reader.bytes(reader.u32())).toString();
  if (reader.u8() !== 0) throw new TypeError("An import that is no function");
  return { name: module === "env" ? name : "", type: reader.u32() };
}

function readExport(reader: Reader): { readonly name: string; readonly index: number } {
  const name = Buffer.from(reader.bytes(reader.u32())).toString();
  const kind = reader.u8();
  const index = reader.u32();
  return { name, index: kind === 0 ? index : -1 };
}

interface Elements {
  readonly offset: number;
  readonly functions: readonly number[];
}

function readElements(reader: Reader, numberOf: (index: number) => number): Elements {
  if (reader.u32() !== 0) throw new TypeError("Elements of another kind");
  return { offset: readOffset(reader), functions: Array.from({ length: reader.u32() }, () => numberOf(reader.u32())) };
}

function tableOf(elements: readonly Elements[]): readonly number[] {
  const table: number[] = [];
  for (const { offset, functions } of elements) for (const [at, index] of functions.entries()) table[offset + at] = index;
  return table;
}

/** Where a segment ends. */
function readData(reader: Reader): number {
  if (reader.u32() !== 0) throw new TypeError("Data of another kind");
  const offset = readOffset(reader);
  const length = reader.u32();
  reader.bytes(length);
  return offset + length;
}

function readOffset(reader: Reader): number {
  const [instruction] = readCode(reader, (index) => index);
  if (instruction?.opcode !== OP.i32Const) throw new TypeError("A place that is no constant");
  return integerIn(instruction) >>> 0;
}

/** Value of a constant of 32 bits. */
function integerIn({ immediates }: Instruction): number {
  const bits = 7 * immediates.length;
  const value = immediates.reduce((sum, byte, at) => sum | (BigInt(byte & 0x7f) << BigInt(7 * at)), 0n);
  return Number(BigInt.asIntN(bits, value));
}

/** Unsigned number at the start of the immediates. */
export function indexIn({ immediates }: Instruction): number {
  let index = 0;
  for (const [at, byte] of immediates.entries()) {
    index += (byte & 0x7f) * 2 ** (7 * at);
    if (byte < 0x80) break;
  }
  return index;
}

function readGlobal(reader: Reader): { readonly type: ValueType; readonly isMutable: boolean; readonly code: Code } {
  const [type, isMutable] = [integerType(reader.u8()) as ValueType, reader.u8()];
  const initial = readCode(reader, (index) => index).flatMap(({ opcode, immediates }) => [opcode, ...immediates]);
  return { type, isMutable: isMutable === 1, code: [type, isMutable, initial, W.end] };
}

function readBody(reader: Reader, numberOf: (index: number) => number): Pick<FunctionBody, "locals" | "code"> {
  reader.u32();
  const locals: ValueType[] = [];
  for (let groups = reader.u32(); groups > 0; groups -= 1) {
    const count = reader.u32();
    const type = integerType(reader.u8()) as ValueType;
    for (let index = 0; index < count; index += 1) locals.push(type);
  }
  return { locals, code: readCode(reader, numberOf) };
}

/** Up to the end of the body or expression, which is left out. */
function readCode(reader: Reader, numberOf: (index: number) => number): readonly Instruction[] {
  const code: Instruction[] = [];
  for (let depth = 0; ; ) {
    const opcode = reader.u8();
    if (opcode === W.end && depth === 0) return code;
    if (opcode === W.end) depth -= 1;
    if (opcode >= 0x02 && opcode <= 0x04) depth += 1;
    if (opcode === OP.call) code.push({ opcode, immediates: u32(numberOf(reader.u32())) });
    else code.push(integerInstruction(opcode, reader));
  }
}

function integerInstruction(opcode: number, reader: Reader): Instruction {
  if (opcode === 0x43) return constantOf(I32, BigInt(Buffer.from(reader.bytes(4)).readInt32LE()));
  if (opcode === 0x44) return constantOf(I64, Buffer.from(reader.bytes(8)).readBigInt64LE());
  if (opcode >= 0x02 && opcode <= 0x04) return { opcode, immediates: [integerType(reader.u8())] };
  return { opcode: INTEGER_OPCODES.get(opcode) ?? opcode, immediates: reader.immediates(opcode) };
}

function integerType(type: number): number {
  return FLOAT_TYPES[type] ?? type;
}

class Reader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  u8(): number {
    this.#at += 1;
    return this.#bytes[this.#at - 1] ?? 0;
  }

  u32(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.u8();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  bytes(length: number): Uint8Array {
    this.#at += length;
    return this.#bytes.slice(this.#at - length, this.#at);
  }

  immediates(opcode: number): readonly number[] {
    const start = this.#at;
    this.#skipImmediates(opcode);
    return [...this.#bytes.slice(start, this.#at)];
  }

  #skipImmediates(opcode: number): void {
    if (opcode === 0x0e) for (let targets = this.u32() + 1; targets > 0; targets -= 1) this.u32();
    else if (opcode === 0xfc) this.bytes(this.u32() === 10 ? 2 : 1);
    else for (let integers = integersBehind(opcode); integers > 0; integers -= 1) this.u32();
  }
}

/** Integers that follow an opcode. */
function integersBehind(opcode: number): number {
  const isMemoryAccess = opcode >= 0x28 && opcode <= 0x3e;
  if (opcode === 0x11 || isMemoryAccess) return 2;
  const isIndexed = opcode === 0x0c || opcode === 0x0d || opcode === 0x10 || (opcode >= 0x20 && opcode <= 0x24);
  return isIndexed || (opcode >= 0x3f && opcode <= 0x42) ? 1 : 0;
}
