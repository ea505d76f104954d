// Long simulation runs: `npm run sim -- --seeds 100000 [--seed 0] [--validators 4] [--faults-ms 8000] [--unsafe]`. A seed that breaks
// an invariant prints how to run it again, and ends the run with a failure. `--unsafe` has more twins than the protocol tolerates.
// `npm run sim -- --links` measures large blocks over slow links instead: see links/main.ts. `--messenger` simulates mail: messages/main.ts,
// `--mail` those who keep it: mail/main.ts.
import { parseArgs } from "node:util";
import { printLinkTable } from "./links/main.ts";
import { printMailTables } from "./mail/main.ts";
import { runMessages } from "./messages/main.ts";
import { type ScenarioChoice, scenarioOf } from "./scenario.ts";
import { simulate } from "./simulation.ts";
import { createTally } from "./tally.ts";

const PROGRESS_MS = 5_000;
const DEFAULT_SEEDS = 1_000;

if (process.argv.includes("--links")) {
  printLinkTable(process.argv.slice(2));
  process.exit();
}
if (process.argv.includes("--messenger")) {
  await runMessages(process.argv.slice(2));
  process.exit();
}
if (process.argv.includes("--mail")) {
  await printMailTables(process.argv.slice(2));
  process.exit();
}
const { values } = parseArgs({
  options: {
    seeds: { type: "string" },
    seed: { type: "string" },
    validators: { type: "string" },
    "faults-ms": { type: "string" },
    unsafe: { type: "boolean", default: false },
  },
});
const first = Number(values.seed ?? 0);
const last = first + Number(values.seeds ?? (values.seed === undefined ? DEFAULT_SEEDS : 1)) - 1;
const choice: ScenarioChoice = {
  ...(values.validators === undefined ? {} : { validators: Number(values.validators) }),
  ...(values["faults-ms"] === undefined ? {} : { faultsMs: Number(values["faults-ms"]) }),
  isUnsafe: values.unsafe,
};

const tally = createTally();
const startMs = performance.now();
let reportedMs = startMs;
for (let seed = first; seed <= last; seed += 1) {
  const scenario = scenarioOf(seed, choice);
  try {
    tally.add(simulate(scenario, values.unsafe));
  } catch (error) {
    const options = process.argv
      .slice(2)
      .filter((option, at, all) => !/^--seeds?(=|$)/.test(option) && !/^--seeds?$/.test(all[at - 1] ?? ""));
    console.error(`Seed ${seed} (${scenario.validators} validators, bad: ${JSON.stringify([...scenario.bad])}): ${(error as Error).stack}`);
    console.error(`Again: npm run sim -- ${[`--seed ${seed}`, ...options].join(" ")}`);
    process.exit(1);
  }
  if (performance.now() - reportedMs < PROGRESS_MS) continue;
  reportedMs = performance.now();
  const done = seed - first + 1;
  console.error(
    `seed ${seed}, ${Math.round((100 * done) / (last - first + 1))} %, ${(done / ((reportedMs - startMs) / 1_000)).toFixed(1)} seeds/s`,
  );
}
console.log(
  JSON.stringify({ seeds: `${first}–${last}`, ...tally.summary(), seconds: Math.round((performance.now() - startMs) / 100) / 10 }),
);
