// A recursion whose frames an optimising compiler makes large: the same products are needed before and after the call, so it keeps all of
// them alive over the call, where the code itself has few operands. `warm` makes the function worth optimising, `run` goes down without end.
import { type Code, call, get, getGlobal, i32c, i64c, type ModuleSpec, setGlobal, W, when } from "./wasm-builder.ts";

const PRODUCTS = 120;
const DEPTH = 100_000;
const WARM_DEPTH = 3;

/** Methods `warm` and `run`. */
export const WARM_RECURSION: ModuleSpec = {
  functions: [
    {
      params: [W.i32, W.i64],
      code: [products(), get(0), when(W.void, [get(0), i32c(1), 0x6b, get(1), call(0)]), products()],
    },
    { export: "warm", code: [i32c(WARM_DEPTH), i64c(7), call(0)] },
    { export: "run", code: [i32c(DEPTH), i64c(7), call(0)] },
  ],
  globals: [[W.i64, 1, i64c(1), W.end]],
};

/** Calls of `warm` after which an engine that may optimise has: it counts what runs. */
export const WARMING_CALLS = 40;

/** Flags of an engine that optimises as soon as it may, and waits for that. */
export const EAGER_FLAGS = ["--wasm-sync-tier-up", "--wasm-tiering-budget=1000"] as const;

function products(): Code {
  return Array.from({ length: PRODUCTS }, (_, index) => [getGlobal(0), get(1), i64c(2 * index + 3), 0x7e, 0x85, setGlobal(0)]);
}
