// Pieces of code that leave the operands below them as they were, so that they can stand anywhere in a function: each computes something from
// its locals and keeps it in a local or in the memory, or asks the host for something with arguments that make sense.
import { HOST_PARAMETERS } from "#node/vm/module/host-parameters.ts";
import { HOST_SIGNATURES, type HostFunctionName, type Signature } from "#node/vm/module/host-signatures.ts";
import { I32, I64, INSTRUCTIONS, OP } from "#node/vm/module/opcodes.ts";
import { u32 } from "../wasm-builder.ts";
import { constantOf, HOST_NAMES, type Instruction } from "./integer-module.ts";
import { NOISE, NOISE_AT, TEXTS, TEXTS_AT } from "./texts.ts";

export type Random = (below: number) => number;

/** What a piece of code can use where it stands. */
export interface Place {
  readonly random: Random;
  /** Types of the locals. */
  readonly locals: readonly number[];
  /** Result of the function, if it has one. */
  readonly result: number | undefined;
  /** Types of the globals that it may change. */
  readonly variables: ReadonlyMap<number, number>;
  /** Types that functions of the table have, by their index. */
  readonly tableTypes: readonly { readonly type: number; readonly signature: Signature }[];
  readonly pages: number;
}

type Code = readonly Instruction[];

/** Those that end a call, or are expensive: asked for less often. */
const RARE: readonly HostFunctionName[] = ["revert", "abort", "sig_verify"];
const USUAL = HOST_NAMES.filter((name) => !RARE.includes(name));

const INTERESTING = [0n, 1n, -1n, 2n, 7n, 31n, 32n, 33n, 63n, 64n, 65n, 127n, 128n, 255n, 32_767n, 32_768n, 65_535n, 65_536n];
const BORDERS = [-(2n ** 31n), 2n ** 31n - 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 63n - 1n, -(2n ** 63n)];
const PLAIN = INSTRUCTIONS.flatMap((item, op) => (item?.immediate === "none" ? [{ ...item, op }] : []));
const ACCESSES = INSTRUCTIONS.flatMap((item, op) => (item?.immediate === "memory" ? [{ ...item, op }] : []));
const VOID = 0x40;
/** Where results are kept. */
const [KEPT_AT, KEPT] = [NOISE_AT.kept, 64];
const PAGE_BYTES = 65_536;

const plain = (opcode: number, ...immediates: readonly number[]): Instruction => ({ opcode, immediates });
const int = (value: number): Instruction => constantOf(I32, BigInt(value));
const END = plain(0x0b);
const [ADD, SUB, AND] = [plain(0x6a), plain(0x6b), plain(0x71)];

/** A value on the edges of its type, mostly. */
export function interesting(random: Random): bigint {
  const kind = random(4);
  if (kind === 0) return BigInt(random(2 ** 31)) * BigInt(random(2 ** 31)) - BigInt(random(2 ** 31));
  const list = kind === 1 ? BORDERS : INTERESTING;
  return list[random(list.length)] ?? 0n;
}

function oneOfEdges(type: number, random: Random): bigint {
  const bits = type === I32 ? 32n : 64n;
  const edges = [0n, 1n, -1n, -1n, 1n << (bits - 1n), 1n << (bits - 1n), (1n << (bits - 1n)) - 1n, bits, bits + 1n, 0x8080n];
  return edges[random(edges.length)] ?? 0n;
}

/** A piece of any kind. */
export function statement(place: Place): Code {
  const { random } = place;
  const kind = random(24);
  if (kind < 9) return operation(place);
  if (kind < 12) return hostCall(place);
  const make = OTHERS[kind % OTHERS.length] ?? operation;
  return make(place);
}

const OTHERS: readonly ((place: Place) => Code)[] = [
  access,
  access,
  bulk,
  branchTable,
  choice,
  counted,
  carried,
  tee,
  grow,
  variable,
  indirect,
  leave,
];

/** An instruction on values of its types, its result kept. */
function operation(place: Place): Code {
  const item = PLAIN[place.random(PLAIN.length)];
  if (item === undefined) return [];
  // Some come of two values on the edge only: the lowest number divided by -1.
  const isOnEdge = place.random(3) === 0;
  const operands = item.pops.flatMap((type) => (isOnEdge ? [constantOf(type, oneOfEdges(type, place.random))] : value(place, type)));
  const code = [...operands, plain(item.op)];
  return keep(place, item.pushes === I64 ? I64 : I32, code);
}

