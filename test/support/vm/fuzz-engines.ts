// Random modules and mutants of them, each on the engine and in the interpreter: the same outcome, gas, stack and memory. What the node refuses
// the engine refuses too, and the other way round, but for limits and features that are the node's own.
import { inspectModule } from "#node/vm/contract-vm.ts";
import { binaryenMutants } from "./binaryen-mutants.ts";
import { compareEngines, type EngineOutcome } from "./compare-engines.ts";
import { randomNumbers } from "./random-module.ts";
import { numbersOf, typedModule } from "./typed-module.ts";

/** Where modules come from: ours over all instructions, or binaryen's. */
export type ModuleGenerator = "typed" | "binaryen";

/** A module on which engines differ, or that the node does not take although it is valid. */
export interface Finding {
  readonly seed: number;
  /** Number of the mutant; 0 is the module of the seed itself. */
  readonly mutant: number;
  readonly what: string;
}

export interface FuzzSummary {
  readonly modules: number;
  /** How runs ended, and mutants that are no modules. */
  readonly ends: Readonly<Record<EngineOutcome["end"] | "refused", number>>;
  readonly findings: readonly Finding[];
}

/** Modules of a seed, itself included: binaryen takes a third of a second for one. */
export const MODULES_OF_SEED: Readonly<Record<ModuleGenerator, number>> = { typed: 20, binaryen: 500 };

const GAS = 30_000;
/** Why the node refuses what the engine takes. */
const OWN_REASONS: readonly string[] = ["limit", "feature", "float"];

/** Tries so many modules from a seed on. */
export function fuzzEngines(from: number, count: number, generator: ModuleGenerator = "typed"): FuzzSummary {
  const ends = { ok: 0, trap: 0, gas: 0, stack: 0, refused: 0 };
  const findings: Finding[] = [];
  const perSeed = MODULES_OF_SEED[generator];
  for (let done = 0, seed = from; done < count; seed += 1) {
    const moduleOf = generator === "typed" ? typedMutants(seed) : binaryenMutants(seed);
    for (let mutant = 0; mutant < perSeed && done < count; mutant += 1, done += 1) {
      const { end, problem } = tryModule(moduleOf(mutant), generator === "typed" || mutant === 0);
      ends[end] += 1;
      if (problem !== undefined) findings.push({ seed, mutant, what: problem });
    }
  }
  return { modules: count, ends, findings };
}

function tryModule(
  module: Uint8Array,
  isValid: boolean,
): { readonly end: keyof FuzzSummary["ends"]; readonly problem: string | undefined } {
  const inspection = inspectModule(module);
  if (!inspection.isValid) {
    const { reason, message } = inspection;
    const isRefusedRightly =
      !isValid && reason !== "engine" && (OWN_REASONS.includes(reason) || !WebAssembly.validate(Uint8Array.from(module)));
    return { end: "refused", problem: isRefusedRightly || (isValid && reason === "limit") ? undefined : message };
  }
  const { outcome, difference } = compareEngines(module, GAS);
  return { end: outcome.end, problem: difference };
}

function typedMutants(seed: number): (mutant: number) => Uint8Array {
  return (mutant) => {
    if (mutant === 0) return typedModule(seed);
    const random = randomNumbers(seed * MODULES_OF_SEED.typed + mutant);
    return typedModule(seed, { at: random(numbersOf(seed)), by: 1 + random(50) });
  };
}
