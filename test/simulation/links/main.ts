// Table of how long blocks take over links of a given rate and latency:
// `npm run sim -- --links [--validators 100] [--bad 33] [--sizes 0.25,1,2] [--heights 12] [--seed 1] [--mbit 50] [--latency-ms 200] [--whole]`.
// `--bad` of the validators are silent in one row and lie in the next; `--whole` sends blocks whole, as a network without parts would.
import { parseArgs } from "node:util";
import { type LinkResult, type LinkScenario, simulateLinks } from "./link-simulation.ts";

const MIB = 1_048_576;
const LONGEST_MS = 600_000;

/** Runs the table of the command line. */
export function printLinkTable(args: readonly string[]): void {
  const { values } = parseArgs({
    args: [...args],
    options: {
      links: { type: "boolean" },
      whole: { type: "boolean", default: false },
      validators: { type: "string", default: "100" },
      bad: { type: "string", default: "33" },
      sizes: { type: "string", default: "0.25,1,2" },
      heights: { type: "string", default: "12" },
      seed: { type: "string", default: "1" },
      mbit: { type: "string", default: "50" },
      "latency-ms": { type: "string", default: "200" },
    },
  });
  const bad = Number(values.bad);
  console.log("| block | bad | blocks | median | worst | upload of a validator, median | most |");
  console.log("|---|---|---|---|---|---|---|");
  for (const size of values.sizes.split(",").map(Number))
    for (const kind of bad === 0 ? (["none"] as const) : (["silent", "lying"] as const)) {
      const scenario: LinkScenario = {
        seed: Number(values.seed),
        validators: Number(values.validators),
        silent: kind === "silent" ? bad : 0,
        lying: kind === "lying" ? bad : 0,
        blockBytes: size * MIB,
        heights: Number(values.heights),
        inParts: !values.whole,
        megabitsPerSecond: Number(values.mbit),
        latencyMs: Number(values["latency-ms"]),
        longestMs: LONGEST_MS,
      };
      console.log(`| ${size} MiB | ${bad} ${kind} | ${row(simulateLinks(scenario))} |`);
    }
}

function row({ decisionMs, uploadBytes }: LinkResult): string {
  if (decisionMs.length === 0)
    return `0 | none in ${LONGEST_MS / 1_000} s | | ${mebibytes(middle(uploadBytes))} | ${mebibytes(Math.max(...uploadBytes))}`;
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
  const times = `${seconds(middle(decisionMs))} | ${seconds(Math.max(...decisionMs))}`;
  return `${decisionMs.length} | ${times} | ${mebibytes(middle(uploadBytes))} | ${mebibytes(Math.max(...uploadBytes))}`;
}

function middle(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
}

function mebibytes(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}
