// Random modules and mutants of them on several machines: the same outcomes, gas, stack, memory and effects. What the node refuses the engine
// refuses too, and the other way round, but for limits and features that are the node's own.
import { setImmediate } from "node:timers/promises";
import { engine } from "#node/vm/engine.ts";
import { instrumentModule, type MeteredModule } from "#node/vm/module/instrument-module.ts";
import { InvalidModule } from "#node/vm/module/invalid-module.ts";
import { randomNumbers } from "../random-module.ts";
import { numbersOf, typedModule } from "../typed-module.ts";
import { binaryenMutants } from "./binaryen-mutants.ts";
import { optimisedDifference, optimisedModule } from "./compare-optimised.ts";
import { compareRuns } from "./compare-runs.ts";
import type { FuzzModule } from "./fuzz-module.ts";

/** Where modules come from: ours over all instructions, or binaryen's. */
export type ModuleGenerator = "typed" | "binaryen";

/** A module on which machines differ, or that the node does not take although it is valid. */
export interface Finding {
  readonly seed: number;
  /** Number of the mutant; 0 is the module of the seed itself. */
  readonly mutant: number;
  readonly what: string;
}

type Place = Pick<Finding, "seed" | "mutant">;

export interface FuzzSummary {
  readonly modules: number;
  /** How entries ended, and mutants that are no modules. */
  readonly ends: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
  /** The first that was not tried whole. */
  readonly nextSeed: number;
  /** Instructions that were run, by their opcode, and calls of the host by name. */
  readonly executed: readonly number[];
  readonly hostCalls: Readonly<Record<string, number>>;
}

/** Modules of a seed, itself included: binaryen takes a third of a second and more for one. */
export const MODULES_OF_SEED: Readonly<Record<ModuleGenerator, number>> = { typed: 20, binaryen: 200 };

const GAS = 30_000;
/** Why the node refuses what the engine takes. */
const OWN_REASONS: readonly string[] = ["limit", "feature", "float"];

/** Tries so many modules from a seed on. With a signal that stops it, the summary is of what was tried until then. */
export async function fuzzEngines(
  from: number,
  count: number,
  generator: ModuleGenerator = "typed",
  signal = new AbortController().signal,
): Promise<FuzzSummary> {
  const tally = new Tally(from);
  try {
    while (tally.modules < count) {
      await trySeed(tally, count, generator, signal);
      if (!signal.aborted) tally.nextSeed += 1;
      if (signal.aborted) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return tally;
}

/** Lets signals of the process come in between. */
async function trySeed(tally: Tally, count: number, generator: ModuleGenerator, signal: AbortSignal): Promise<void> {
  const seed = tally.nextSeed;
  const moduleOf = generator === "typed" ? typedMutants(seed) : await binaryenMutants(seed, signal);
  const most = MODULES_OF_SEED[generator];
  for (let mutant = 0; mutant < most && tally.modules < count && !signal.aborted; mutant += 1) {
    const module = moduleOf(mutant);
    const isTaken = await tryModule(module, tally, { seed, mutant });
    if (isTaken && generator === "binaryen" && mutant === most - 1) await tryOptimised(module, tally, { seed, mutant });
    await setImmediate();
  }
}

class Tally implements FuzzSummary {
  modules = 0;
  nextSeed: number;
  readonly ends: Record<string, number> = { ok: 0, refused: 0 };
  readonly findings: Finding[] = [];
  readonly executed = new Array<number>(256).fill(0);
  readonly hostCalls: Record<string, number> = {};

  constructor(firstSeed: number) {
    this.nextSeed = firstSeed;
  }

  note(place: Place, what: string | undefined): void {
    if (what !== undefined) this.findings.push({ ...place, what });
  }

  count(table: Record<string, number>, name: string): void {
    table[name] = (table[name] ?? 0) + 1;
  }
}

/** A machine that throws is a finding as well, and no reason to stop. */
async function thrownOr(problem: () => string | undefined | Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await problem();
  } catch (error) {
    return error instanceof Error ? error.stack : String(error);
  }
}

/** False when the module was refused. */
async function tryModule(module: FuzzModule, tally: Tally, place: Place): Promise<boolean> {
  tally.modules += 1;
  const refused = tally.ends.refused;
  tally.note(place, await thrownOr(() => problemOf(module, tally)));
  return tally.ends.refused === refused;
}

/** Takes the optimiser a second: the last module of each seed is enough. */
async function tryOptimised(module: FuzzModule, tally: Tally, place: Place): Promise<void> {
  const problem = await thrownOr(async () => {
    const optimised = await optimisedModule(module);
    return problemOf(optimised, tally) ?? optimisedDifference(module, optimised);
  });
  tally.note(place, problem === undefined ? undefined : `optimised: ${problem}`);
}

function problemOf(module: FuzzModule, tally: Tally): string | undefined {
  const code = Uint8Array.from(module.code);
  const metered = meteredOf(code);
  if (metered instanceof InvalidModule) {
    tally.count(tally.ends, "refused");
    return isRefusedRightly(metered, code, module) ? undefined : metered.message;
  }
  if (!engine.validate(code)) return "the engine refuses it";
  const { ends, difference, executed, hostCalls } = compareRuns(module, metered);
  for (const end of ends) tally.count(tally.ends, end);
  for (const name of hostCalls) tally.count(tally.hostCalls, name);
  for (const [opcode, times] of executed.entries()) tally.executed[opcode] = (tally.executed[opcode] ?? 0) + times;
  return difference;
}

function isRefusedRightly({ reason }: InvalidModule, code: Uint8Array<ArrayBuffer>, { isValid }: FuzzModule): boolean {
  return isValid ? reason === "limit" : OWN_REASONS.includes(reason) || !engine.validate(code);
}

function meteredOf(code: Uint8Array): MeteredModule | InvalidModule {
  try {
    return instrumentModule(code);
  } catch (error) {
    if (error instanceof InvalidModule) return error;
    throw error;
  }
}

function typedMutants(seed: number): (mutant: number) => FuzzModule {
  const run = { entries: [{ name: "run", gas: GAS }], argsJson: "[]" };
  return (mutant) => {
    const random = randomNumbers(seed * MODULES_OF_SEED.typed + mutant);
    const code = mutant === 0 ? typedModule(seed) : typedModule(seed, { at: random(numbersOf(seed)), by: 1 + random(50) });
    return { code, run, isValid: true };
  };
}
