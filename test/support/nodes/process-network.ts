// A network of real node processes whose every connection runs through a wire that the test can cut.
import { type ChildProcess, spawn } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { createNetworkFolders, type NetworkNode, type NewNetwork, P2P_PORT_OFFSET } from "#node/config/files/network-folders.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import { createNodeClient, type HttpFetch, type NodeClient } from "#shared/api/client.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { endWithTests } from "../host/end-with-tests.ts";
import { pollUntil } from "../host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../host/temporary-folder.ts";
import { endChild } from "./end-child.ts";
import { findFreePorts } from "./free-port.ts";
import { LinkProxy } from "./link-proxy.ts";
import { nodeProgram } from "./node-program.ts";
import { cleanEnvironment, projectRoot } from "./run-program.ts";

/** Nothing listens there: what a node announces must not lead around the wires. */
const NOWHERE = "/ip4/127.0.0.1/tcp/9";
const START_MS = 90_000;
/** As the npm scripts start a node: with the compiled code of earlier runs. */
const COMPILE_CACHE = join(projectRoot, "node_modules", ".cache", "compile");

/** How large a network. */
export interface ProcessNetworkSize {
  readonly validators: number;
  readonly nodes: number;
  /** True for connections without wires between them, which cannot be cut and cost nothing. */
  readonly isDirect?: boolean;
  /** Time after which an empty block follows, instead of the minute of development networks. */
  readonly heartbeatMs?: number;
  /** When its chain began, unix milliseconds; now by default. */
  readonly startMs?: number;
}

/** A node of a process network, running or not. */
export class ProcessNode {
  readonly index: number;
  readonly dataDir: string;
  readonly baseUrl: string;
  readonly isValidator: boolean;
  readonly client: NodeClient;
  #child: ChildProcess | null = null;
  #log = "";

  constructor(index: number, { dataDir, url, isValidator }: Pick<NetworkNode, "dataDir" | "url" | "isValidator">) {
    this.index = index;
    this.dataDir = dataDir;
    this.baseUrl = url;
    this.isValidator = isValidator;
    this.client = createNodeClient({ baseUrl: url, fetch: plainFetch });
  }

  /** Port of its HTTP interface. */
  get port(): number {
    return Number(new URL(this.baseUrl).port);
  }

  /** What it wrote to standard error, all lives together. */
  get log(): string {
    return this.#log;
  }

  get isRunning(): boolean {
    return this.#child !== null;
  }

  /** True when the process ended without having been stopped. */
  get hasDied(): boolean {
    return this.#child !== null && (this.#child.exitCode !== null || this.#child.signalCode !== null);
  }

  /** Id of the process. @throws Error when it does not run. */
  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error(`node ${this.index} does not run`);
    return this.#child.pid;
  }

  /** Starts the process, with further flags and variables when there are any, and waits until it serves. */
  async start(flags: readonly string[] = [], environment: Readonly<Record<string, string>> = {}): Promise<void> {
    const child = this.begin(flags, environment);
    const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
    const isServing = async (): Promise<boolean> => {
      if (!hasEnded()) await this.client.getNetstats({});
      return true;
    };
    await pollUntil(isServing, { timeoutMs: START_MS, intervalMs: 100, what: `node ${this.index} to serve` });
    if (hasEnded()) throw new Error(`node ${this.index} ended:\n${this.#log.slice(-4_000)}`);
  }

  /** Starts the process likewise, and waits for nothing. */
  begin(flags: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
    const env = { ...cleanEnvironment(), NODE_COMPILE_CACHE: COMPILE_CACHE, ...environment };
    const child = spawn(process.execPath, [nodeProgram(), "node", "--data-dir", this.dataDir, ...flags], {
      cwd: projectRoot,
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    endWithTests(child);
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#log += text;
    });
    this.#child = child;
    return child;
  }

  /** Ends it: SIGTERM in order, SIGKILL at once. Gives the exit code. */
  async end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
    const child = this.#child;
    this.#child = null;
    return await endChild(child, signal);
  }

  /** Stops the process where it is, or lets it continue. */
  pause(isPaused: boolean): void {
    this.#child?.kill(isPaused ? "SIGSTOP" : "SIGCONT");
  }

  /** Removes everything but keys, genesis and configuration. The node must not run. */
  async wipe(): Promise<void> {
    for (const name of await readdir(this.dataDir))
      if (!["keys", "genesis.json", "config.json"].includes(name)) await rm(join(this.dataDir, name), { recursive: true });
  }
}

/** The whole network. */
export class ProcessNetwork implements AsyncDisposable {
  readonly genesis: Genesis;
  readonly nodes: readonly ProcessNode[];
  readonly #folder: TemporaryFolder;
  readonly #links: ReadonlyMap<string, LinkProxy>;

