// A module and what binaryen's optimiser makes of it compute the same, as far as no meter ends one of them and gas is not looked at.
import { engine } from "#node/vm/engine.ts";
import { instrumentModule } from "#node/vm/module/instrument-module.ts";
import type { FuzzModule } from "./fuzz-module.ts";
import { runEntries } from "./host-run.ts";

/** As much as entries have otherwise, at most. */
const GAS = 900_000;
const METERED_ENDS: readonly string[] = ["CONTRACT_OUT_OF_GAS", "CONTRACT_STACK_OVERFLOW"];
const LEVEL = 2;

/** The module as an optimiser leaves it. */
export async function optimisedModule(module: FuzzModule): Promise<FuzzModule> {
  const { default: binaryen } = await import("binaryen");
  const { MVP, MutableGlobals, SignExt, BulkMemoryOpt } = binaryen.Features;
  const parsed = binaryen.readBinaryWithFeatures(module.code, MVP | MutableGlobals | SignExt | BulkMemoryOpt);
  try {
    binaryen.setOptimizeLevel(LEVEL);
    binaryen.setShrinkLevel(0);
    parsed.optimize();
    return { ...module, code: parsed.emitBinary() };
  } finally {
    parsed.dispose();
  }
}

/** What differs first, if anything does. */
export function optimisedDifference(module: FuzzModule, optimised: FuzzModule): string | undefined {
  const [before, after] = [module, optimised].map(outcomesOf);
  if (before === undefined || after === undefined) return undefined;
  const at = before.findIndex((outcome, index) => outcome !== after[index]);
  return at < 0 ? undefined : `entry ${at}: ${before[at]}, optimised ${after[at]}`;
}

/** Undefined when it depends on what it costs. */
function outcomesOf({ code, run }: FuzzModule): readonly string[] | undefined {
  const entries = run.entries.map(({ name }) => ({ name, gas: GAS }));
  const { runs } = runEntries(engine, instrumentModule(code), { ...run, entries }, true);
  const isMetered = runs.some(({ outcome, calls }) => METERED_ENDS.includes(outcome.end) || calls.some(({ name }) => name === "gas_left"));
  if (isMetered) return undefined;
  return runs.map(({ outcome: { end, memory, effects }, calls }) => {
    const asked = calls.map(({ name, args, result }) => `${name}(${args.join()}) ${result}`);
    return JSON.stringify({ end, memory, effects, asked });
  });
}
