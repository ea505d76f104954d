// Recursions whose frames are as large as a compiler can be made to lay them out, from a seed: parameters, locals, operands alive over calls,
// calls with many arguments, blocks with values inside each other, branch tables, calls through the table, bulk memory in between.
import { wordsUntilFull } from "#node/vm/native-stack.ts";
import { randomNumbers } from "./random-module.ts";
import {
  block,
  brIf,
  buildModule,
  type Code,
  call,
  get,
  getGlobal,
  i32c,
  i64c,
  load,
  type ModuleSpec,
  set,
  u32,
  W,
} from "./wasm-builder.ts";

type Type = typeof W.i32 | typeof W.i64;

/** What a function of a recursion is made of. */
interface Shape {
  readonly params: readonly Type[];
  readonly locals: readonly Type[];
  /** Operands that lie below the call. */
  readonly alive: number;
}

const { i32, i64 } = W;
const HELPER_IMPORT = { name: "gas_left", params: [], results: [i64] } as const;
const FIRST = 1;

/** The fewest words that a recursion of these seeds has counted when the native stack of this thread is full, and its seed. */
export function fewestWords(from: number, count: number): { readonly words: number; readonly seed: number } {
  const all = Array.from({ length: count }, (_, index) => ({
    seed: from + index,
    words: wordsUntilFull(buildModule(recursionOf(from + index)), "run"),
  }));
  return all.reduce((fewest, next) => (next.words < fewest.words ? next : fewest));
}

/** A recursion without an end; `run` begins it. */
export function recursionOf(seed: number): ModuleSpec {
  const random = randomNumbers(seed);
  const shapes = Array.from({ length: 1 + random(3) }, () => shapeOf(random));
  // Types are numbered as they first occur; the first is that of the import.
  const types = [...new Set(["", ...shapes.map(({ params }) => params.join())])];
  const calleeOf = (caller: number): Callee => {
    const index = (caller + 1) % shapes.length;
    const params = shapes[index]?.params ?? [];
    return { index, params, type: types.indexOf(params.join()) };
  };
  const functions = shapes.map((shape, index) => ({
    params: shape.params,
    results: [i64],
    locals: shape.locals.map((type) => [1, type] as const),
    code: bodyOf(random, shape, calleeOf(index)),
  }));
  const [first] = shapes;
  const begin: Code = [(first?.params ?? []).map((type) => constant(type, 1)), call(FIRST), W.drop];
  return {
    imports: [HELPER_IMPORT],
    functions: [...functions, { code: begin, export: "run" }],
    table: [0x70, 0, functions.length],
    elements: [[0, i32c(0), W.end, u32(functions.length), functions.map((_, index) => u32(FIRST + index))]],
    globals: [[i64, 1, i64c(7), W.end]],
    memory: [1, 1, 2],
  };
}

function shapeOf(random: (below: number) => number): Shape {
  const wide = [0, 1, 4, 8, 31, 32];
  const types = (count: number): readonly Type[] => {
    const kind = random(4);
    return Array.from({ length: count }, (_, index) => (kind === 0 || (kind === 1 && index % 2 === 0) ? i32 : i64));
  };
  const locals = [0, 1, 2, 7, 60, 200, 480][random(7)] ?? 0;
  return {
    params: types(wide[random(wide.length)] ?? 0),
    locals: types(locals),
    alive: [0, 1, 2, 3, 7, 40, 200, 900][random(8)] ?? 0,
  };
}

interface Callee {
  readonly index: number;
  readonly params: readonly Type[];
  /** Number of its type. */
  readonly type: number;
}

function bodyOf(random: (below: number) => number, shape: Shape, callee: Callee): Code {
  const before = Array.from({ length: random(3) }, () => setting(random, shape));
  const alive = Array.from({ length: shape.alive }, () => operand(random, shape, i64));
  const inside: Code = [alive, around(random, shape, () => callOf(random, shape, callee)), shape.alive === 0 ? [] : folded(shape.alive)];
  return [before, around(random, shape, () => inside), random(3) === 0 ? [after(random), 0x7c] : []];
}

/** Adds up what lies on the stack. */
function folded(count: number): Code {
  return Array.from({ length: count }, () => 0x7c);
}

/** A second value, behind the call. */
function after(random: (below: number) => number): Code {
  return random(2) === 0 ? getGlobal(0) : call(0);
}

/** The code, whose result is an i64, inside of blocks: plain ones, ones with a branch or a branch table to each, loops and arms of an if. */
function around(random: (below: number) => number, shape: Shape, code: () => Code): Code {
  let wrapped = code();
  for (let depth = [0, 0, 1, 2, 30][random(5)] ?? 0; depth > 0; depth -= 1) wrapped = wrap(random, shape, wrapped);
  return wrapped;
}

function wrap(random: (below: number) => number, shape: Shape, code: Code): Code {
  const never: Code = [getGlobal(0), 0x50];
  switch (random(6)) {
    case 0:
      return block(i64, code);
    case 1:
      return block(i64, operand(random, shape, i64), never, brIf(0), W.drop, code);
    case 2:
      return block(i64, block(W.void, i32c(5), [0x0e, 3, 0, 0, 0, 0]), code);
    case 3:
      return [0x03, i64, code, W.end];
    case 4:
      return [never, [0x04, i64, operand(random, shape, i64), W.else, code, W.end]];
    default:
      return [operand(random, shape, i64), operand(random, shape, i64), never, W.select, code, 0x85];
  }
}

/** A call by name or through the table, in one of six with a copy of memory while the arguments of the caller are alive. */
function callOf(random: (below: number) => number, shape: Shape, { index, params, type }: Callee): Code {
  const args = params.map((param) => operand(random, shape, param));
  const bulk: Code = random(6) === 0 ? [i32c(0), i32c(8), i32c(8), 0xfc, 10, 0, 0] : [];
  return [bulk, args, random(3) === 0 ? [i32c(index), 0x11, u32(type), 0] : call(FIRST + index)];
}

function setting(random: (below: number) => number, { params, locals }: Shape): Code {
  const all = [...params, ...locals];
  if (all.length === 0) return [];
  const index = random(all.length);
  return [value(random, all[index] ?? i64), set(index)];
}

/** A value of a type: a constant, a local, something computed. */
function operand(random: (below: number) => number, { params, locals }: Shape, type: Type): Code {
  const all = [...params, ...locals];
  const index = random(Math.max(1, all.length));
  if (random(3) === 0 && all[index] === type) return get(index);
  return value(random, type);
}

function value(random: (below: number) => number, type: Type): Code {
  const long: Code = [
    [i64c(random(1_000)), [getGlobal(0), i64c(3), 0x7e], getGlobal(0), [i32c(0), load(random(64)), 0xac]][random(4)] ?? [],
  ];
  return type === i64 ? long : [long, 0xa7];
}

function constant(type: Type, number: number): Code {
  return type === i64 ? i64c(number) : i32c(number);
}
