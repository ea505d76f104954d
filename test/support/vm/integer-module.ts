// A module without imports and floats out of one that has them: f32 becomes i32 and f64 becomes i64, each operation on floats becomes one on
// integers of the same width, functions that are imported become ones that do nothing. Structure and types stay what they were.
import { I32, I64 } from "#node/vm/module/opcodes.ts";
import { type Code, flat, i32c, i64c, name, section, u32, vector, W } from "./wasm-builder.ts";

/** An instruction; its immediates as they are encoded. */
export interface Instruction {
  readonly opcode: number;
  readonly immediates: readonly number[];
}

export interface FunctionBody {
  readonly params: readonly number[];
  readonly results: readonly number[];
  /** Types of all locals behind the parameters. */
  readonly locals: readonly number[];
  readonly code: readonly Instruction[];
}

/** A module as its code, and everything else as it is written. */
export interface IntegerModule {
  readonly types: readonly Code[];
  readonly functions: readonly (FunctionBody & { readonly type: number })[];
  /** Types of globals that can change, by their index. */
  readonly variables: ReadonlyMap<number, number>;
  /** Global with which the generator ends loops and recursion: it traps when that is used up. */
  readonly hangLimit: number | undefined;
  /** Table, memory, globals, elements, data: sections by their number. */
  readonly sections: ReadonlyMap<number, Code>;
}

const CODE_SECTION = 10;
const [CUSTOM, TYPES, IMPORTS, FUNCTIONS, TABLE, MEMORY, GLOBALS] = [0, 1, 2, 3, 4, 5, 6];
const [EXPORTS, START, ELEMENTS, DATA, DATA_COUNT] = [7, 8, 9, 11, 12];
const DROPPED: readonly number[] = [CUSTOM, EXPORTS, START, DATA_COUNT];
/** Rounds and calls that a function may make before it traps. */
const HANG_LIMIT = 100n;
/** Addresses that the generator does not use, mostly. */
const [KEPT_RESULTS, KEPT_GLOBALS] = [32_768, 40_960];
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
export function integerModule(bytes: Uint8Array): IntegerModule {
  const contents = sectionsOf(bytes);
  const shapes = list(contents.get(TYPES), readType);
  const shapeOf = (type: number): (typeof shapes)[number] => shapes[type] ?? { params: [], results: [] };
  const imported = list(contents.get(IMPORTS), readImport);
  const defined = list(contents.get(FUNCTIONS), (reader) => reader.u32());
  const bodies = list(contents.get(CODE_SECTION), readBody);
  const globals = list(contents.get(GLOBALS), readGlobal);
  return {
    variables: new Map(globals.flatMap(({ type, isMutable }, index) => (isMutable ? [[index, type] as const] : []))),
    hangLimit: bodies.map(hangLimitIn).find((index) => index !== undefined),
    types: shapes.map(({ params, results }) => [0x60, vector(params), vector(results)]),
    functions: [
      ...imported.map((type) => ({ type, ...shapeOf(type), locals: [], code: shapeOf(type).results.map(zero) })),
      ...defined.map((type, index) => ({ type, ...shapeOf(type), ...(bodies[index] ?? { locals: [], code: [] }) })),
    ],
    sections: new Map([
      ...[TABLE, ELEMENTS, DATA].flatMap((id) => {
        const content = contents.get(id);
        return content === undefined ? [] : [[id, [...content]] as const];
      }),
      // The generator keeps to the first bytes of its 16 pages, or has none, and all of a memory is compared.
      [MEMORY, [1, 1, 1, 17]],
      [GLOBALS, vector(globals.map(({ code }) => code))],
    ]),
  };
}

