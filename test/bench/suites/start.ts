// Start-up: process start until the node answers, on an empty and on a long chain.
import { type RunningNode, startNode } from "../../support/nodes/start-node.ts";
import { copyChain } from "../chain/chain-cache.ts";
import { noise, sample } from "../measure/sampling.ts";
import { median, round, table } from "../measure/statistics.ts";
import { type Bench, NODE_ENVIRONMENT as env } from "./bench.ts";

/** Times of the same starts, interleaved. */
export async function startSuite(bench: Bench): Promise<void> {
  const { recipe } = bench.chain();
  const long = copyChain(bench.chain(), `${bench.folder}/start-long`);
  // The first start after a copy brings the files into the memory of the system, as they are after the start of a desktop program.
  await timed(() => startNode({ dataDir: long, args: [], env }));
  let runs = 0;
  const samples = await sample(bench.options.repeats, async () => {
    runs += 1;
    const dataDir = `${bench.folder}/start-${runs}`;
    return {
      fresh: await timed(() => startNode({ dataDir, env })),
      again: await timed(() => startNode({ dataDir, env })),
      long: await timed(() => startNode({ dataDir: long, args: [], env })),
    };
  });
  const of = (name: "fresh" | "again" | "long"): number => median(samples.values.map((times) => times[name]));
  const longName = `again, ${recipe.transactions.toLocaleString("en")} transactions`;
  bench.print(
    table(
      `Start-up from source: process start until /api/netstats answers 200 (polled every 20 ms; ${noise(samples)})`,
      ["start", "ms"],
      [
        ["first (creates the network)", round(of("fresh"))],
        ["again (same data folder)", round(of("again"))],
        [longName, round(of("long"))],
      ],
    ),
  );
  bench.goals.push({ what: `start, ${longName}`, value: of("long"), unit: "ms", bound: { atMost: 1_000 }, isNoisy: samples.isNoisy });
}

async function timed(start: () => Promise<RunningNode>): Promise<number> {
  const started = performance.now();
  await using node = await start();
  const elapsed = performance.now() - started;
  await node.stop();
  return elapsed;
}
