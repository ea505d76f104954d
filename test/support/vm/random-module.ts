// Random programs: valid modules with loops, branches, calls, memory and host calls, made from a seed. Loops are counted, so each ends.
import {
  block,
  br,
  brIf,
  type Code,
  call,
  get,
  getGlobal,
  grow,
  i32c,
  i64c,
  load,
  type ModuleSpec,
  set,
  setGlobal,
  store,
  u32,
  W,
  when,
} from "./wasm-builder.ts";

/** Numbers from 0 up to a bound, always the same ones for a seed (mulberry32). */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const LOCALS = 4;
const COUNTER = 4;
const BINARY_I32 = [0x6a, 0x6b, 0x6c, 0x6a, 0x6b, 0x6c, 0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x46, 0x48, 0x4b];
const BINARY_I64 = [0x7c, 0x7d, 0x7e, 0x7f, 0x80, 0x83, 0x84, 0x85, 0x86, 0x88, 0x89];
const FUNCTIONS = 5;

/** A module of random functions; `run` calls them and leaves what it computed in memory, global and log. */
export function randomModule(seed: number): ModuleSpec {
  const random = randomNumbers(seed);
  const functions = Array.from({ length: FUNCTIONS }, (_, index) => ({
    params: [W.i32],
    results: [W.i32],
    locals: [[LOCALS, W.i32]] as const,
    code: [...statements({ random, depth: 0, callable: index }), expression({ random, depth: 0, callable: index })],
  }));
  const calls = functions.map((_, index) => [
    i32c(random(1_000)),
    call(1 + index),
    setGlobal(0),
    i32c(64 + 4 * index),
    getGlobal(0),
    store(),
  ]);
  return {
    imports: [{ name: "log", params: [W.i32, W.i32] }],
    functions: [...functions, { code: [calls, i32c(64), i32c(0), call(0)], export: "run" }],
    globals: [[W.i32, 1, i32c(7), W.end]],
    memory: [1, 1, 4],
  };
}

interface Scope {
  readonly random: (below: number) => number;
  readonly depth: number;
  /** Functions below this may be called, so that nothing recurses. */
  readonly callable: number;
}

function statements(scope: Scope): readonly Code[] {
  return Array.from({ length: 1 + scope.random(4) }, () => statement(scope));
}

function statement(scope: Scope): Code {
  const { random, depth } = scope;
  const inner = { ...scope, depth: depth + 1 };
  const kinds = depth < 3 ? 11 : 5;
  switch (random(kinds)) {
    case 0:
      return [expression(scope), set(random(LOCALS))];
    case 1:
      return [expression(scope), setGlobal(0)];
    case 2:
      return [i32c(random(60_000)), expression(scope), store(random(1_000))];
    case 3:
      return [i32c(random(2)), grow, W.drop];
    case 4:
      return bulk(scope);
    case 5:
      return [expression(scope), when(W.void, [...statements(inner)], random(2) === 0 ? undefined : [...statements(inner)])];
    case 6:
      return [expression(scope), when(W.void, [...statements(inner)], [...statements(inner)])];
    case 7:
      return block(W.void, ...statements(inner), expression(inner), brIf(0), ...statements(inner));
    case 8:
      return block(W.void, ...statements(inner), random(4) === 0 ? br(0) : W.nop, ...statements(inner));
    case 9:
      return block(W.void, block(W.void, block(W.void, expression(inner), 0x0e, 2, 0, 1, 2), ...statements(inner)), ...statements(inner));
    default:
      return counted(inner);
  }
}

/** A loop of few rounds: its counter is a local that nothing else sets, saved around it. */
function counted(scope: Scope): Code {
  const rounds = 1 + scope.random(4);
  return [
    get(COUNTER),
    i32c(rounds),
    set(COUNTER),
    [0x03, W.void, ...statements(scope), get(COUNTER), i32c(1), 0x6b, 0x22, u32(COUNTER), brIf(0), W.end],
    set(COUNTER),
  ];
}

function bulk({ random }: Scope): Code {
  const [to, from, length] = [i32c(random(65_000)), i32c(random(65_000)), i32c(random(1_200))];
  return random(2) === 0 ? [to, from, length, 0xfc, 10, 0, 0] : [to, from, length, 0xfc, 11, 0];
}

function expression(scope: Scope): Code {
  const { random, depth, callable } = scope;
  const inner = { ...scope, depth: depth + 1 };
  switch (random(depth < 4 ? 11 : 3)) {
    case 0:
      return i32c(random(2 ** 31) - 2 ** 30);
    case 1:
      return get(random(LOCALS));
    case 2:
      return getGlobal(0);
    case 3:
      return [expression(inner), expression(inner), BINARY_I32[random(BINARY_I32.length)] ?? 0x6a];
    case 4:
      return [expression(inner), 0xac, i64c(random(1_000_000) + 1), BINARY_I64[random(BINARY_I64.length)] ?? 0x7c, 0xa7];
    case 5:
      return [i32c(random(65_000)), load(random(1_000))];
    case 6:
      return [expression(inner), expression(inner), expression(inner), W.select];
    case 7:
      return callable === 0 ? i32c(1) : [expression(inner), call(1 + random(callable))];
    case 8:
      return [expression(inner), when(W.i32, expression(inner), expression(inner))];
    case 9:
      return block(W.i32, expression(inner), expression(inner), brIf(0));
    default:
      return random(6) === 0 ? [expression(inner), W.return, expression(inner)] : [expression(inner), 0x45];
  }
}
