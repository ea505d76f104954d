// One compiler for contracts, on every node and for every call: V8's baseline compiler. What its optimising compiler makes of a function,
// and when, is not in the module: frames can become many times as large as what the meter counts for them.
import { setFlagsFromString } from "node:v8";
import { runInThisContext } from "node:vm";
import { engine } from "./engine.ts";

/** Flags of the whole process. All are given, because a flag that is set while V8 runs implies no others. */
const BASELINE_FLAGS = ["--liftoff", "--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"] as const;

/** With these, an optimising compiler that may run at all is done within the first calls of a function. */
const EAGER_FLAGS = ["--allow-natives-syntax", "--wasm-sync-tier-up", "--wasm-tiering-budget=1"] as const;
const USUAL_FLAGS = ["--no-allow-natives-syntax", "--no-wasm-sync-tier-up", "--wasm-tiering-budget=13000000"] as const;

/** `(module (func (export "f")))` */
const PROBE = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 0x66, 0, 0, 10, 4, 1, 2, 0, 0x0b];
const PROBE_CALLS = 8;

/** Gives contracts the baseline compiler, in this process and all its threads. To be called before the first module is compiled. */
export function setBaselineCompiler(): void {
  for (const flag of BASELINE_FLAGS) setFlagsFromString(flag);
}

/** Whether a function that is called often stays with the baseline compiler in this process. Asked of the engine itself. */
export function isBaselineCompilerAlone(): boolean {
  for (const flag of EAGER_FLAGS) setFlagsFromString(flag);
  try {
    const isBaseline = runInThisContext("(f) => %IsLiftoffFunction(f)") as (run: unknown) => boolean;
    const { f: run } = new engine.Instance(new engine.Module(Uint8Array.from(PROBE)), {}).exports;
    for (let calls = 0; calls < PROBE_CALLS; calls += 1) if (typeof run === "function") run();
    return isBaseline(run);
  } catch (error) {
    // An engine that does not answer.
    if (error instanceof SyntaxError) return false;
    throw error;
  } finally {
    for (const flag of USUAL_FLAGS) setFlagsFromString(flag);
  }
}
