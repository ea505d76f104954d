// Long simulation runs: `npm run sim -- --seeds 500 [--from 0] [--validators 4] [--twins 1] [--faults-ms 60000]`.
import { parseArgs } from "node:util";
import { simulate } from "./simulation.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    from: { type: "string", default: "0" },
    validators: { type: "string" },
    twins: { type: "string", default: "0" },
    "faults-ms": { type: "string", default: "60000" },
  },
});

const networks =
  values.validators === undefined
    ? [
        { validators: 1, twins: 0 },
        { validators: 4, twins: 0 },
        { validators: 4, twins: 1 },
        { validators: 7, twins: 0 },
        { validators: 7, twins: 2 },
      ]
    : [{ validators: Number(values.validators), twins: Number(values.twins) }];

for (const network of networks) {
  let [heights, crashes, maxRound, messages, recoveredMs] = [0, 0, 0, 0, 0];
  for (let seed = Number(values.from); seed < Number(values.from) + Number(values.seeds); seed += 1) {
    const result = simulate({ seed, ...network, faultsMs: Number(values["faults-ms"]), recoveryMs: 120_000 });
    heights += result.height;
    crashes += result.crashes;
    messages += result.messages;
    maxRound = Math.max(maxRound, result.maxRound);
    recoveredMs = Math.max(recoveredMs, result.recoveredMs);
  }
  console.log(
    JSON.stringify({ ...network, seeds: Number(values.seeds), heights, crashes, messages, maxRound, slowestRecoveryMs: recoveredMs }),
  );
}
