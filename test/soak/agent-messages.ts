// `npm run soak -- --agent [--messages 100000] [--seed 1]`: one agent writes to another over a real node while both are killed and started
// again, and every message is there once at the end. Prints figures; ends with a failure when one is lost or doubled.
import { type ChildProcess, fork } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { ENDPOINT_FILE } from "#shared/desktop/local-endpoint.ts";
import { pollUntil } from "../support/host/poll-until.ts";
import { createRandom, type Random } from "../support/host/random.ts";
import { createTemporaryFolder } from "../support/host/temporary-folder.ts";
import { projectRoot, runParley } from "../support/nodes/run-program.ts";
import { AGENT_PASSWORD, RunningAgent } from "../support/nodes/running-agent.ts";
import { startNode } from "../support/nodes/start-node.ts";
import type { DeviceOrder, DeviceReport } from "./agent-device.ts";
import { endChild } from "./end-child.ts";

const HOUR_MS = 3_600_000;
/** A side is killed after so many messages, at most. */
const MOST_BETWEEN_KILLS = 4_000;

/** One side, over its restarts. */
class Side {
  readonly #dir: string;
  readonly #endpointFile: string;
  readonly #onReport: (report: DeviceReport) => void;
  #child: ChildProcess | undefined;

  constructor(dir: string, endpointFile: string, onReport: (report: DeviceReport) => void) {
    this.#dir = dir;
    this.#endpointFile = endpointFile;
    this.#onReport = onReport;
  }

  async start(): Promise<void> {
    const child = fork(join(projectRoot, "test/soak/agent-device.ts"), [this.#dir, this.#endpointFile, AGENT_PASSWORD], {
      stdio: "inherit",
    });
    this.#child = child;
    const ready = Promise.withResolvers<void>();
    child.on("message", (report: DeviceReport) => {
      if (report.type === "ready") ready.resolve();
      this.#onReport(report);
    });
    child.on("exit", (code) => ready.reject(new Error(`A side ended with ${code}`)));
    await ready.promise;
  }

  order(order: DeviceOrder): void {
    this.#child?.send(order);
  }

  end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    return endChild(this.#child, signal);
  }
}

/** Runs until all messages are there. @throws Error when one is lost or doubled. */
export async function runAgentMessages({ messages: count, seed }: { readonly messages: number; readonly seed: number }): Promise<void> {
  await using folder = await createTemporaryFolder("parley-soak-agent-");
  await using node = await startNode({ dataDir: join(folder.path, "node") });
  const [writer, reader] = await Promise.all(["writer", "reader"].map((name) => makeAgent(join(folder.path, name), node.baseUrl)));
  if (writer === undefined || reader === undefined) throw new Error("two agents were made");
  const endpointFile = join(node.dataDir, ENDPOINT_FILE);
  const run = new Run({ count, random: createRandom(seed), writer, reader, endpointFile });
  try {
    await run.send();
    await run.check();
  } finally {
    await run.stop();
  }
}

interface RunOptions {
  readonly count: number;
  readonly random: Random;
  readonly writer: RunningAgent;
  readonly reader: RunningAgent;
  /** How the agents find their own node. */
  readonly endpointFile: string;
}

class Run {
  readonly #options: RunOptions;
  readonly #writer: Side;
  readonly #reader: Side;
  #taken = -1;
  #verified: Extract<DeviceReport, { type: "verified" }> | undefined;
  #kills = 0;
  readonly #startedMs = performance.now();

  constructor(options: RunOptions) {
    this.#options = options;
    const { writer, reader, endpointFile } = options;
    const onReport = (report: DeviceReport): void => {
      if (report.type === "taken") this.#taken = report.index;
      else if (report.type === "verified") this.#verified = report;
    };
    this.#writer = new Side(writer.dir, endpointFile, onReport);
    this.#reader = new Side(reader.dir, endpointFile, onReport);
  }

  /** Writes all, and kills a side now and then: what was answered last is ordered again after each kill. */
  async send(): Promise<void> {
    const { count, random, reader } = this.#options;
    await Promise.all([this.#writer.start(), this.#reader.start()]);
    for (let isOver = false; !isOver; ) {
      const from = Math.max(0, this.#taken - 3);
      this.#writer.order({ type: "send", to: reader.publicKey, from, count });
      const until = this.#taken + random.between(1, Math.min(MOST_BETWEEN_KILLS, Math.ceil(count / 10)));
      await pollUntil(() => this.#taken >= Math.min(until, count - 1), { timeoutMs: HOUR_MS, what: `message ${until} to be taken` });
      isOver = this.#taken >= count - 1;
      await this.#restart(this.#writer);
      if (random.between(0, 1) === 1) await this.#restart(this.#reader);
      process.stdout.write(`${this.#taken + 1} of ${count} after ${this.#seconds} s, ${this.#kills} kills\n`);
    }
  }

  async check(): Promise<void> {
    const { count, writer, reader } = this.#options;
    const verified = await pollUntil(
      async () => {
        this.#verified = undefined;
        this.#reader.order({ type: "verify", peer: writer.publicKey, count });
        const found = await pollUntil(() => this.#verified, { timeoutMs: HOUR_MS, what: "the reader to look" });
        return found.distinct >= count && found;
      },
      { timeoutMs: HOUR_MS, intervalMs: 2_000, what: "all messages to arrive" },
    );
    const { arrived, distinct, missing } = verified;
    if (arrived !== count || distinct !== count) throw new Error(`${arrived} arrived, ${distinct} distinct, missing ${missing.join(" ")}`);
    const rate = Math.round(count / Number(this.#seconds));
    process.stdout.write(`${count} messages once each: ${this.#seconds} s (${rate}/s), ${this.#kills} kills, `);
    process.stdout.write(`${await sizeOf(writer.dir)} MiB at the writer, ${await sizeOf(reader.dir)} MiB at the reader\n`);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#writer.end("SIGTERM"), this.#reader.end("SIGTERM")]);
  }

  get #seconds(): string {
    return ((performance.now() - this.#startedMs) / 1000).toFixed(1);
  }

  async #restart(side: Side): Promise<void> {
    await side.end("SIGKILL");
    this.#kills += 1;
    await side.start();
  }
}

async function makeAgent(dir: string, nodeUrl: string): Promise<RunningAgent> {
  const agent = new RunningAgent(dir, nodeUrl);
  await agent.init(async (address) => {
    const { code, stderr } = await runParley(["faucet", "--to", address, "--amount", "20T", "--wait", "--node", nodeUrl]);
    if (code !== 0) throw new Error(stderr);
  });
  return agent;
}

async function sizeOf(dir: string): Promise<string> {
  const { readdir } = await import("node:fs/promises");
  const names = (await readdir(dir)).filter((name) => name.startsWith("messages-"));
  return (names.reduce((sum, name) => sum + statSync(join(dir, name)).size, 0) / 1_048_576).toFixed(1);
}
