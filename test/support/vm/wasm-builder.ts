// Assembles small WebAssembly modules byte by byte, valid ones and others: tests say exactly what stands in them.
import { utf8 } from "#shared/util/bytes.ts";

/** Bytes, or nested lists of them. */
export type Code = number | readonly Code[];

/** Types and opcodes that read better by name. */
export const W = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  void: 0x40,
  end: 0x0b,
  unreachable: 0x00,
  nop: 0x01,
  else: 0x05,
  return: 0x0f,
  drop: 0x1a,
  select: 0x1b,
} as const;

/** A function of a module. */
export interface FunctionSpec {
  readonly params?: readonly number[];
  readonly results?: readonly number[];
  /** Groups of locals: how many, of which type. */
  readonly locals?: readonly (readonly [number, number])[];
  /** Without the last end. */
  readonly code: Code;
  readonly export?: string;
}

/** A module. Everything that is left out is left out of the module too, but the memory, which has a page unless it is null. */
export interface ModuleSpec {
  readonly imports?: readonly {
    readonly name: string;
    readonly params?: readonly number[];
    readonly results?: readonly number[];
    readonly module?: string;
  }[];
  readonly functions?: readonly FunctionSpec[];
  /** Limits as they are encoded. */
  readonly memory?: Code | null;
  readonly table?: Code;
  readonly globals?: readonly Code[];
  readonly exports?: readonly Code[];
  readonly start?: number;
  readonly elements?: readonly Code[];
  readonly data?: readonly Code[];
  /** Sections that stand before section of the same or a higher number. */
  readonly extra?: readonly { readonly before: number; readonly id: number; readonly content: Code }[];
}

/** All bytes of nested lists, one after the other. */
export function flat(code: Code): readonly number[] {
  const bytes: number[] = [];
  collect(code, bytes);
  return bytes;
}

function collect(code: Code, bytes: number[]): void {
  if (typeof code === "number") bytes.push(code);
  else for (const part of code) collect(part, bytes);
}

/** Unsigned LEB128. */
export function u32(value: number): readonly number[] {
  return value < 128 ? [value] : [(value % 128) | 0x80, ...u32(Math.floor(value / 128))];
}

/** Signed LEB128. */
export function signed(value: number | bigint): readonly number[] {
  const rest = BigInt(value);
  const byte = Number(rest & 0x7fn);
  const next = rest >> 7n;
  const isLast = (next === 0n && byte < 64) || (next === -1n && byte >= 64);
  return isLast ? [byte] : [byte | 0x80, ...signed(next)];
}

export const i32c = (value: number): Code => [0x41, signed(value)];
export const i64c = (value: number | bigint): Code => [0x42, signed(value)];
export const get = (index: number): Code => [0x20, u32(index)];
export const set = (index: number): Code => [0x21, u32(index)];
export const getGlobal = (index: number): Code => [0x23, u32(index)];
export const setGlobal = (index: number): Code => [0x24, u32(index)];
export const call = (index: number): Code => [0x10, u32(index)];
export const br = (depth: number): Code => [0x0c, u32(depth)];
export const brIf = (depth: number): Code => [0x0d, u32(depth)];
export const block = (type: number, ...code: readonly Code[]): Code => [0x02, type, code, W.end];
export const loop = (type: number, ...code: readonly Code[]): Code => [0x03, type, code, W.end];
export const when = (type: number, then: Code, otherwise?: Code): Code => [
  0x04,
  type,
  then,
  otherwise === undefined ? [] : [W.else, otherwise],
  W.end,
];
export const store = (offset = 0): Code => [0x36, 2, u32(offset)];
export const load = (offset = 0): Code => [0x28, 2, u32(offset)];
export const add = 0x6a;
export const sub = 0x6b;
export const grow: Code = [0x40, 0];

/** A name with its length. */
export function name(text: string): Code {
  const bytes = [...utf8(text)];
  return [u32(bytes.length), bytes];
}

/** A list with its length. */
export function vector(items: readonly Code[]): Code {
  return [u32(items.length), items];
}

/** A section. */
export function section(id: number, content: Code): Code {
  const bytes = flat(content);
  return [id, u32(bytes.length), bytes];
}

/** An active data segment. */
export function data(offset: number, text: string): Code {
  return [0, i32c(offset), W.end, name(text)];
}

/** The bytes of a module. */
export function buildModule(spec: ModuleSpec): Uint8Array {
  const { imports = [], functions = [], memory = [0, 1], extra = [] } = spec;
  const typeOf = ({ params = [], results = [] }: Pick<FunctionSpec, "params" | "results">): string =>
    JSON.stringify(flat([0x60, vector(params), vector(results)]));
  const types = [...new Set([...imports, ...functions].map(typeOf))];
  const typeIndex = (item: Pick<FunctionSpec, "params" | "results">): Code => u32(types.indexOf(typeOf(item)));
  const exports = [...exportsOf(functions, imports.length), ...(spec.exports ?? [])];
  const sections: readonly (readonly [number, Code | undefined])[] = [
    [1, listOrNothing(types.map((type) => JSON.parse(type) as Code))],
    [2, listOrNothing(imports.map((item) => [name(item.module ?? "env"), name(item.name), 0, typeIndex(item)]))],
    [3, listOrNothing(functions.map(typeIndex))],
    [4, spec.table === undefined ? undefined : [1, spec.table]],
    [5, memory === null ? undefined : [1, memory]],
    [6, listOrNothing(spec.globals ?? [])],
    [7, listOrNothing(exports)],
    [8, spec.start === undefined ? undefined : u32(spec.start)],
    [9, listOrNothing(spec.elements ?? [])],
    [10, listOrNothing(functions.map(bodyOf))],
    [11, listOrNothing(spec.data ?? [])],
  ];
  const extraBefore = (from: number, to: number): Code =>
    extra.filter(({ before }) => before >= from && before <= to).map(({ id, content }) => section(id, content));
  const written = sections.map(([id, content]) => [extraBefore(id, id), content === undefined ? [] : section(id, content)]);
  return Uint8Array.from(flat([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, written, extraBefore(12, 255)]));
}

function exportsOf(functions: readonly FunctionSpec[], offset: number): readonly Code[] {
  return functions.flatMap((item, index) => (item.export === undefined ? [] : [[name(item.export), 0, u32(offset + index)]]));
}

function bodyOf({ locals = [], code }: FunctionSpec): Code {
  const body = flat([vector(locals.map(([count, type]) => [u32(count), type])), code, W.end]);
  return [u32(body.length), body];
}

function listOrNothing(items: readonly Code[]): Code | undefined {
  return items.length === 0 ? undefined : vector(items);
}
