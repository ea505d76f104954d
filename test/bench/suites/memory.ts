// Memory of a node at rest, and of a light one beside it.
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findFreePort } from "../../support/nodes/free-port.ts";
import { type RunningNode, startNode } from "../../support/nodes/start-node.ts";
import { memoryMiB } from "../measure/process-figures.ts";
import { round, table } from "../measure/statistics.ts";
import { type Bench, NODE_ENVIRONMENT, startEmpty, startOnChain } from "./bench.ts";

const SETTLE_MS = 10_000;
const MOST_MIB = 120;

/** Proportional set size ten seconds after the start, on an empty and on a long chain, and of a light node. */
export async function memorySuite(bench: Bench): Promise<void> {
  await using empty = await startEmpty(bench, "memory-empty");
  await using long = await startOnChain(bench, "memory-long");
  await delay(SETTLE_MS);
  const lightMiB = await light(bench);
  const of = (node: RunningNode): number => memoryMiB(node.child.pid ?? 0);
  const [emptyMiB, longMiB] = [of(empty), of(long)];
  await Promise.all([empty.stop(), long.stop()]);
  bench.print(
    table(
      "Memory at rest, ten seconds after the start (PSS, from source)",
      ["chain", "MiB"],
      [
        ["empty", round(emptyMiB)],
        ["empty, light node", round(lightMiB)],
        [`${bench.chain().recipe.transactions.toLocaleString("en")} transactions`, round(longMiB)],
      ],
    ),
  );
  bench.goals.push(
    { what: "idle memory, long chain", value: longMiB, unit: "MiB", bound: { atMost: MOST_MIB } },
    { what: "idle memory, light node", value: lightMiB, unit: "MiB", bound: { atMost: MOST_MIB } },
  );
}

/** A light node beside a full one, in its second run: the first one leaves its compiled code. */
async function light(bench: Bench): Promise<number> {
  const p2p = ["--p2p-addr", `127.0.0.1:${await findFreePort()}`, "--mdns", "off", "--log", "json"];
  await using full = await startNode({ dataDir: join(bench.folder, "memory-full"), args: ["--dev", ...p2p], env: NODE_ENVIRONMENT });
  const dataDir = join(bench.folder, "memory-light");
  const args = ["--mode", "light", "--genesis", full.baseUrl, "--bootstrap", full.baseUrl, "--log", "json"];
  await (await startNode({ dataDir, args, env: NODE_ENVIRONMENT })).stop();
  await using node = await startNode({ dataDir, args, env: NODE_ENVIRONMENT });
  await delay(SETTLE_MS);
  return memoryMiB(node.child.pid ?? 0);
}
