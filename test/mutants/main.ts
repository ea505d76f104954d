// `npm run mutants -- [--only <part of a file's name>] [--workers 2]`: plants each bug of the table in a copy of the tree and runs the unit
// tests of its row. Ends with a failure when they notice fewer than 95 % of the bugs. With `--modules` it compares engines, see modules.ts.
import { parseArgs } from "node:util";
import { fuzzModules, type ModuleFuzz } from "./modules.ts";
import type { Mutant } from "./mutant.ts";
import { MutantWorker } from "./mutant-worker.ts";
import { MUTANTS } from "./table.ts";

/** Least part of the bugs that the tests must notice, percent. */
const GOAL_PERCENT = 95;

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    workers: { type: "string", default: "2" },
    modules: { type: "string" },
    seed: { type: "string", default: "1" },
    generator: { type: "string", default: "typed" },
  },
});
const chosen = MUTANTS.filter(({ file }) => file.includes(values.only));
const workerCount = values.modules === undefined ? Math.max(1, Number(values.workers)) : 0;
const workers = Array.from({ length: workerCount }, () => new MutantWorker());
const survivors: Mutant[] = [];
const stop = new AbortController();
const say = (line: string): void => void process.stdout.write(`${line}\n`);

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    stop.abort();
    for (const worker of workers) worker[Symbol.dispose]();
    if (values.modules === undefined) process.exit(1);
  });

/** A test that fails without a bug would make every bug look noticed. */
async function checkBaseline(): Promise<boolean> {
  if (chosen.length === 0) {
    say(`No file of the table has "${values.only}" in its name`);
    return false;
  }
  const tests = [...new Set(chosen.flatMap((mutant) => mutant.tests))];
  const run = await workers[0]?.runTests(tests);
  if (run?.outcome !== "passed") say(`Without a bug the tests do not pass:\n${run?.output}`);
  return run?.outcome === "passed";
}

async function work(worker: MutantWorker, queue: Mutant[]): Promise<void> {
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    const startedMs = performance.now();
    const { outcome } = await worker.tryMutant(mutant);
    if (outcome === "passed") survivors.push(mutant);
    const result = { passed: "SURVIVED", failed: "killed", timeout: "killed by time" }[outcome];
    say(`${result} ${((performance.now() - startedMs) / 1000).toFixed(1)} s ${describeMutant(mutant)}`);
  }
}

function moduleFuzz(modules: string): ModuleFuzz {
  const { generator, seed } = values;
  if (generator !== "typed" && generator !== "binaryen") throw new TypeError("--generator is typed or binaryen");
  return { count: Number(modules), firstSeed: Number(seed), generator, signal: stop.signal };
}

function describeMutant({ file, from, to }: Mutant): string {
  return `${file}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`;
}

try {
  if (values.modules !== undefined) process.exitCode = (await fuzzModules(moduleFuzz(values.modules), say)) ? 0 : 1;
  else if (await checkBaseline()) {
    const queue = [...chosen];
    await Promise.all(workers.map((worker) => work(worker, queue)));
    const killed = chosen.length - survivors.length;
    const percent = (100 * killed) / chosen.length;
    say(`${killed} of ${chosen.length} bugs noticed (${percent.toFixed(1)} %), goal ${GOAL_PERCENT} %`);
    for (const mutant of survivors) say(`SURVIVED ${describeMutant(mutant)}`);
    process.exitCode = percent >= GOAL_PERCENT ? 0 : 1;
  } else process.exitCode = 1;
} finally {
  for (const worker of workers) worker[Symbol.dispose]();
}
