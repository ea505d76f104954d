// What every suite of the benchmark works with.
import { join } from "node:path";
import { projectRoot } from "../../support/nodes/run-program.ts";
import { type RunningNode, startNode } from "../../support/nodes/start-node.ts";
import { copyChain, type GeneratedChain } from "../chain/chain-cache.ts";
import type { Goal } from "../measure/goals.ts";
import type { BenchOptions } from "../options.ts";
import type { Peers } from "../peers/peer-process.ts";

/** One run of the benchmark. */
export interface Bench {
  readonly options: BenchOptions;
  readonly peers: Peers;
  /** Folder that goes away with the run. */
  readonly folder: string;
  readonly goals: Goal[];
  print(text: string): void;
  /** The generated chain, made on first use. */
  chain(): GeneratedChain;
}

/** As the npm scripts and the command `parley` start a node: with the compiled code of earlier runs. */
export const NODE_ENVIRONMENT: Readonly<Record<string, string>> = {
  NODE_COMPILE_CACHE: join(projectRoot, "node_modules", ".cache", "compile"),
};

/** Starts a node on an own copy of the generated chain. */
export async function startOnChain(bench: Bench, name: string, env: Readonly<Record<string, string>> = {}): Promise<RunningNode> {
  const dataDir = copyChain(bench.chain(), `${bench.folder}/${name}`);
  return await startNode({ dataDir, args: ["--log", "json"], env: { ...NODE_ENVIRONMENT, ...env } });
}

/** Starts a node on an empty development network. */
export async function startEmpty(bench: Bench, name: string): Promise<RunningNode> {
  return await startNode({ dataDir: `${bench.folder}/${name}`, args: ["--dev", "--log", "json"], env: NODE_ENVIRONMENT });
}
