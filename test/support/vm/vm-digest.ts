// Prints one hash over the outcomes of many calls: programs, limits, every way to overflow the stack. Whatever options the engine gets, and
// wherever it runs, it must be the same. Run as a program, with the compiler of the machine, or as a worker.
import { createHash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { VmWorld } from "../worlds/vm-world.ts";
import { randomModule } from "./random-module.ts";
import { brIf, type Code, call, data, get, i32c, i64c, load, loop, type ModuleSpec, store, W, when } from "./wasm-builder.ts";

const [, , compiler = "baseline"] = process.argv as ("baseline" | "none" | "any")[];
const repeat = (count: number, code: Code): Code => Array.from({ length: count }, () => code);

/** Recursions of several shapes of frames; none ends. */
const RECURSIONS: readonly ModuleSpec[] = [
  { functions: [{ code: call(0), export: "run" }] },
  {
    functions: [
      { code: call(1), export: "run" },
      { locals: [[500, W.i64]], code: call(1) },
    ],
  },
  { functions: [{ code: call(1), export: "run" }, { code: [repeat(1_000, i64c(1)), call(1), repeat(1_000, W.drop)] }] },
  {
    functions: [
      { code: [repeat(32, i64c(1)), call(1)], export: "run" },
      { params: new Array<number>(32).fill(W.i64), code: [Array.from({ length: 32 }, (_, index) => get(index)), call(1)] },
    ],
  },
  { imports: [{ name: "log", params: [W.i32, W.i32] }], functions: [{ code: [i32c(0), i32c(0), call(0), call(1)], export: "run" }] },
  {
    functions: [
      { code: [i64c(1), call(1), W.drop], export: "run" },
      { params: [W.i64], results: [W.i64], code: [get(0), get(0), call(1), 0x7c, get(0), 0x7e] },
    ],
  },
];

/** Counts through what it loads: with a memory, and with code, that no processor keeps close. */
const COUNTING: Code = loop(W.void, [i32c(0), i32c(0), load(), i32c(1), 0x6a, store(), i32c(0), load(), i32c(10_000), 0x49, brIf(0)]);
const FAR: readonly ModuleSpec[] = [
  { functions: [{ code: COUNTING, export: "run" }], memory: [1, 1, 9] },
  { functions: [{ code: COUNTING, export: "run" }, { code: repeat(42_000, W.nop) }] },
];

const CALL_TYPES = [W.i32, W.i32, W.i32, W.i32, W.i32, W.i32, W.i64, W.i32];

/** Goes down some frames and calls another contract from there; the status of that call is logged as so many bytes. */
function diving(target: string): ModuleSpec {
  const callTarget: Code = [i32c(0), i32c(16), i32c(16), i32c(3), i32c(0), i32c(0), i64c(0), i32c(0), call(0)];
  return {
    imports: [
      { name: "call", params: CALL_TYPES, results: [W.i32] },
      { name: "log", params: [W.i32, W.i32] },
    ],
    functions: [
      { export: "run", code: [i32c(70), call(3)] },
      {
        params: [W.i32],
        locals: [[64, W.i64]],
        code: [get(0), when(W.void, [get(0), i32c(1), 0x6b, call(3)], [i32c(0), callTarget, call(1)])],
      },
    ],
    data: [data(0, `${target}run`)],
  };
}

/** Contracts that call each other, each from deep inside, until the last one never stops. */
function chainOutcome(): string {
  const world = new VmWorld({ compiler });
  let id = world.install(RECURSIONS[1] ?? {});
  for (let depth = 0; depth < 7; depth += 1) id = world.install(diving(id));
  const { failure, gasUsed, logs } = world.call(id, "run", { gas: 100_000_000 });
  return JSON.stringify([failure, gasUsed, logs.map(({ message }) => message)]);
}

function digest(): string {
  const hash = createHash("sha256");
  const world = new VmWorld({ compiler });
  const add = (spec: ModuleSpec, gas: number): void => {
    const id = world.install(spec);
    const { failure, gasUsed, logs } = world.call(id, "run", { gas: world.loadingGas(id) + gas });
    hash.update(JSON.stringify([failure, gasUsed, logs.map(({ message }) => message)]));
  };
  for (let seed = 1; seed <= 60; seed += 1) for (const gas of [10_000, 100_000, 1_000_000]) add(randomModule(seed), gas);
  for (const recursion of RECURSIONS) for (const gas of [70_000, 90_000_000, 90_000_000]) add(recursion, gas);
  for (const gas of [50_000, 3_000_000]) for (const far of FAR) add(far, gas);
  hash.update(chainOutcome());
  return hash.digest("hex");
}

const text = digest();
if (parentPort === null) process.stdout.write(text);
else parentPort.postMessage(text);
