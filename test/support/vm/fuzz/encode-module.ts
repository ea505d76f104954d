// The bytes of a module that imports all functions of the host, with entries behind its own functions.

import { ByteWriter } from "#node/vm/module/byte-writer.ts";
import { HOST_SIGNATURES } from "#node/vm/module/host-signatures.ts";
import { I32, I64, type ValueType } from "#node/vm/module/opcodes.ts";
import { flat, i32c, W } from "../wasm-builder.ts";
import { type FunctionBody, HOST_NAMES, type Instruction, type IntegerModule } from "./integer-module.ts";
import { NOISE, NOISE_AT, TEXTS_AT, TEXTS_BYTES } from "./texts.ts";

/** What is added to a module. */
export interface Additions {
  /** Code of entries, exported as e0, e1 and so on, see {@link ENTRY_LOCALS}. */
  readonly entries: readonly (readonly Instruction[])[];
  readonly mostPages: number;
}

/** Locals of each entry. */
export const ENTRY_LOCALS: readonly ValueType[] = [I32, I32, I64, I64];

const [TYPES, IMPORTS, FUNCTIONS, TABLE, MEMORY, GLOBALS, EXPORTS, ELEMENTS, CODE, DATA] = [1, 2, 3, 4, 5, 6, 7, 9, 10, 11] as const;
const HOST_TYPES = HOST_NAMES.map((name) => HOST_SIGNATURES.get(name) ?? { params: [], result: 0 as const });
const encoded = new WeakMap<FunctionBody, Uint8Array>();

/** The bytes of a module. */
export function encodeModule(module: IntegerModule, { entries, mostPages }: Additions): Uint8Array {
  const { types, sections, pages } = module;
  const entryType = types.length + HOST_TYPES.length;
  const own = entries.map((code) => ({ type: entryType, params: [], results: [], locals: ENTRY_LOCALS, code }));
  const functions: readonly FunctionBody[] = [...module.functions, ...own];
  const first = HOST_TYPES.length + module.functions.length;
  const writer = new ByteWriter(65_536).u8(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
  const copy = (id: number): void => {
    const content = sections.get(id);
    if (content !== undefined && content[0] !== 0) writer.u8(id).sized(new ByteWriter(content.length).raw(content));
  };
  const write = (id: number, content: ByteWriter): void => void writer.u8(id).sized(content);
  write(TYPES, typesOf([...types, ...HOST_TYPES, { params: [], result: 0 }]));
  write(IMPORTS, importsOf(types.length));
  write(
    FUNCTIONS,
    listOf(functions, (part, { type }) => part.u32(type)),
  );
  copy(TABLE);
  write(MEMORY, new ByteWriter().u8(1, 1).u32(pages).u32(Math.max(pages, mostPages)));
  copy(GLOBALS);
  write(
    EXPORTS,
    listOf(entries, (part, _, index) =>
      part
        .name(`e${index}`)
        .u8(0)
        .u32(first + index),
    ),
  );
  copy(ELEMENTS);
  write(
    CODE,
    listOf(functions, (part, body) => part.raw(encodedBody(body))),
  );
  write(DATA, dataOf(sections.get(DATA)));
  return writer.written().slice();
}

function listOf<T>(items: readonly T[], write: (part: ByteWriter, item: T, index: number) => void): ByteWriter {
  const part = new ByteWriter(1_024).u32(items.length);
  for (const [index, item] of items.entries()) write(part, item, index);
  return part;
}

function typesOf(types: IntegerModule["types"]): ByteWriter {
  return listOf(types, (part, { params, result }) => {
    part
      .u8(0x60)
      .u32(params.length)
      .u8(...params);
    if (result === 0) part.u8(0);
    else part.u8(1, result);
  });
}

function importsOf(firstType: number): ByteWriter {
  return listOf(HOST_NAMES, (part, name, index) =>
    part
      .name("env")
      .name(name)
      .u8(0)
      .u32(firstType + index),
  );
}

/** Data of the module overwrites noise, and texts overwrite all: they are there whatever a module has. */
function dataOf(content: Uint8Array | undefined): ByteWriter {
  const noise = Object.values(NOISE_AT).map((at) => segment(at, NOISE));
  const { count, rest } = content === undefined ? { count: 0, rest: new Uint8Array(0) } : countOf(content);
  const writer = new ByteWriter(rest.length + 4_096).u32(noise.length + count + 1);
  for (const part of noise) writer.raw(part);
  return writer.raw(rest).raw(segment(TEXTS_AT, TEXTS_BYTES));
}

function segment(at: number, bytes: Uint8Array): Uint8Array {
  return new ByteWriter()
    .u8(0, ...flat(i32c(at)), W.end)
    .u32(bytes.length)
    .raw(bytes)
    .written();
}

function countOf(content: Uint8Array): { readonly count: number; readonly rest: Uint8Array } {
  let count = 0;
  for (let at = 0; ; at += 1) {
    const byte = content[at] ?? 0;
    count += (byte & 0x7f) * 2 ** (7 * at);
    if (byte < 0x80) return { count, rest: content.subarray(at + 1) };
  }
}

/** Most functions of a mutant are those of its module. */
function encodedBody(body: FunctionBody): Uint8Array {
  const known = encoded.get(body);
  if (known !== undefined) return known;
  const content = new ByteWriter(1_024).u32(body.locals.length);
  for (const type of body.locals) content.u8(1, type);
  for (const { opcode, immediates } of body.code) content.u8(opcode, ...immediates);
  const bytes = new ByteWriter(content.length + 8).sized(content.u8(W.end)).written().slice();
  encoded.set(body, bytes);
  return bytes;
}
