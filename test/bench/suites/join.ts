// A new node joins the long chain by a snapshot: four nodes of this machine serve it, and the time counts until it has a balance proven by
// light headers, and until it is a full node that takes a transfer into a block.
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { createNode } from "#node/composition/node.ts";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { readKey } from "#node/config/files/key-store.ts";
import { loadNodeConfig } from "#node/config/node-config.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import { createLog } from "#node/observability/log.ts";
import { readChainTip } from "#node/storage/folder-readers.ts";
import { snapshotName } from "#node/storage/snapshots/snapshot-file.ts";
import type { NodeClient } from "#shared/api/client.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import { findFreePorts } from "../../support/nodes/free-port.ts";
import { startNode } from "../../support/nodes/start-node.ts";
import { copyChain } from "../chain/chain-cache.ts";
import { numberedAccount } from "../load/accounts.ts";
import { memoryMiB, processorMs } from "../measure/process-figures.ts";
import { median, round, table } from "../measure/statistics.ts";
import { type Bench, NODE_ENVIRONMENT } from "./bench.ts";

const SERVING = 4;
/** Both for 1,000,000 accounts and 10,000,000 transactions, s. */
const MOST_LIGHT_S = 10;
const MOST_FULL_S = 60;
const TIMEOUT_MS = 600_000;
const SILENT = createLog("json", { write: () => undefined });

interface Times {
  /** Until the first balance. */
  readonly balanceS: number;
  /** Until the node is a full one at the newest block. */
  readonly fullS: number;
  readonly blocks: number;
  /** Processor time of the new node until both, s, and what it takes of memory then, MiB. */
  readonly balanceProcessorS: number;
  readonly fullProcessorS: number;
  readonly memory: number;
}

/** Joins as often as the options say, each time into an empty folder. */
export async function joinSuite(bench: Bench): Promise<void> {
  const chain = bench.chain();
  const tip = readChainTip(chain.path);
  if (tip === undefined) throw new Error("The generated chain has no block");
  await using opened = new AsyncDisposableStack();
  const firstPort = await findFreePorts(Array.from({ length: SERVING }, (_, index) => index));
  const bootstrap: string[] = [];
  for (let index = 0; index < SERVING; index += 1) {
    const dataDir = copyChain(chain, join(bench.folder, `join-server-${index}`));
    // The first one makes the blocks; the others have keys of their own.
    if (index > 0) for (const name of ["keys", "consensus"]) rmSync(join(dataDir, name), { recursive: true, force: true });
    const address = `127.0.0.1:${firstPort + index}`;
    const flags = { dataDir, statsAddr: "127.0.0.1:0", p2pAddr: address, bootstrap: bootstrap.join(","), sync: "replay" };
    const config = loadNodeConfig({ flags, environment: { isLaunched: false }, defaultDataDir: dataDir });
    // One snapshot, of the newest block.
    const snapshotRule = { every: tip.height, periodMs: 1 };
    const node = createNode(config, { log: SILENT, onFatal: (error) => bench.print(String(error)), snapshotRule });
    opened.defer(() => node.stop());
    await node.start();
    const { publicKey } = readKey(dataFolderPaths(dataDir).nodeKey, "ed25519") ?? { publicKey: "" };
    bootstrap.push(`/ip4/127.0.0.1/tcp/${firstPort + index}/p2p/${peerNameOf(publicKey)}`);
    const snapshot = join(dataFolderPaths(dataDir).snapshots, snapshotName(tip.height));
    await pollUntil(() => existsSync(snapshot), { what: "a snapshot", timeoutMs: TIMEOUT_MS });
  }
  const all: Times[] = [];
  for (let run = 0; run < bench.options.repeats; run += 1)
    all.push(await joinOnce(bench, `join-${run}`, { bootstrap, checkpoint: `${tip.height}:${tip.hash}`, height: tip.height }));
  const of = (name: keyof Times): number => median(all.map((times) => times[name]));
  const [balanceS, fullS] = [of("balanceS"), of("fullS")];
  bench.print(
    table(
      `A new node joins ${chain.recipe.transactions.toLocaleString("en")} transactions of ${chain.recipe.accounts.toLocaleString("en")} accounts, ${SERVING} nodes serve it on this machine`,
      ["blocks", "first balance, s", "full node at the newest block, s", "processor s of the new node until each", "its memory then, MiB"],
      [
        [
          String(all[0]?.blocks ?? 0),
          round(balanceS),
          round(fullS),
          `${round(of("balanceProcessorS"))} · ${round(of("fullProcessorS"))}`,
          round(of("memory")),
        ],
      ],
    ),
  );
  bench.goals.push(
    { what: "a new node has a proven balance", value: balanceS, unit: "s", bound: { atMost: MOST_LIGHT_S } },
    { what: "a new node is a full one", value: fullS, unit: "s", bound: { atMost: MOST_FULL_S } },
  );
}

async function joinOnce(
  bench: Bench,
  name: string,
  { bootstrap, checkpoint, height }: { readonly bootstrap: readonly string[]; readonly checkpoint: string; readonly height: number },
): Promise<Times> {
  const chain = bench.chain();
  const dataDir = join(bench.folder, name);
  mkdirSync(dataDir);
  const genesis = join(bench.folder, `${name}.json`);
  await cp(dataFolderPaths(chain.path).genesis, genesis);
  const args = [
    "--genesis",
    genesis,
    "--bootstrap",
    bootstrap.join(","),
    "--mdns",
    "off",
    "--sync",
    "snapshot",
    "--checkpoint",
    checkpoint,
  ];
  const startMs = performance.now();
  const passedS = (): number => (performance.now() - startMs) / 1_000;
  await using node = await startNode({ dataDir, args, env: NODE_ENVIRONMENT });
  const wait = (what: string, isSo: () => Promise<boolean>): Promise<unknown> =>
    pollUntil(() => isSo().catch(() => false), { what, timeoutMs: TIMEOUT_MS, intervalMs: 50 });
  const person = numberedAccount(Math.floor(chain.recipe.accounts / 2)).publicKey;
  await wait("a balance", async () => (await balanceOf(node.client, person)) > 0);
  const pid = node.child.pid ?? 0;
  const [balanceS, balanceProcessorS] = [passedS(), processorMs(pid) / 1_000];
  process.stderr.write(`a balance after ${round(balanceS)} s\n`);
  await wait("a full node", async () => {
    const { history, sync } = await node.client.getStatus({});
    return history?.from_height === height && sync.height >= height && (await balanceOf(node.client, chain.treasury)) > 0;
  });
  const [fullS, fullProcessorS] = [passedS(), processorMs(pid) / 1_000];
  return { balanceS, fullS, blocks: height, balanceProcessorS, fullProcessorS, memory: memoryMiB(pid) };
}

async function balanceOf(client: NodeClient, account: string): Promise<number> {
  return (await client.getAddress({ addr: account, limit: 1 })).balance_ut;
}
