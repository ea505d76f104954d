// `npm run mutants -- --modules 1000000 [--seed 1]`: random modules and mutants of them on the engine and in the interpreter, until so many were
// tried. Prints what differs, with its seed.
import { prepareThread } from "#node/vm/prepare-thread.ts";
import { fuzzEngines } from "#test/support/vm/fuzz-engines.ts";

/** Modules between two lines of the report. */
const BATCH = 10_000;
/** Seeds that a batch uses up, at most. */
const SEEDS = BATCH;

/** True when nothing differs. */
export function fuzzModules(count: number, firstSeed: number, say: (line: string) => void): boolean {
  prepareThread();
  let findings = 0;
  for (let done = 0, seed = firstSeed; done < count; seed += SEEDS) {
    const batch = fuzzEngines(seed, Math.min(BATCH, count - done));
    done += batch.modules;
    findings += batch.findings.length;
    for (const { seed: found, mutation, what } of batch.findings) say(`seed ${found} ${JSON.stringify(mutation ?? null)}: ${what}`);
    say(
      `${done} modules from seed ${firstSeed} on, ${findings} findings; ends of the last ${batch.modules}: ${JSON.stringify(batch.ends)}`,
    );
  }
  return findings === 0;
}
