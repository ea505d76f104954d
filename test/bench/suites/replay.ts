// A new node executes the first blocks of the long chain again, which another node of this machine sends it.
import { mkdirSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import { findFreePort } from "../../support/nodes/free-port.ts";
import { startNode } from "../../support/nodes/start-node.ts";
import { copyChain } from "../chain/chain-cache.ts";
import { memoryMiB, processorMs } from "../measure/process-figures.ts";
import { round, table } from "../measure/statistics.ts";
import { type Bench, NODE_ENVIRONMENT as env } from "./bench.ts";

/** A long chain takes hours, and each stretch of it costs the same but for the number of accounts. */
const MOST_TRANSACTIONS = 300_000;
const GOAL = 20_000;
const TIMEOUT_MS = 600_000;

/** Once: the time begins with the first blocks, and only what comes after them counts. */
export async function replaySuite(bench: Bench): Promise<void> {
  const chain = bench.chain();
  const wanted = Math.min(MOST_TRANSACTIONS, chain.recipe.transactions);
  const p2p = async (): Promise<readonly string[]> => ["--p2p-addr", `127.0.0.1:${await findFreePort()}`, "--mdns", "off", "--log", "json"];
  await using server = await startNode({ dataDir: copyChain(chain, join(bench.folder, "replay-server")), args: await p2p(), env });
  const dataDir = join(bench.folder, "replay");
  mkdirSync(dataDir);
  const genesis = join(bench.folder, "replay.json");
  await cp(dataFolderPaths(chain.path).genesis, genesis);
  const args = ["--genesis", genesis, "--bootstrap", server.baseUrl, "--sync", "replay", ...(await p2p())];
  await using node = await startNode({ dataDir, args, env });
  const pid = node.child.pid ?? 0;
  const reached = async (transactions: number): Promise<number> => {
    await pollUntil(async () => (await node.client.getNetstats({})).total_txs >= transactions, {
      what: `${transactions} transactions`,
      timeoutMs: TIMEOUT_MS,
      intervalMs: 20,
    });
    return (await node.client.getNetstats({})).total_txs;
  };
  const first = await reached(1);
  const [startedMs, usedMs] = [performance.now(), processorMs(pid)];
  const transactions = (await reached(wanted)) - first;
  const seconds = (performance.now() - startedMs) / 1_000;
  const processorUs = ((processorMs(pid) - usedMs) * 1_000) / transactions;
  const memory = memoryMiB(pid);
  await Promise.all([node.stop(), server.stop()]);
  const perSecond = transactions / seconds;
  bench.print(
    table(
      `Catching up by replay: ${transactions.toLocaleString("en")} of the first transactions of ${chain.recipe.transactions.toLocaleString("en")}, from a node of this machine (one run)`,
      ["seconds", "transactions/s", "processor µs a transaction", "memory MiB"],
      [[round(seconds), round(perSecond), round(processorUs), round(memory)]],
    ),
  );
  bench.goals.push({ what: "catching up by replay", value: perSecond, unit: "transactions/s", bound: { atLeast: GOAL } });
}
