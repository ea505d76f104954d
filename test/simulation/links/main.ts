// Table of how long blocks take over links of a given rate and latency: `npm run sim -- --links [--validators 100] [--bad 33]
// [--kinds silent,lying,both] [--sizes 1] [--heights 30] [--seed 1] [--seeds 2] [--mbit 50] [--latency-ms 200] [--whole]`.
// `--bad` of the validators are silent, lie, or half of them each, drawn by each seed; `--whole` sends blocks whole, as a network
// without parts would. Chains begin with the first height, where no order knows who is bad: a dozen heights are too few for a median.
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
      kinds: { type: "string", default: "silent,lying,both" },
      sizes: { type: "string", default: "1" },
      heights: { type: "string", default: "30" },
      seed: { type: "string", default: "1" },
      seeds: { type: "string", default: "2" },
      mbit: { type: "string", default: "50" },
      "latency-ms": { type: "string", default: "200" },
    },
  });
  const bad = Number(values.bad);
  const seeds = Array.from({ length: Number(values.seeds) }, (_, at) => Number(values.seed) + at);
  console.log("| block | bad | blocks | median | 9 of 10 | worst | upload of a validator, median | most |");
  console.log("|---|---|---|---|---|---|---|---|");
  for (const size of values.sizes.split(",").map(Number))
    for (const kind of bad === 0 ? ["none"] : values.kinds.split(",")) {
      const silent = { silent: bad, both: Math.ceil(bad / 2) }[kind] ?? 0;
      const scenario: Omit<LinkScenario, "seed"> = {
        validators: Number(values.validators),
        silent,
        lying: kind === "silent" || kind === "none" ? 0 : bad - silent,
        blockBytes: size * MIB,
        heights: Number(values.heights),
        inParts: !values.whole,
        megabitsPerSecond: Number(values.mbit),
        latencyMs: Number(values["latency-ms"]),
        longestMs: LONGEST_MS,
      };
      const results = seeds.map((seed) => {
        const result = simulateLinks({ ...scenario, seed });
        console.error(`seed ${seed}, ${size} MiB, ${bad} ${kind}: ${result.decisionMs.map(Math.round).join(" ")} ms`);
        return result;
      });
      console.log(`| ${size} MiB | ${bad} ${kind} | ${row(results)} |`);
    }
}

/** The figures of all seeds together. */
function row(results: readonly LinkResult[]): string {
  const times = results.flatMap(({ decisionMs }) => decisionMs);
  const upload = results.flatMap(({ uploadBytes }) => uploadBytes);
  const seconds = (part: number): string => (times.length === 0 ? "" : `${(quantile(times, part) / 1_000).toFixed(1)} s`);
  const blocks = times.length === 0 ? `0 in ${LONGEST_MS / 1_000} s` : `${times.length}`;
  return [blocks, seconds(0.5), seconds(0.9), seconds(1), mebibytes(quantile(upload, 0.5)), mebibytes(quantile(upload, 1))].join(" | ");
}

function quantile(figures: readonly number[], part: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function mebibytes(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}
