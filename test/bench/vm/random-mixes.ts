// Random mixes of operations, by a seed that the table names: what no list of cases thinks of. One that is dear becomes a case.

import { randomNumbers } from "../../support/vm/random-module.ts";
import { add, br, type Code, call, get, grow, i32c, i64c, load, loop, set, store, W } from "../../support/vm/wasm-builder.ts";
import { atDepth, type HostileCase, IMPORT, many } from "./hostile-case.ts";

const { i32 } = W;
const IMPORTS = [IMPORT.stateGet, IMPORT.stateNext, IMPORT.stateSet, IMPORT.stateDelete, IMPORT.keyUsable, IMPORT.ret, IMPORT.inputRead];
const host = (index: number): Code => call(index);
/** Local 0 counts; the key begins at KEY with the counter in it. */
const KEY = 1_024;
const PIECES = 4;

/** A piece of work with a size between 0 and 1. */
const WORK: readonly ((size: number) => Code)[] = [
  (size): Code => [i32c(KEY), i32c(4 + Math.floor(252 * size)), i32c(0), i32c(64), host(0), W.drop],
  (size): Code => [i32c(KEY), i32c(Math.floor(8 * size)), i32c(KEY), i32c(Math.floor(256 * size)), i32c(0), i32c(64), host(1), W.drop],
  (size): Code => [i32c(KEY), i32c(4 + Math.floor(252 * size)), i32c(0), i32c(Math.floor(16_384 * size)), host(2)],
  (size): Code => [i32c(KEY), i32c(4 + Math.floor(252 * size)), host(3)],
  (size): Code => [i32c(KEY), i32c(Math.floor(64 * size)), host(4), W.drop],
  (size): Code => [i32c(0), i32c(Math.floor(16_384 * size)), host(5)],
  (size): Code => [i32c(0), i32c(0), i32c(Math.floor(16_384 * size)), host(6), W.drop],
  (size): Code => [i32c(0), i32c(1), i32c(Math.floor(1_048_576 * size)), 0xfc, 11, 0],
  (size): Code => [i32c(1), i32c(0), i32c(Math.floor(1_048_575 * size)), 0xfc, 10, 0, 0],
  (size): Code => many(1 + Math.floor(40 * size), [i64c(-7), get(0), 0xad, i64c(3), 0x84, 0x81, 0xa7, set(1)]),
  (size): Code => many(1 + Math.floor(40 * size), [get(1), i32c(0xf_fffc), 0x71, load(), set(1)]),
  (size): Code =>
    many(1 + Math.floor(40 * size), [
      get(1),
      i32c(1_664_525),
      0x6c,
      i32c(9_973),
      add,
      set(1),
      get(1),
      i32c(0xf_fffc),
      0x71,
      get(0),
      store(),
    ]),
  (): Code => [i32c(0), grow, W.drop],
];

/** Mixes of the seeds from `first` on. */
export function randomMixes(first: number, count: number): readonly HostileCase[] {
  return Array.from({ length: count }, (_, at) => randomMix(first + at));
}

function randomMix(seed: number): HostileCase {
  const below = randomNumbers(seed);
  const pieces = Array.from({ length: 1 + below(PIECES) }, () => WORK[below(WORK.length)]?.(below(1_001) / 1_000) ?? []);
  const depth = 1 + below(8);
  const next: Code = [i32c(KEY), get(0), i32c(1), add, 0x22, 0, store()];
  return {
    what: `random mix ${seed}`,
    prepare: (world) => {
      const code = loop(W.void, next, pieces, br(0));
      const id = atDepth(world, depth, { imports: IMPORTS, functions: [{ export: "run", locals: [[2, i32]], code }], memory: [1, 17, 17] });
      return () => world.call(id, "run", { gas: 20_000_000 }).gasUsed;
    },
  };
}
