// `npm run soak -- --routers`: three validators, two of them behind home routers, with the third as relay. Needs root, see routed-machines.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createNetworkFolders, type NetworkNode } from "#node/config/files/network-folders.ts";
import { systemRandom } from "#node/config/system-clock.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import type { Output } from "#shared/api/api.ts";
import { createNodeClient, type HttpFetch, type NodeClient } from "#shared/api/client.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { pollUntil } from "../support/host/poll-until.ts";
import { createTemporaryFolder } from "../support/host/temporary-folder.ts";
import { loadAccount } from "../support/nodes/node-load.ts";
import { cleanEnvironment, projectRoot, runProgram } from "../support/nodes/run-program.ts";
import { sampleEnvelope } from "../support/nodes/test-network.ts";
import { PUBLIC_ADDRESS, RoutedMachines } from "./routed-machines.ts";

const PORTS = { basePort: 7_000, p2p: 9_100 };
const WAIT = { timeoutMs: 60_000, intervalMs: 1_000 };
/** Longer than a connection may be without gossip. */
const UNRESPONSIVE_MS = NETWORK_LIMITS.unresponsiveMs + 5_000;
/** Asks as a program on that machine would. */
const FETCH = `const [url, init] = JSON.parse(process.argv[1]);
const response = await fetch(url, init);
process.stdout.write(JSON.stringify({ status: response.status, body: await response.text() }));`;

/** A node on a machine of its own. */
class RoutedNode {
  readonly client: NodeClient;
  readonly #folder: NetworkNode;
  readonly #namespace: string;
  #child: ChildProcess | null = null;
  #log = "";

  constructor(folder: NetworkNode, namespace: string) {
    this.#folder = folder;
    this.#namespace = namespace;
    this.client = createNodeClient({ baseUrl: folder.url, fetch: (url, init) => this.#fetch(url, init) });
  }

  /** What it wrote to standard error. */
  get log(): string {
    return this.#log;
  }

  async start(settings: object): Promise<void> {
    const file = join(this.#folder.dataDir, "config.json");
    const { stats_addr } = JSON.parse(await readFile(file, "utf8")) as { readonly stats_addr: string };
    await writeFile(file, JSON.stringify({ stats_addr, ...settings }));
    const command = [process.execPath, join(projectRoot, "node/main.ts"), "node", "--data-dir", this.#folder.dataDir];
    this.#child = spawn("ip", ["netns", "exec", this.#namespace, ...command], {
      cwd: projectRoot,
      env: cleanEnvironment(),
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#log += text;
    });
    await pollUntil(() => this.client.getStatus({}), { ...WAIT, what: "a node to serve" });
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  }

  async #fetch(...request: Parameters<HttpFetch>): ReturnType<HttpFetch> {
    const script = ["--input-type=module", "-e", FETCH, JSON.stringify(request)];
    const { code, stdout, stderr } = await runProgram("ip", ["netns", "exec", this.#namespace, process.execPath, ...script]);
    if (code !== 0) throw new Error(stderr);
    const { status, body } = JSON.parse(stdout) as { readonly status: number; readonly body: string };
    return { status, text: (): Promise<string> => Promise.resolve(body) };
  }
}

/** Runs it; a failure throws, with the logs of the nodes. */
export async function runBehindRouters(): Promise<void> {
  await using folder = await createTemporaryFolder("parley-routers-");
  await using machines = new RoutedMachines();
  await machines.start();
  const { basePort } = PORTS;
  const path = join(folder.path, "net");
  const size = { validators: 3, nodes: 0 };
  const made = createNetworkFolders({ path, ...size, basePort, nowMs: Date.now(), random: systemRandom, peerName: peerNameOf });
  const nodes = made.nodes.map((node, index) => new RoutedNode(node, machines.namespaceOf(["wan", "h1", "h2"][index] ?? "")));
  try {
    await takePart(nodes, made.nodes[0]?.p2pAddress.split("/p2p/")[1] ?? "");
  } catch (error) {
    throw new Error(`Behind routers:\n${nodes.map(({ log }, index) => `node ${index}:\n${log.slice(-3_000)}`).join("\n")}`, {
      cause: error,
    });
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
  }
}

async function takePart([relay, left, right]: readonly RoutedNode[], relayName: string): Promise<void> {
  if (relay === undefined || left === undefined || right === undefined) throw new Error("three nodes were expected");
  const address = `/ip4/${PUBLIC_ADDRESS}/tcp/${PORTS.p2p}`;
  await relay.start({ p2p_addr: `0.0.0.0:${PORTS.p2p}`, announce: [address], p2p_relay: "offer" });
  const home = { p2p_addr: `0.0.0.0:${PORTS.p2p}`, bootstrap: [`${address}/p2p/${relayName}`] };
  await Promise.all([left.start(home), right.start(home)]);
  const circuitOf = async (node: RoutedNode): Promise<string | undefined> =>
    (await node.client.getNetworkInfo({})).p2p_addresses?.find((own) => own.includes("/p2p-circuit"));
  for (const node of [left, right]) await pollUntil(() => circuitOf(node), { ...WAIT, what: "a place at the relay" });
  console.log("both homes have a place at the relay");

  const to = loadAccount(systemRandom(32)).publicKey;
  const { id } = await left.client.requestFaucet({ body: { to, amount_ut: 7 } });
  await pollUntil(() => readCommitted(right.client, id), { ...WAIT, what: "a transfer from one home in the other" });
  const envelope = sampleEnvelope(1);
  const pub = envelope.recipient_pub;
  await right.client.listInbox({ pub });
  await left.client.broadcastEnvelope({ body: { envelope } });
  await pollUntil(async () => (await right.client.listInbox({ pub })).items.length === 1, { ...WAIT, what: "an envelope likewise" });
  console.log("transfers and envelopes go from one home to the other");

  const peerOf = async (): Promise<Output<"listPeers">["peers"][number] | undefined> =>
    (await left.client.listPeers({})).peers.find(({ id: name }) => name !== relayName);
  const met = await pollUntil(peerOf, { ...WAIT, what: "the two homes to meet" });
  console.log(`they met: ${met.address}`);
  const isDirect = async (): Promise<boolean> => (await peerOf())?.relayed === false;
  await pollUntil(isDirect, { ...WAIT, what: "a direct connection" });
  console.log(`and are connected directly: ${(await peerOf())?.address}`);

  await relay.stop();
  const later = sampleEnvelope(2);
  await left.client.broadcastEnvelope({ body: { envelope: later } });
  await pollUntil(async () => (await right.client.listInbox({ pub })).items.length === 2, {
    ...WAIT,
    what: "an envelope without the relay",
  });
  await delay(UNRESPONSIVE_MS);
  if (!(await isDirect())) throw new Error("The direct connection did not last");
  console.log("also without the relay");
}