function access(place: Place): Code {
  const { random } = place;
  const item = ACCESSES[random(ACCESSES.length)];
  if (item === undefined) return [];
  const instruction = plain(item.op, random(item.maxAlign + 1), ...u32(random(30) === 0 ? 2 ** 32 - 1 - random(9) : random(70)));
  if (item.pushes !== 0) return keep(place, item.pushes, [...address(place), instruction]);
  return [...address(place), ...value(place, item.pops[1] ?? I32), instruction];
}

/** Copies and fills a part of the memory, sometimes up to its end or past it; what is copied often overlaps where it goes. */
function bulk(place: Place): Code {
  const { random, pages } = place;
  const length = random(8) === 0 ? 0 : random(300);
  const near = pages * PAGE_BYTES - length + ([0, 0, 1, -1][random(4)] ?? 0);
  const start = (): number =>
    [near, random(60_000), NOISE_AT.own + random(NOISE.length), NOISE_AT.kept + random(NOISE.length)][random(4)] ?? 0;
  const target = start();
  if (random(2) === 0) return [int(target), int(Number(BigInt.asIntN(32, interesting(random)))), int(length), plain(0xfc, 11, 0)];
  const source = random(2) === 0 ? start() : target + random(64) - 32;
  return [int(target), int(source), int(length), plain(0xfc, 10, 0, 0)];
}

/** Four ways out, the last one for every other number; each leaves another value. */
function branchTable(place: Place): Code {
  const blocks = [0, 1, 2, 3].map(() => plain(OP.block, VOID));
  const index = place.random(3) === 0 ? value(place, I32) : [int(place.random(6) - 1)];
  const targets = Array.from({ length: 1 + place.random(3) }, () => place.random(4));
  const table = plain(OP.brTable, targets.length, ...targets, place.random(4));
  const arms = [0, 1, 2].flatMap((arm) => [
    END,
    ...keep(place, I32, [int(1_000 + arm)]),
    ...(place.random(2) === 0 ? [plain(OP.br, 2 - arm)] : []),
  ]);
  return [...blocks, ...index, table, ...arms, END];
}

function choice(place: Place): Code {
  const type = anyType(place);
  const condition = value(place, I32);
  if (place.random(2) === 0) return keep(place, type, [...value(place, type), ...value(place, type), ...condition, plain(OP.select)]);
  const arms = [...value(place, type), plain(0x05), ...operation(place), ...value(place, type)];
  return keep(place, type, [...condition, plain(OP.if, type), ...arms, END]);
}

/** Some rounds over a piece of code. */
function counted(place: Place): Code {
  const counter = place.locals.lastIndexOf(I32);
  if (counter < 0) return operation(place);
  const at = u32(counter);
  const start = [int(1 + place.random(6)), plain(OP.localSet, ...at), plain(OP.loop, VOID)];
  const inner = place.random(2) === 0 ? operation(place) : access(place);
  return [...start, ...inner, plain(OP.localGet, ...at), int(1), SUB, plain(OP.localTee, ...at), int(7), AND, plain(OP.brIf, 0), END];
}

/** A branch that carries a value out of blocks, over others that stay behind. */
function carried(place: Place): Code {
  const type = anyType(place);
  const [below, brought] = [value(place, anyType(place)), value(place, type)];
  const way = [plain(OP.br, 1), plain(OP.brIf, 1)][place.random(2)] ?? plain(OP.br, 1);
  const condition = way.opcode === OP.brIf ? value(place, I32) : [];
  const inner = [
    ...below,
    plain(OP.block, VOID),
    ...brought,
    ...condition,
    way,
    plain(OP.drop),
    END,
    plain(OP.drop),
    ...value(place, type),
  ];
  return keep(place, type, [plain(OP.block, type), ...inner, END]);
}

function tee(place: Place): Code {
  const type = anyType(place);
  const locals = ofType(place, type);
  const local = locals[place.random(Math.max(1, locals.length))];
  if (local === undefined) return operation(place);
  const other = plain(OP.localTee, ...u32(locals[place.random(locals.length)] ?? local));
  return keep(place, type, [...value(place, type), plain(OP.localTee, ...u32(local)), other, ...(type === I32 ? [int(3), ADD] : [])]);
}

function grow(place: Place): Code {
  const pages = [0, 0, 1, 1, 2, 3, 65_535, -1][place.random(8)] ?? 0;
  const asked = place.random(3) === 0 ? [plain(OP.memorySize, 0)] : [int(pages), plain(OP.memoryGrow, 0)];
  return keep(place, I32, asked);
}

function variable(place: Place): Code {
  const entries = [...place.variables];
  const [index, type] = entries[place.random(Math.max(1, entries.length))] ?? [];
  if (index === undefined || type === undefined) return operation(place);
  const at = u32(index);
  return place.random(2) === 0 ? keep(place, type, [plain(OP.globalGet, ...at)]) : [...value(place, type), plain(OP.globalSet, ...at)];
}