  private constructor(parts: {
    readonly genesis: Genesis;
    readonly nodes: readonly ProcessNode[];
    readonly folder: TemporaryFolder;
    readonly links: ReadonlyMap<string, LinkProxy>;
  }) {
    this.genesis = parts.genesis;
    this.nodes = parts.nodes;
    this.#folder = parts.folder;
    this.#links = parts.links;
  }

  /** Makes folders and wires; no node is started. */
  static async create({ validators, nodes, isDirect = false, heartbeatMs, startMs }: ProcessNetworkSize): Promise<ProcessNetwork> {
    const folder = await createTemporaryFolder("parley-network-");
    const basePort = await findNetworkPorts(validators + nodes);
    const path = join(folder.path, "net");
    const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
    const made = createNetworkFolders({ path, validators, nodes, basePort, nowMs: startMs ?? Date.now(), random, peerName: peerNameOf });
    const genesis = heartbeatMs === undefined ? made.genesis : await changeHeartbeat(made, heartbeatMs);
    const links = new Map<string, LinkProxy>();
    for (const [from, node] of isDirect ? [] : made.nodes.entries()) {
      const bootstrap: string[] = [];
      for (const [to, other] of made.nodes.entries()) {
        if (from === to) continue;
        const link = new LinkProxy(basePort + P2P_PORT_OFFSET + to);
        await link.listen();
        links.set(`${from} ${to}`, link);
        bootstrap.push(`/ip4/127.0.0.1/tcp/${link.port}/p2p/${other.p2pAddress.split("/p2p/")[1]}`);
      }
      const file = join(node.dataDir, "config.json");
      const config = JSON.parse(await readFile(file, "utf8")) as object;
      await writeFile(file, JSON.stringify({ ...config, bootstrap, announce: [NOWHERE] }));
    }
    return new ProcessNetwork({
      genesis,
      nodes: made.nodes.map((node, index) => new ProcessNode(index, node)),
      folder,
      links,
    });
  }

  /** A node by its number. @throws Error when there is none. */
  node(index: number): ProcessNode {
    const node = this.nodes[index];
    if (node === undefined) throw new Error(`There is no node ${index}`);
    return node;
  }

  /** Starts all nodes and waits until each is connected to some. */
  async start(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.start()));
    await Promise.all(this.nodes.map((node) => this.connected(node)));
  }

  /** Waits until a node is connected to every node that runs and is not cut off. */
  async connected(node: ProcessNode): Promise<void> {
    const others = this.nodes.filter((other) => other !== node && other.isRunning && this.#isUp(node.index, other.index)).length;
    await pollUntil(async () => (await node.client.listPeers({})).count >= others, {
      timeoutMs: START_MS,
      intervalMs: 100,
      what: `node ${node.index} to be connected to ${others} others`,
    });
  }

  /** Only nodes of the same group reach each other; nodes in no group reach no other. */
  partition(...groups: readonly (readonly number[])[]): void {
    const groupOf = (index: number): number => groups.findIndex((group) => group.includes(index));
    for (const [pair, link] of this.#links) {
      const [from = 0, to = 0] = pair.split(" ").map(Number);
      link.setCut(groupOf(from) !== groupOf(to) || groupOf(from) === -1);
    }
  }

  /** Mends all wires. */
  heal(): void {
    for (const link of this.#links.values()) link.setCut(false);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const node of this.nodes) node.pause(false);
    await Promise.all(this.nodes.map((node) => node.end("SIGKILL")));
    await Promise.all([...this.#links.values()].map((link) => link.close()));
    await this.#folder.remove();
  }

  #isUp(from: number, to: number): boolean {
    return this.#links.get(`${from} ${to}`)?.isUp ?? true;
  }
}

const plainFetch: HttpFetch = async (url, init) => {
  const response = await fetch(url, { ...(init as RequestInit), signal: AbortSignal.timeout(10_000) });
  const body = await response.text();
  return { status: response.status, text: () => Promise.resolve(body) };
};

/** Gives all nodes a genesis with another time between empty blocks. */
async function changeHeartbeat({ genesis, nodes }: NewNetwork, heartbeatMs: number): Promise<Genesis> {
  const changed = { ...genesis, params: { ...genesis.params, heartbeat_interval_ms: heartbeatMs } };
  for (const { dataDir } of nodes) await writeFile(dataFolderPaths(dataDir).genesis, JSON.stringify(changed));
  return changed;
}

/** The base port of a network of so many nodes whose ports, also those for peers, are free. */
export async function findNetworkPorts(nodes: number): Promise<number> {
  return await findFreePorts(Array.from({ length: nodes }, (_, index) => [index, index + P2P_PORT_OFFSET]).flat());
}
