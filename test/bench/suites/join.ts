// A new node joins the long chain: four nodes of this machine serve it, whose snapshot is older than their newest block, and the checkpoint
// is older still. The time counts until it has a proven balance, and, by the snapshot, until a transfer that it was given is in a block.
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
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import { plainFetch } from "../../support/nodes/connect-to-node.ts";
import { findFreePorts } from "../../support/nodes/free-port.ts";
import { startNode } from "../../support/nodes/start-node.ts";
import { copyChain, openChain } from "../chain/chain-cache.ts";
import { numberedAccount, signedTransfer } from "../load/accounts.ts";
import { closedLoop } from "../load/closed-loop.ts";
import { memoryMiB, processorMs } from "../measure/process-figures.ts";
import { median, round, table } from "../measure/statistics.ts";
import { type Bench, NODE_ENVIRONMENT } from "./bench.ts";

const SERVING = 4;
/** Both for 1,000,000 accounts and 10,000,000 transactions, s. */
const MOST_LIGHT_S = 10;
const MOST_FULL_S = 60;
const TIMEOUT_MS = 600_000;
/** Blocks between the checkpoint and the snapshot, and between the snapshot and the newest block; fewer on a short chain. */
const BLOCKS_BETWEEN = 1_000;
const SILENT = createLog("json", { write: () => undefined });

/** What a new node is given. */
interface Served {
  readonly bootstrap: readonly string[];
  readonly checkpoint: string;
  /** Of the snapshot, and of the newest block. */
  readonly snapshot: number;
  readonly newest: number;
}

interface Times {
  /** Until the first balance: of a node that joins by the snapshot, and of a light one. */
  readonly balanceS: number;
  readonly lightS: number;
  /** Until the node is a full one at the newest block, and has the transfer in a block that it was given then. */
  readonly fullS: number;
  /** Processor time of the new node until both, s, and what it takes of memory then, MiB. */
  readonly balanceProcessorS: number;
  readonly fullProcessorS: number;
  readonly memory: number;
}

/** Joins as often as the options say, each time into an empty folder. */
export async function joinSuite(bench: Bench): Promise<void> {
  const { recipe } = bench.chain();
  await using opened = new AsyncDisposableStack();
  const served = await serve(bench, opened);
  const all: Times[] = [];
  for (let run = 0; run < bench.options.repeats; run += 1) all.push(await joinOnce(bench, run, served));
  const of = (name: keyof Times): number => median(all.map((times) => times[name]));
  const [balanceS, lightS, fullS] = [of("balanceS"), of("lightS"), of("fullS")];
  bench.print(
    table(
      `A new node joins ${recipe.transactions.toLocaleString("en")} transactions of ${recipe.accounts.toLocaleString("en")} accounts, ${SERVING} nodes serve it on this machine`,
      [
        "blocks; snapshot",
        "light node: first balance, s",
        "first balance, s",
        "full node, its transfer in a block, s",
        "processor s of the new node until each",
        "its memory then, MiB",
      ],
      [
        [
          `${served.newest}; ${served.snapshot}`,
          round(lightS),
          round(balanceS),
          round(fullS),
          `${round(of("balanceProcessorS"))} · ${round(of("fullProcessorS"))}`,
          round(of("memory")),
        ],
      ],
    ),
  );
  bench.goals.push(
    { what: "a new light node has a proven balance", value: lightS, unit: "s", bound: { atMost: MOST_LIGHT_S } },
    { what: "a new node has a proven balance", value: balanceS, unit: "s", bound: { atMost: MOST_LIGHT_S } },
    { what: "a new node is a full one, its transfer in a block", value: fullS, unit: "s", bound: { atMost: MOST_FULL_S } },
  );
}

/** Nodes with a snapshot of the chain's newest block, all some blocks further. */
async function serve(bench: Bench, opened: AsyncDisposableStack): Promise<Served> {
  const chain = bench.chain();
  const tip = readChainTip(chain.path);
  if (tip === undefined) throw new Error("The generated chain has no block");
  const firstPort = await findFreePorts(Array.from({ length: SERVING }, (_, index) => index));
  const bootstrap: string[] = [];
  const ports: number[] = [];
  let checkpoint = "";
  for (let index = 0; index < SERVING; index += 1) {
    const dataDir = copyChain(chain, join(bench.folder, `join-server-${index}`));
    checkpoint = checkpointOf(dataDir, tip.height);
    // The first one makes the blocks; the others have keys of their own.
    if (index > 0) for (const name of ["keys", "consensus"]) rmSync(join(dataDir, name), { recursive: true, force: true });
    const address = `127.0.0.1:${firstPort + index}`;
    const flags = { dataDir, statsAddr: "127.0.0.1:0", p2pAddr: address, bootstrap: bootstrap.join(","), sync: "replay" };
    const config = loadNodeConfig({ flags, environment: { isLaunched: false }, defaultDataDir: dataDir });
    // One snapshot, of the newest block.
    const snapshotRule = { every: tip.height, periodMs: 1 };
    const node = createNode(config, { log: SILENT, onFatal: (error) => bench.print(String(error)), snapshotRule });
    opened.defer(() => node.stop());
    ports.push((await node.start()).port);
    const { publicKey } = readKey(dataFolderPaths(dataDir).nodeKey, "ed25519") ?? { publicKey: "" };
    bootstrap.push(`/ip4/127.0.0.1/tcp/${firstPort + index}/p2p/${peerNameOf(publicKey)}`);
    const snapshot = join(dataFolderPaths(dataDir).snapshots, snapshotName(tip.height));
    await pollUntil(() => existsSync(snapshot), { what: "a snapshot", timeoutMs: TIMEOUT_MS });
  }
  const newest = await makeBlocks(ports, Math.min(BLOCKS_BETWEEN, tip.height - 1));
  return { bootstrap, checkpoint, snapshot: tip.height, newest };
}

