// Rebuilding the explorer's index of the long chain from its blocks.
import { runParley } from "../../support/nodes/run-program.ts";
import { copyChain } from "../chain/chain-cache.ts";
import { round, table } from "../measure/statistics.ts";
import type { Bench } from "./bench.ts";

const TIMEOUT_MS = 1_800_000;
const GOAL = 20_000;

/** `parley node reindex`, once. */
export async function reindexSuite(bench: Bench): Promise<void> {
  const dataDir = copyChain(bench.chain(), `${bench.folder}/reindex`);
  const started = performance.now();
  const { code, stdout, stderr } = await runParley(["node", "reindex", "--data-dir", dataDir, "--json"], { timeoutMs: TIMEOUT_MS });
  const seconds = (performance.now() - started) / 1_000;
  if (code !== 0) throw new Error(`parley node reindex ended with ${code}: ${stderr}`);
  const { transactions, blocks } = JSON.parse(stdout) as { readonly transactions: number; readonly blocks: number };
  bench.print(
    table(
      "Reindex: parley node reindex on the generated chain, start of the program included (one run)",
      ["transactions", "blocks", "seconds", "transactions/s"],
      [[transactions.toLocaleString("en"), blocks.toLocaleString("en"), round(seconds), round(transactions / seconds)]],
    ),
  );
  bench.goals.push({ what: "reindex", value: transactions / seconds, unit: "transactions/s", bound: { atLeast: GOAL } });
}
