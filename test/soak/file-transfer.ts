// `npm run soak -- --files [--megabytes 10000] [--file-megabytes 100] [--seed 1]`: a linked device takes over all files of an old one over two
// real nodes, while either device and either node is killed and started again, and the new device changes its node. Prints a table; ends with
// a failure when one byte differs.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { openAgentKeyring } from "#agent/keyring/agent-keyring.ts";
import { ENDPOINT_FILE } from "#shared/desktop/local-endpoint.ts";
import { pollUntil } from "../support/host/poll-until.ts";
import { createRandom, type Random } from "../support/host/random.ts";
import { createTemporaryFolder } from "../support/host/temporary-folder.ts";
import { ProcessNetwork } from "../support/nodes/process-network.ts";
import { projectRoot } from "../support/nodes/run-program.ts";
import type { FileOrder, FileReport } from "./file-device.ts";

export interface FileTransferOptions {
  readonly megabytes: number;
  readonly fileMegabytes: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

type Progress = Extract<FileReport, { readonly type: "progress" }>;
type Verified = Extract<FileReport, { readonly type: "verified" }>;

const PASSWORD = "correct horse battery staple";
const SESSION = "05".repeat(32);
const MEGABYTE = 1_000_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Something is interrupted after so much of all has come, percent. */
const APART = [4, 9] as const;

/** One device, over its restarts. */
class Side {
  readonly dir: string;
  endpointFile: string;
  devicePub = "";
  progress: Progress | undefined;
  verified: Verified | undefined;
  filled = 0;
  mostRssMb = 0;
  #role: string;
  #child: ChildProcess | undefined;

  constructor(dir: string, endpointFile: string, role: string) {
    this.dir = dir;
    this.endpointFile = endpointFile;
    this.#role = role;
  }

  async start(): Promise<void> {
    const args = [this.dir, this.endpointFile, PASSWORD, SESSION, this.#role];
    const child = fork(join(projectRoot, "test/soak/file-device.ts"), args, { stdio: "inherit" });
    this.#child = child;
    this.#role = "again";
    const ready = Promise.withResolvers<void>();
    child.on("message", (report: FileReport) => {
      if (report.type === "ready") {
        this.devicePub = report.devicePub;
        ready.resolve();
      } else if (report.type === "filled") this.filled = report.files;
      else if (report.type === "verified") this.verified = report;
      else this.#note(report);
    });
    child.on("exit", (code) => ready.reject(new Error(`A device ended with ${code}`)));
    await ready.promise;
  }

  #note(progress: Progress): void {
    this.progress = progress;
    this.mostRssMb = Math.max(this.mostRssMb, progress.rssMb);
  }

  order(order: FileOrder): void {
    this.#child?.send(order);
  }

  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    if (signal === "SIGKILL") child.kill(signal);
    else this.order({ type: "stop" });
    await once(child, "exit");
  }
}

/** True when every file came whole. */
export async function runFileTransfer({ megabytes, fileMegabytes, seed, say }: FileTransferOptions): Promise<boolean> {
  await using folder = await createTemporaryFolder("parley-soak-files-");
  const network = await ProcessNetwork.create({ validators: 1, nodes: 1, isDirect: true });
  try {
    await network.start();
    const phrase = await makeVault(join(folder.path, "old"));
    await makeVault(join(folder.path, "new"), phrase);
    const files = Math.ceil(megabytes / fileMegabytes);
    const run = new Run({ network, dir: folder.path, files, bytes: fileMegabytes * MEGABYTE, random: createRandom(seed), say });
    return await run.all();
  } finally {
    for (const node of network.nodes) await node.end("SIGTERM");
  }
}

interface RunOptions {
  readonly network: ProcessNetwork;
  readonly dir: string;
  readonly files: number;
  readonly bytes: number;
  readonly random: Random;
  readonly say: FileTransferOptions["say"];
}

class Run {
  readonly #options: RunOptions;
  readonly #old: Side;
  readonly #new: Side;
  #interruptions = 0;
  #startedMs = 0;

  constructor(options: RunOptions) {
    this.#options = options;
    const [first = "", second = ""] = options.network.nodes.map(({ dataDir }) => join(dataDir, ENDPOINT_FILE));
    this.#old = new Side(join(options.dir, "old"), first, "old");
    this.#new = new Side(join(options.dir, "new"), second, "first");
  }