/** The bytes of a module with an entry `run` that calls functions with these constants, and leaves results and globals in its memory. */
export function encodeModule(module: IntegerModule, called: readonly CalledFunction[]): Uint8Array {
  const { types, functions, sections, variables, hangLimit } = module;
  const refill = hangLimit === undefined ? [] : [constantOf(I32, HANG_LIMIT), { opcode: 0x24, immediates: u32(hangLimit) }];
  const run: FunctionBody & { readonly type: number } = {
    type: types.length,
    params: [],
    results: [],
    locals: [],
    code: [
      ...called.flatMap(({ index, constants }, at) => [...refill, ...callOf(functions[index], { index, constants, at })]),
      ...[...variables].flatMap(([index, type]) => kept(type, [{ opcode: 0x23, immediates: u32(index) }], KEPT_GLOBALS + 8 * index)),
    ],
  };
  const all = [...functions, run];
  const bodies = all.map(encodeBody);
  const parts: readonly (readonly [number, Code | undefined])[] = [
    [TYPES, vector([...types, [0x60, 0, 0]])],
    [FUNCTIONS, vector(all.map(({ type }) => u32(type)))],
    ...[TABLE, MEMORY, GLOBALS].map((id) => [id, sections.get(id)] as const),
    [
      EXPORTS,
      vector([
        [name("run"), 0, u32(functions.length)],
        [name("m"), 2, 0],
      ]),
    ],
    [ELEMENTS, sections.get(ELEMENTS)],
    [CODE_SECTION, vector(bodies)],
    [DATA, sections.get(DATA)],
  ];
  const written = parts.flatMap(([id, content]) => (content === undefined ? [] : [section(id, content)]));
  return Uint8Array.from(flat([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, written]));
}

export interface CalledFunction {
  readonly index: number;
  readonly constants: readonly bigint[];
}

function callOf(
  target: FunctionBody | undefined,
  { index, constants, at }: CalledFunction & { readonly at: number },
): readonly Instruction[] {
  if (target === undefined) return [];
  const values = target.params.map((type, position) => constantOf(type, constants[position % Math.max(1, constants.length)] ?? 0n));
  const called = [...values, { opcode: 0x10, immediates: u32(index) }];
  const [result] = target.results;
  return result === undefined ? called : kept(result, called, KEPT_RESULTS + 8 * at);
}

/** Stores what some code leaves. */
function kept(type: number, code: readonly Instruction[], address: number): readonly Instruction[] {
  const [opcode, align] = type === I32 ? [0x36, 2] : [0x37, 3];
  return [constantOf(I32, BigInt(address)), ...code, { opcode, immediates: [align, 0] }];
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

const zero = (type: number): Instruction => constantOf(type, 0n);

function encodeBody({ locals, code }: FunctionBody): Code {
  const bytes: number[] = [...flat(vector(locals.map((type) => [1, type])))];
  for (const { opcode, immediates } of code) bytes.push(opcode, ...immediates);
  bytes.push(W.end);
  return [u32(bytes.length), bytes];
}

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

function readType(reader: Reader): { readonly params: readonly number[]; readonly results: readonly number[] } {
  if (reader.u8() !== 0x60) throw new TypeError("A type that is none of a function");
  const types = (): readonly number[] => Array.from({ length: reader.u32() }, () => integerType(reader.u8()));
  return { params: types(), results: types() };
}

function readImport(reader: Reader): number {
  for (let part = 0; part < 2; part += 1) reader.bytes(reader.u32());
  if (reader.u8() !== 0) throw new TypeError("An import that is no function");
  return reader.u32();
}

function readGlobal(reader: Reader): { readonly type: number; readonly isMutable: boolean; readonly code: Code } {
  const [type, isMutable] = [integerType(reader.u8()), reader.u8()];
  const initial = readCode(reader).flatMap(({ opcode, immediates }) => [opcode, ...immediates]);
  return { type, isMutable: isMutable === 1, code: [type, isMutable, initial, W.end] };
}

function readBody(reader: Reader): Pick<FunctionBody, "locals" | "code"> {
  reader.u32();
  const locals: number[] = [];
  for (let groups = reader.u32(); groups > 0; groups -= 1) {
    const count = reader.u32();
    const type = integerType(reader.u8());
    for (let index = 0; index < count; index += 1) locals.push(type);
  }
  return { locals, code: readCode(reader) };
}

/** Up to the end of the body or expression, which is left out. */
function readCode(reader: Reader): readonly Instruction[] {
  const code: Instruction[] = [];
  for (let depth = 0; ; ) {
    const opcode = reader.u8();
    if (opcode === W.end && depth === 0) return code;
    if (opcode === W.end) depth -= 1;
    if (opcode >= 0x02 && opcode <= 0x04) depth += 1;
    code.push(integerInstruction(opcode, reader));
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
