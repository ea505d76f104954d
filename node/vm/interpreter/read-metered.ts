// Reads a metered module, which the node itself wrote: nothing of it is checked, and no limit of modules holds for it.
import { ByteReader } from "../module/byte-reader.ts";
import type { Signature } from "../module/host-signatures.ts";
import { I32, OP, type ValueType } from "../module/opcodes.ts";
import { SECTION } from "../module/parse-module.ts";

/** A type; those with the same name are the same. */
export interface MeteredType extends Signature {
  readonly name: string;
}

/** A function: an import has no body. */
export interface MeteredFunction extends MeteredType {
  readonly body: ByteReader | undefined;
}

export interface MeteredParts {
  readonly types: readonly MeteredType[];
  readonly functions: readonly MeteredFunction[];
  /** Names of the imports, which come first among the functions. */
  readonly imports: readonly string[];
  readonly tableSize: number;
  readonly memory: { readonly initial: number; readonly most: number };
  readonly globals: readonly (number | bigint)[];
  readonly exports: readonly { readonly name: string; readonly kind: number; readonly index: number }[];
  readonly elements: readonly { readonly offset: number; readonly functions: readonly number[] }[];
  readonly data: readonly { readonly offset: number; readonly bytes: Uint8Array }[];
}

const HEADER_BYTES = 8;
const NO_TYPE: MeteredType = { params: [], result: 0, name: "" };

/** The parts of a metered module. */
export function readMetered(code: Uint8Array): MeteredParts {
  const sections = sectionsOf(code);
  const list = <T>(id: number, read: (part: ByteReader) => T): readonly T[] => {
    const part = sections.get(id);
    return part === undefined ? [] : many(part, read);
  };
  const types = list(SECTION.type, readType);
  const imports = list(SECTION.import, (part) => {
    part.name();
    const name = part.name();
    part.u8();
    return { name, type: part.u32() };
  });
  const own = list(SECTION.function, (part) => part.u32());
  const bodies = list(SECTION.code, (part) => part.part(part.u32()));
  const functionOf = (type: number, body: ByteReader | undefined): MeteredFunction => ({ ...(types[type] ?? NO_TYPE), body });
  return {
    types,
    functions: [...imports.map(({ type }) => functionOf(type, undefined)), ...own.map((type, index) => functionOf(type, bodies[index]))],
    imports: imports.map(({ name }) => name),
    tableSize: list(SECTION.table, readTable)[0] ?? 0,
    memory: list(SECTION.memory, readLimits)[0] ?? { initial: 0, most: 0 },
    globals: list(SECTION.global, readGlobal),
    exports: list(SECTION.export, (part) => ({ name: exportName(part), kind: part.u8(), index: part.u32() })),
    elements: list(SECTION.element, (part) => {
      part.u32();
      return { offset: Number(readConstant(part)) >>> 0, functions: many(part, (item) => item.u32()) };
    }),
    data: list(SECTION.data, (part) => {
      part.u32();
      const offset = Number(readConstant(part)) >>> 0;
      const content = part.part(part.u32());
      return { offset, bytes: content.bytes.subarray(content.at, content.end) };
    }),
  };
}

function sectionsOf(code: Uint8Array): ReadonlyMap<number, ByteReader> {
  const reader = new ByteReader(code, HEADER_BYTES);
  const sections = new Map<number, ByteReader>();
  while (!reader.isAtEnd) sections.set(reader.u8(), reader.part(reader.u32()));
  return sections;
}

function many<T>(part: ByteReader, read: (part: ByteReader) => T): readonly T[] {
  return Array.from({ length: part.u32() }, () => read(part));
}

function readType(part: ByteReader): MeteredType {
  part.u8();
  const params = many(part, (item) => item.u8() as ValueType);
  const [result = 0] = many(part, (item) => item.u8() as ValueType);
  return { params, result, name: `${params.join()}:${result}` };
}

function readLimits(part: ByteReader): { readonly initial: number; readonly most: number } {
  const hasMost = part.u8() === 1;
  const initial = part.u32();
  return { initial, most: hasMost ? part.u32() : initial };
}

function readTable(part: ByteReader): number {
  part.u8();
  return readLimits(part).initial;
}

function readGlobal(part: ByteReader): number | bigint {
  part.part(2);
  return readConstant(part);
}

function readConstant(part: ByteReader): number | bigint {
  const value = part.u8() === OP.i32Const ? part.i32() : part.i64();
  part.u8();
  return value;
}

/** Longer than a name of a module by the prefix of its entries. */
function exportName(part: ByteReader): string {
  const bytes = part.part(part.u32());
  return new TextDecoder().decode(bytes.bytes.subarray(bytes.at, bytes.end));
}

/** The value that a local begins with. */
export function zeroOf(type: ValueType): number | bigint {
  return type === I32 ? 0 : 0n;
}