/** Through the table: mostly there is a function, often of another type. */
function indirect(place: Place): Code {
  const { random, tableTypes } = place;
  const at = random(tableTypes.length + 1);
  const wanted = random(3) === 0 ? tableTypes[random(Math.max(1, tableTypes.length))] : tableTypes[at];
  if (wanted === undefined) return operation(place);
  const { params, result } = wanted.signature;
  const called = [...params.flatMap((type) => value(place, type)), int(at), plain(OP.callIndirect, ...u32(wanted.type), 0)];
  return result === 0 ? called : keep(place, result, called);
}

/** Out of the function, on a condition that is rare. */
function leave(place: Place): Code {
  const result = place.result === undefined ? [] : value(place, place.result);
  return [...value(place, I32), int(77), plain(0x46), plain(OP.if, VOID), ...result, plain(OP.return), END];
}

/** A call of the host whose result is kept. */
export function hostCall(place: Place): Code {
  const { random } = place;
  const names = random(12) === 0 ? RARE : USUAL;
  const name = names[random(names.length)] ?? "log";
  const { params, result } = HOST_SIGNATURES.get(name) ?? { params: [], result: 0 };
  const words = HOST_PARAMETERS[name];
  const args = params.map((type, index) => constantOf(type, argument(words[index] ?? "", random)));
  const called = [
    ...args.flatMap((constant) => (random(25) === 0 ? value(place, typeOf(constant)) : [constant])),
    plain(OP.call, ...u32(HOST_NAMES.indexOf(name))),
  ];
  return result === 0 ? called : keep(place, result, called);
}

/** A value for a parameter, by its name. */
function argument(parameter: string, random: Random): bigint {
  const text = TEXTS[parameter];
  if (text !== undefined && random(8) > 0) return BigInt(TEXTS_AT + text.at);
  const known = parameter.endsWith(" length") ? TEXTS[parameter.slice(0, -" length".length)] : undefined;
  if (known !== undefined && random(6) > 0) return BigInt(random(3) === 0 ? random(known.length + 1) : known.length);
  switch (parameter) {
    case "index":
    case "field":
      return BigInt(random(8));
    case "amount":
      return [0n, 1n, 5n, 1_000n, 2_000_000n, -1n][random(6)] ?? 0n;
    case "gas":
      return [0n, 1n, 20_000n][random(3)] ?? 0n;
    case "dst":
      return BigInt(random(30) === 0 ? PAGE_BYTES - random(40) : random(60_000));
    default:
      return BigInt(random(40) === 0 ? -1 : random(120));
  }
}

function typeOf({ opcode }: Instruction): number {
  return opcode === OP.i64Const ? I64 : I32;
}

function anyType({ random }: Place): number {
  return random(2) === 0 ? I32 : I64;
}

function ofType({ locals }: Place, type: number): readonly number[] {
  return [...locals.keys()].filter((index) => locals[index] === type);
}

/** Code that leaves a value of a type: a local, an interesting number, or something from the memory. */
function value(place: Place, type: number): Code {
  const { random } = place;
  const locals = ofType(place, type);
  const local = locals[random(Math.max(1, locals.length))];
  const kind = random(8);
  if (kind < 3 && local !== undefined) return [plain(OP.localGet, ...u32(local))];
  if (kind === 3) return [int(KEPT_AT + 8 * random(KEPT)), type === I32 ? plain(0x28, 2, 0) : plain(0x29, 3, 0)];
  return [constantOf(type, interesting(random))];
}

/** Mostly inside of the memory. */
function address(place: Place): Code {
  const { random, pages } = place;
  const kind = random(12);
  if (kind === 0) return value(place, I32);
  if (kind === 1) return [int(pages * PAGE_BYTES - random(16))];
  if (kind < 5) return [...value(place, I32), int(0x7fff), AND];
  return [int((kind < 9 ? NOISE_AT.own : NOISE_AT.kept) + random(NOISE.length))];
}

/** Keeps what code leaves: in a local, or in the memory. */
function keep(place: Place, type: number, code: Code): Code {
  const { random } = place;
  const locals = ofType(place, type);
  const local = locals[random(Math.max(1, locals.length))];
  if (local !== undefined && random(2) === 0) return [...code, plain(OP.localSet, ...u32(local))];
  return [int(KEPT_AT + 8 * random(KEPT)), ...code, type === I32 ? plain(0x36, 2, 0) : plain(0x37, 3, 0)];
}
