// Memory of a node at rest.
import { setTimeout as delay } from "node:timers/promises";
import type { RunningNode } from "../../support/nodes/start-node.ts";
import { memoryMiB } from "../measure/process-figures.ts";
import { round, table } from "../measure/statistics.ts";
import { type Bench, startEmpty, startOnChain } from "./bench.ts";

const SETTLE_MS = 10_000;

/** Proportional set size ten seconds after the start, on an empty and on a long chain. */
export async function memorySuite(bench: Bench): Promise<void> {
  await using empty = await startEmpty(bench, "memory-empty");
  await using long = await startOnChain(bench, "memory-long");
  await delay(SETTLE_MS);
  const of = (node: RunningNode): number => memoryMiB(node.child.pid ?? 0);
  const [emptyMiB, longMiB] = [of(empty), of(long)];
  await Promise.all([empty.stop(), long.stop()]);
  bench.print(
    table(
      "Memory at rest, ten seconds after the start (PSS, from source)",
      ["chain", "MiB"],
      [
        ["empty", round(emptyMiB)],
        [`${bench.chain().recipe.transactions.toLocaleString("en")} transactions`, round(longMiB)],
      ],
    ),
  );
  bench.goals.push({ what: "idle memory, long chain", value: longMiB, unit: "MiB", bound: { atMost: 120 } });
}
