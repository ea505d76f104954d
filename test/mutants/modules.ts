// `npm run mutants -- --modules 1000000 [--generator binaryen] [--seed 1]`: random modules and mutants of them on the engine and in the
// interpreter, until so many were tried. Prints what differs, with its seed.
import { prepareThread } from "#node/vm/prepare-thread.ts";
import { fuzzEngines, MODULES_OF_SEED, type ModuleGenerator } from "#test/support/vm/fuzz-engines.ts";

/** Modules between two lines of the report. */
const BATCH = 10_000;

/** What is tried. */
export interface ModuleFuzz {
  readonly count: number;
  readonly firstSeed: number;
  readonly generator: ModuleGenerator;
}

/** True when nothing differs. */
export function fuzzModules({ count, firstSeed, generator }: ModuleFuzz, say: (line: string) => void): boolean {
  prepareThread();
  let findings = 0;
  for (let done = 0, seed = firstSeed; done < count; seed += Math.ceil(BATCH / MODULES_OF_SEED[generator])) {
    const batch = fuzzEngines(seed, Math.min(BATCH, count - done), generator);
    done += batch.modules;
    findings += batch.findings.length;
    for (const { seed: found, mutant, what } of batch.findings) say(`seed ${found}, mutant ${mutant}: ${what}`);
    say(
      `${done} modules from seed ${firstSeed} on, ${findings} findings; ends of the last ${batch.modules}: ${JSON.stringify(batch.ends)}`,
    );
  }
  return findings === 0;
}