/** `height:hash` of a block some blocks below the newest one. */
function checkpointOf(dataDir: string, newest: number): string {
  const height = Math.max(1, newest - BLOCKS_BETWEEN);
  const { database } = openChain(dataDir);
  try {
    return `${height}:${database.blocks.summary(height)?.hash}`;
  } finally {
    database.close();
  }
}

/** Blocks of one transfer each, until every node has them; the height of the newest one. */
async function makeBlocks(ports: readonly number[], count: number): Promise<number> {
  const nodes = ports.map((port) => ({ port, client: createNodeClient({ baseUrl: `http://127.0.0.1:${port}`, fetch: plainFetch }) }));
  const heightOf = async ({ client }: (typeof nodes)[number]): Promise<number> => (await client.getStatus({})).sync.height;
  const [first] = nodes;
  if (first === undefined) throw new Error("No node serves the chain");
  await closedLoop(first, [numberedAccount(0)], count);
  const newest = await heightOf(first);
  for (const node of nodes)
    await pollUntil(async () => (await heightOf(node)) >= newest, { what: "the newest block", timeoutMs: TIMEOUT_MS, intervalMs: 100 });
  return newest;
}

async function joinOnce(bench: Bench, run: number, served: Served): Promise<Times> {
  const lightS = await lightOnce(bench, `join-light-${run}`, served);
  const chain = bench.chain();
  const { args, dataDir } = await newFolder(bench, `join-${run}`, served);
  const startMs = performance.now();
  const passedS = (): number => (performance.now() - startMs) / 1_000;
  await using node = await startNode({ dataDir, args: [...args, "--sync", "snapshot"], env: NODE_ENVIRONMENT });
  await untilSo("a balance", async () => (await balanceOf(node.client, personOf(bench))) > 0);
  const pid = node.child.pid ?? 0;
  const [balanceS, balanceProcessorS] = [passedS(), processorMs(pid) / 1_000];
  process.stderr.write(`a balance after ${round(balanceS)} s\n`);
  await untilSo("a full node", async () => {
    const { history, sync } = await node.client.getStatus({});
    // Blocks below the snapshot may have come already.
    return (
      (history?.from_height ?? 0) <= served.snapshot && sync.height >= served.newest && (await balanceOf(node.client, chain.treasury)) > 0
    );
  });
  const transfer = signedTransfer(numberedAccount(1), { to: chain.treasury, chainId: chain.chainId });
  await node.client.submitTransaction({ body: transfer });
  await untilSo("a transfer in a block", async () => "block_index" in (await node.client.getTransaction({ txid: transfer.id })));
  const [fullS, fullProcessorS] = [passedS(), processorMs(pid) / 1_000];
  return { balanceS, lightS, fullS, balanceProcessorS, fullProcessorS, memory: memoryMiB(pid) };
}

/** Time from the first start of a light node until its first balance, s. */
async function lightOnce(bench: Bench, name: string, served: Served): Promise<number> {
  const { args, dataDir } = await newFolder(bench, name, served);
  const startMs = performance.now();
  await using node = await startNode({ dataDir, args: [...args, "--mode", "light"], env: NODE_ENVIRONMENT });
  await untilSo("a balance of a light node", async () => (await balanceOf(node.client, personOf(bench))) > 0);
  const seconds = (performance.now() - startMs) / 1_000;
  await node.stop();
  return seconds;
}

/** An empty folder, and the flags with which its node finds the network. */
async function newFolder(
  bench: Bench,
  name: string,
  { bootstrap, checkpoint }: Served,
): Promise<{ readonly dataDir: string; readonly args: readonly string[] }> {
  const dataDir = join(bench.folder, name);
  mkdirSync(dataDir);
  const genesis = join(bench.folder, `${name}.json`);
  await cp(dataFolderPaths(bench.chain().path).genesis, genesis);
  return { dataDir, args: ["--genesis", genesis, "--bootstrap", bootstrap.join(","), "--mdns", "off", "--checkpoint", checkpoint] };
}

/** An account of which nobody asked before. */
function personOf(bench: Bench): string {
  return numberedAccount(Math.floor(bench.chain().recipe.accounts / 2)).publicKey;
}

async function untilSo(what: string, isSo: () => Promise<boolean>): Promise<void> {
  await pollUntil(() => isSo().catch(() => false), { what, timeoutMs: TIMEOUT_MS, intervalMs: 50 });
}

async function balanceOf(client: NodeClient, account: string): Promise<number> {
  return (await client.getAddress({ addr: account, limit: 1 })).balance_ut;
}
