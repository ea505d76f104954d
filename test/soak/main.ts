// `npm run soak -- [--minutes 10] [--seed 1] [--validators 4] [--nodes 2]`: a network of real processes under load and random faults,
// held to its promises after each of them. Ends with a failure, and with the logs of the nodes, at the first broken one.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { NetworkLoad } from "../support/network-load.ts";
import { findBroken, settle } from "../support/network-state.ts";
import { pollUntil } from "../support/poll-until.ts";
import { ProcessNetwork, type ProcessNode } from "../support/process-network.ts";
import { createRandom, type Random } from "../support/random.ts";
import { projectRoot } from "../support/run-program.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    validators: { type: "string", default: "4" },
    nodes: { type: "string", default: "2" },
  },
});

const ABSTAINED_HEIGHTS = 10;

/** What may happen; each leaves the network whole again. */
const FAULTS = {
  async kill(network: ProcessNetwork, random: Random): Promise<string> {
    const node = pick(network.nodes, random);
    await node.end("SIGKILL");
    await delay(random.between(0, 5_000));
    await node.start();
    return `killed node ${node.index}`;
  },
  async pause(network: ProcessNetwork, random: Random): Promise<string> {
    const node = pick(network.nodes, random);
    node.pause(true);
    await delay(10_000);
    node.pause(false);
    return `paused node ${node.index} for 10 s`;
  },
  async split(network: ProcessNetwork, random: Random): Promise<string> {
    const size = network.nodes.length;
    const mask = random.between(1, 2 ** size - 2);
    const side = (bit: number): number[] => network.nodes.map(({ index }) => index).filter((index) => ((mask >> index) & 1) === bit);
    network.partition(side(0), side(1));
    await delay(random.between(1_000, 10_000));
    network.heal();
    return `split into ${side(0).join("")} and ${side(1).join("")}`;
  },
  async wipe(network: ProcessNetwork, random: Random): Promise<string> {
    const node = pick(network.nodes, random);
    await node.end("SIGTERM");
    await node.wipe();
    await node.start();
    // An emptied validator does not vote for ten heights. A second one before that, and nobody could decide.
    await grows(network.node((node.index + 1) % network.nodes.length), ABSTAINED_HEIGHTS + 2);
    return `wiped node ${node.index}`;
  },
  async roll(network: ProcessNetwork): Promise<string> {
    for (const node of network.nodes) {
      await node.end("SIGTERM");
      await node.start();
    }
    return "restarted all nodes, one after the other";
  },
} satisfies Readonly<Record<string, (network: ProcessNetwork, random: Random) => Promise<string>>>;

async function grows(node: ProcessNode, blocks: number): Promise<void> {
  const heightOf = async (): Promise<number> => (await node.client.getStatus({})).sync.height;
  const start = await heightOf();
  await pollUntil(async () => (await heightOf()) >= start + blocks, { timeoutMs: 120_000, intervalMs: 200, what: `${blocks} blocks` });
}

function pick(nodes: readonly ProcessNode[], random: Random): ProcessNode {
  const node = nodes[random.between(0, nodes.length - 1)];
  if (node === undefined) throw new Error("a network has nodes");
  return node;
}

async function soak(network: ProcessNetwork, load: NetworkLoad, random: Random): Promise<void> {
  const end = performance.now() + Number(values.minutes) * 60_000;
  const faults = Object.values(FAULTS);
  for (let count = 1; performance.now() < end; count += 1) {
    const fault = faults[random.between(0, faults.length - 1)];
    const what = await fault?.(network, random);
    load.setPaused(true);
    const height = await settle(network);
    const broken = await findBroken(network, load, height);
    load.setPaused(false);
    console.log(`${count}: ${what}; height ${height}, ${load.placed.size} transactions, ${load.envelopes.size} envelopes`);
    if (broken.length > 0) throw new Error(`After "${what}": ${broken.join("; ")}`);
  }
}

async function keepLogs(network: ProcessNetwork): Promise<string> {
  const folder = join(projectRoot, ".cache", "soak");
  await mkdir(folder, { recursive: true });
  for (const node of network.nodes) await writeFile(join(folder, `node-${node.index}.log`), node.log);
  return folder;
}

await using network = await ProcessNetwork.create({ validators: Number(values.validators), nodes: Number(values.nodes) });
const load = new NetworkLoad(network);
console.log(`seed ${values.seed}`);
// The nodes are processes of their own: Ctrl-C must not leave them behind.
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    // Whoever stops a run does not wait for its last fault.
    void network[Symbol.asyncDispose]().finally(() => process.exit(130));
  });
try {
  await network.start();
  await Promise.all(network.nodes.map((node) => node.client.listInbox({ pub: load.recipient })));
  await load.start();
  await soak(network, load, createRandom(Number(values.seed)));
} catch (error) {
  process.exitCode = 1;
  console.error(error);
  console.error(`Logs: ${await keepLogs(network)}`);
} finally {
  await load.stop();
}