  async all(): Promise<boolean> {
    const { files, bytes, say } = this.#options;
    try {
      const beganMs = performance.now();
      await this.#old.start();
      this.#old.order({ type: "fill", files, bytes });
      await pollUntil(() => this.#old.filled === files, { timeoutMs: DAY_MS, intervalMs: 200, what: "the files of the old device" });
      say(`${files} files of ${bytes / MEGABYTE} MB on the old device after ${seconds(beganMs)} s`);
      await this.#new.start();
      this.#startedMs = performance.now();
      this.#old.order({ type: "send", devicePub: this.#new.devicePub });
      say("|   s | done | MB/s | left s | interrupted |\n| --- | --- | --- | --- | --- |");
      await this.#copy();
      return await this.#check();
    } finally {
      await Promise.all([this.#old.end("SIGTERM"), this.#new.end("SIGTERM")]);
    }
  }

  async #copy(): Promise<void> {
    const { random } = this.#options;
    for (let until = random.between(...APART); ; until = this.#percent + random.between(...APART)) {
      await pollUntil(() => this.#isOver || this.#percent >= until, {
        timeoutMs: DAY_MS,
        intervalMs: 100,
        what: `${until} % of the files`,
      });
      if (this.#isOver) return;
      const row = this.#row();
      this.#options.say(`${row} ${await this.#interrupt()} |`);
    }
  }

  /** One after another, and then again: what is interrupted has to be found by its effect, not by chance. */
  async #interrupt(): Promise<string> {
    const { network } = this.#options;
    const turn = this.#interruptions % 5;
    this.#interruptions += 1;
    if (turn === 0) return this.#restart(this.#new, "new device killed");
    if (turn === 1) return this.#restart(this.#old, "old device killed");
    if (turn === 2 || turn === 3) {
      const node = network.node(turn - 2);
      await node.end("SIGKILL");
      await node.start();
      return `node ${turn - 2} killed`;
    }
    const [first = "", second = ""] = network.nodes.map(({ dataDir }) => join(dataDir, ENDPOINT_FILE));
    this.#new.endpointFile = this.#new.endpointFile === first ? second : first;
    return this.#restart(this.#new, "new device at the other node");
  }

  async #restart(side: Side, what: string): Promise<string> {
    await side.end("SIGKILL");
    await side.start();
    return what;
  }

  async #check(): Promise<boolean> {
    const { files, bytes, say } = this.#options;
    const tookS = seconds(this.#startedMs);
    say(`${this.#row()} end |`);
    this.#new.order({ type: "verify" });
    const verified = await pollUntil(() => this.#new.verified, { timeoutMs: HOUR_MS, intervalMs: 200, what: "the comparison" });
    const rate = (verified.bytes / MEGABYTE / tookS).toFixed(2);
    say(`${verified.files} files, ${verified.bytes} bytes in ${tookS} s (${rate} MB/s), ${this.#interruptions} interruptions`);
    say(`memory at most: old device ${this.#old.mostRssMb} MB, new device ${this.#new.mostRssMb} MB`);
    say(`on disk: old ${await sizeOf(this.#old.dir)} MB, new ${await sizeOf(this.#new.dir)} MB`);
    if (verified.wrong.length > 0) say(`wrong: ${verified.wrong.join(", ")}`);
    return verified.files === files && verified.bytes === files * bytes && verified.wrong.length === 0;
  }

  get #isOver(): boolean {
    return this.#new.progress?.phase === "done";
  }

  get #percent(): number {
    const { done, total } = this.#new.progress ?? { done: 0, total: 0 };
    return total === 0 ? 0 : (100 * done) / total;
  }

  #row(): string {
    const { files, bytes } = this.#options;
    const tookS = seconds(this.#startedMs);
    const rate = ((this.#percent / 100) * files * bytes) / MEGABYTE / tookS;
    const leftMs = this.#new.progress?.leftMs ?? null;
    return `| ${tookS} | ${this.#percent.toFixed(1)} % | ${rate.toFixed(2)} | ${leftMs === null ? "–" : Math.round(leftMs / 1000)} |`;
  }
}

/** A vault of a new person, or of the one whose phrase is given. */
async function makeVault(dir: string, phrase?: string): Promise<string> {
  const agent = await openAgentKeyring(dir);
  try {
    if (phrase === undefined) return (await agent.keyring.create({ password: PASSWORD })).words.join(" ");
    await agent.keyring.importPhrase({ phrase, password: PASSWORD });
    return phrase;
  } finally {
    await agent.close();
  }
}

function seconds(sinceMs: number): number {
  return Math.max(1, Math.round((performance.now() - sinceMs) / 1000));
}

async function sizeOf(dir: string): Promise<number> {
  const names = (await readdir(dir)).filter((name) => name.startsWith("messages-"));
  return Math.round(names.reduce((sum, name) => sum + statSync(join(dir, name)).size, 0) / MEGABYTE);
}
