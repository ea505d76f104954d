// `npm run mutants -- --modules 1000000 [--generator binaryen] [--seed 1]`: random modules and mutants of them on several machines, until so
// many were tried. Prints what differs, with its seed. A signal ends it at once, with what was tried and the seed to continue from.
import { prepareThread } from "#node/vm/prepare-thread.ts";
import { type FuzzSummary, fuzzEngines, type ModuleGenerator } from "#test/support/vm/fuzz/fuzz-engines.ts";

/** Modules between two lines of the report. */
const BATCH = 2_000;

/** What is tried. */
export interface ModuleFuzz {
  readonly count: number;
  readonly firstSeed: number;
  readonly generator: ModuleGenerator;
  readonly signal: AbortSignal;
}

/** True when nothing differs. */
export async function fuzzModules({ count, firstSeed, generator, signal }: ModuleFuzz, say: (line: string) => void): Promise<boolean> {
  prepareThread();
  const startedMs = performance.now();
  let [modules, findings, seed] = [0, 0, firstSeed];
  while (modules < count && !signal.aborted) {
    const batch = await fuzzEngines(seed, Math.min(BATCH, count - modules), generator, signal);
    seed = batch.nextSeed;
    modules += batch.modules;
    findings += batch.findings.length;
    for (const { seed: found, mutant, what } of batch.findings) say(`seed ${found}, mutant ${mutant}: ${what}`);
    const perSecond = Math.round((1_000 * modules) / (performance.now() - startedMs));
    say(
      `${modules} modules from seed ${firstSeed} on, ${findings} findings, ${perSecond} modules a second; of the last ${batch.modules}: ${inShort(batch)}`,
    );
  }
  say(`${signal.aborted ? "Stopped" : "Done"} after ${modules} modules, ${findings} findings; continue with --seed ${seed}`);
  return findings === 0;
}

function inShort({ ends, executed, hostCalls }: FuzzSummary): string {
  const instructions = executed.reduce((sum, times) => sum + times, 0);
  const opcodes = executed.filter((times) => times > 0).length;
  return JSON.stringify({ ...ends, instructions, opcodes, hostFunctions: Object.keys(hostCalls).length });
}
