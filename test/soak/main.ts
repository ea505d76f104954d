// `npm run soak -- [--minutes 10] [--seed 1] [--validators 4] [--nodes 2]`: a network of real processes under load and random faults,
// held to its promises after each of them. Ends with a failure, and with the logs of the nodes, at the first broken one.
// With `--attackers` hostile peers attack all the while (attackers.ts). `npm run soak -- --routers` runs desktops behind routers instead
// (behind-routers.ts), `npm run soak -- --agent [--messages 100000]` two agents that are killed while they write (agent-messages.ts),
// `npm run soak -- --keepers` mail at keepers that come and go (mail-keepers.ts), `npm run soak -- --mail` the same with processes and their
// chain, beside a flood (mail-network.ts), `npm run soak -- --files [--bytes 10GB]` all files of a device
// to a new one (file-transfer.ts).
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Output } from "#shared/api/api.ts";
import { pollUntil } from "../support/host/poll-until.ts";
import { createRandom, type Random } from "../support/host/random.ts";
import { NetworkLoad } from "../support/nodes/network-load.ts";
import { findBroken, readMailboxes, untilIdle } from "../support/nodes/network-state.ts";
import { ProcessNetwork, type ProcessNode } from "../support/nodes/process-network.ts";
import { projectRoot } from "../support/nodes/run-program.ts";
import { approve, fund, haveSet, keyOf, signTwice } from "../support/nodes/set-changes.ts";
import { runAgentMessages } from "./agent-messages.ts";
import { limitLocalPeers, SoakAttackers } from "./attackers.ts";
import { runBehindRouters } from "./behind-routers.ts";
import { bytesOfText, runFileTransfer } from "./file-transfer.ts";
import { runMailKeepers } from "./mail-keepers.ts";
import { runMailNetwork } from "./mail-network.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    validators: { type: "string", default: "4" },
    nodes: { type: "string", default: "2" },
    routers: { type: "boolean", default: false },
    attackers: { type: "boolean", default: false },
    agent: { type: "boolean", default: false },
    keepers: { type: "boolean", default: false },
    mail: { type: "boolean", default: false },
    messages: { type: "string", default: "100000" },
    files: { type: "boolean", default: false },
    bytes: { type: "string", default: "10GB" },
    "file-bytes": { type: "string", default: "100MB" },
    interruptions: { type: "string", default: "20" },
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
    // An emptied validator does not vote for ten heights. A second one before that, and no block could be decided.
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
  async change(network: ProcessNetwork, random: Random): Promise<string> {
    const guest = await letIn(network, random);
    if (guest === undefined) return "let no guest in: no follower may be a validator";
    for (const node of validatorsOf(network)) await approve(network, { node, type: "REMOVE_VALIDATOR", target: guest });
    await haveFirstSet(network);
    return `let node ${guest.index} in, and removed it`;
  },
  async contradict(network: ProcessNetwork, random: Random): Promise<string> {
    const guest = await letIn(network, random);
    if (guest === undefined) return "caught no one: no follower may be a validator";
    await guest.end("SIGKILL");
    await signTwice(network, guest);
    await guest.start();
    await haveFirstSet(network);
    const { slash_count: count } = await network.node(0).client.getNodeStats({ pubkey: keyOf(guest).publicKey });
    if (count === 0) throw new Error(`node ${guest.index} was not punished`);
    return `let node ${guest.index} in, whose key signed two votes: punished and out`;
  },
} satisfies Readonly<Record<string, (network: ProcessNetwork, random: Random) => Promise<string>>>;

const validatorsOf = (network: ProcessNetwork): readonly ProcessNode[] => network.nodes.filter(({ isValidator }) => isValidator);

async function haveFirstSet(network: ProcessNetwork, ...guests: readonly ProcessNode[]): Promise<void> {
  const members = [...validatorsOf(network), ...guests].map(({ index }) => index);
  await haveSet(network, members);
}

