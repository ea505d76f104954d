// Random modules and mutants of them, each on the engine and in the interpreter: the same outcome, gas, stack and memory.
import { inspectModule } from "#node/vm/contract-vm.ts";
import { compareEngines, type EngineOutcome } from "./compare-engines.ts";
import { randomNumbers } from "./random-module.ts";
import { type Mutation, numbersOf, typedModule } from "./typed-module.ts";

/** A module on which engines differ, or that the node does not take although it is valid. */
export interface Finding {
  readonly seed: number;
  readonly mutation: Mutation | undefined;
  readonly what: string;
}

export interface FuzzSummary {
  readonly modules: number;
  readonly ends: Readonly<Record<EngineOutcome["end"], number>>;
  readonly findings: readonly Finding[];
}

/** The seed itself, and mutants of it. */
const PER_SEED = 20;
const GAS = 30_000;

/** Tries so many modules from a seed on. */
export function fuzzEngines(from: number, count: number): FuzzSummary {
  const ends = { ok: 0, trap: 0, gas: 0, stack: 0 };
  const findings: Finding[] = [];
  for (let index = 0; index < count; index += 1) {
    const seed = from + Math.floor(index / PER_SEED);
    const mutation = mutationOf(seed, index % PER_SEED);
    const module = typedModule(seed, mutation);
    const inspection = inspectModule(module);
    if (!inspection.isValid) {
      findings.push({ seed, mutation, what: inspection.message });
      continue;
    }
    const { outcome, difference } = compareEngines(module, GAS);
    ends[outcome.end] += 1;
    if (difference !== undefined) findings.push({ seed, mutation, what: difference });
  }
  return { modules: count, ends, findings };
}

function mutationOf(seed: number, index: number): Mutation | undefined {
  if (index === 0) return undefined;
  const random = randomNumbers(seed * PER_SEED + index);
  return { at: random(numbersOf(seed)), by: 1 + random(50) };
}