/** Makes a follower a validator that has voted, unless all were punished already. */
async function letIn(network: ProcessNetwork, random: Random): Promise<ProcessNode | undefined> {
  const statsOf = (node: ProcessNode): Promise<Output<"getNodeStats">> =>
    network.node(0).client.getNodeStats({ pubkey: keyOf(node).publicKey });
  const followers = network.nodes.filter(({ isValidator }) => !isValidator);
  const punished = await Promise.all(followers.map(async (node) => (await statsOf(node)).slash_count > 0));
  const free = followers.filter((_, index) => punished[index] === false);
  if (free.length === 0) return undefined;
  const guest = pick(free, random);
  await fund(network, guest, 2);
  for (const node of [guest, ...validatorsOf(network).slice(0, quorum(validatorsOf(network).length))])
    await approve(network, { node, type: "ADD_VALIDATOR", target: guest });
  await haveFirstSet(network, guest);
  const votes = async (): Promise<boolean> => ((await statsOf(guest)).validator?.commits_signed ?? 0) > 0;
  await pollUntil(votes, { timeoutMs: 60_000, intervalMs: 200, what: `votes of node ${guest.index}` });
  return guest;
}

/** Least number of validators that is more than two thirds. */
function quorum(size: number): number {
  return Math.floor((2 * size) / 3) + 1;
}

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

async function soak(network: ProcessNetwork, load: NetworkLoad, attackers: SoakAttackers | undefined): Promise<void> {
  const random = createRandom(Number(values.seed));
  const end = performance.now() + Number(values.minutes) * 60_000;
  const faults = Object.values(FAULTS);
  for (let count = 1; count <= faults.length || performance.now() < end; count += 1) {
    // Each once, then at random: a short run reaches them all.
    const fault = faults[count <= faults.length ? count - 1 : random.between(0, faults.length - 1)];
    const what = await fault?.(network, random);
    load.setPaused(true);
    const height = await untilIdle(network);
    const broken = [...(await findBroken(network, load, height)), ...(attackers?.broken() ?? [])];
    load.setPaused(false);
    console.log(`${count}: ${what}; height ${height}, ${load.placements.size} transactions, ${load.envelopes.size} envelopes`);
    if (broken.length > 0) throw new Error(`After "${what}": ${broken.join("; ")}`);
  }
}

async function keepLogs(network: ProcessNetwork): Promise<string> {
  const folder = join(projectRoot, ".cache", "soak");
  await mkdir(folder, { recursive: true });
  for (const node of network.nodes) await writeFile(join(folder, `node-${node.index}.log`), node.log);
  return folder;
}

async function soakProcesses(): Promise<void> {
  await using network = await ProcessNetwork.create({ validators: Number(values.validators), nodes: Number(values.nodes) });
  const load = new NetworkLoad(network);
  console.log(`seed ${values.seed}`);
  // The nodes are processes of their own: Ctrl-C must not leave them behind.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      // The end of a run does not wait for its last fault.
      void network[Symbol.asyncDispose]().finally(() => process.exit(130));
    });
  try {
    if (values.attackers) await limitLocalPeers(network);
    await network.start();
    await Promise.all(network.nodes.map((node) => readMailboxes(node, load)));
    await load.start();
    await using attackers = values.attackers ? new SoakAttackers(network, createRandom(Number(values.seed) + 1)) : undefined;
    await soak(network, load, attackers);
    if (attackers !== undefined) console.log(attackers.report());
  } catch (error) {
    process.exitCode = 1;
    console.error(error);
    console.error(`Logs: ${await keepLogs(network)}`);
  } finally {
    await load.stop();
  }
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
if (values.agent) await runAgentMessages({ messages: Number(values.messages), seed: Number(values.seed) });
else if (values.keepers)
  process.exitCode = (await runMailKeepers({ minutes: Number(values.minutes), seed: Number(values.seed), say })) ? 0 : 1;
else if (values.mail)
  process.exitCode = (await runMailNetwork({ minutes: Number(values.minutes), seed: Number(values.seed), say })) ? 0 : 1;
else if (values.files)
  process.exitCode = (await runFileTransfer({
    bytes: bytesOfText(values.bytes),
    fileBytes: bytesOfText(values["file-bytes"]),
    interruptions: Number(values.interruptions),
    seed: Number(values.seed),
    say,
  }))
    ? 0
    : 1;
else await (values.routers ? runBehindRouters() : soakProcesses());
